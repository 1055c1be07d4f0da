"""A small bundle with a row in every table, to be forged field by field."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from annotation.domain.consensus import ConsensusRule
from annotation.models import LookMode
from annotation.services.freezing import freeze_gold
from annotation.services.look_plans import fix_plan
from annotation.services.splitting import SplitWish, write_splits
from calibration.models import Finding
from calibration.services.audits.exporting import export_audit
from calibration.services.audits.scopes import Wanted
from calibration.services.looks import disclosed
from calibration.services.report_cases import pairs_of
from calibration.services.reporting import make_report
from calibration.services.reviewing import dispose
from config.accounts.roles import Role
from judging.domain.costs import Price
from judging.services.pricing import add_price
from tests.calibration.audits.releasing import draw, release
from tests.calibration.audits.watching import watch
from tests.calibration.audits.world import (
    BEGAN,
    COMMAND,
    Replier,
    Site,
    people_work,
    person,
    run_of,
)
from tests.judging.factory import ADDRESS, make_judge
from tests.judging.pointwise_judges import SHORT, pointwise_judge
from tests.judging.talkers import work

if TYPE_CHECKING:
    from annotation.models import GoldSet
    from calibration.models import Report

CASES = 6


def build_everything() -> Site:
    """People's work, gold, a judge with marks beside, a report, a release."""
    people = {
        "ann": person("ann", Role.REVIEWER),
        "bob": person("bob", Role.REVIEWER),
        "ada": person("ada", Role.ADJUDICATOR),
        "lea": person("lea", Role.LEAD),
    }
    gold_set = people_work(CASES, people)
    _split_and_plan(gold_set, people)
    gold = freeze_gold(
        gold_set=gold_set, rule=ConsensusRule(gold_set.consensus_rule),
        by=people["lea"], now=BEGAN.replace(month=6), leave_open=True,
    )  # fmt: skip
    runs = _runs(gold_set)
    report = make_report(
        run=runs["pair"], gold=gold, by=people["lea"], now=timezone.now()
    )
    disclosed(report=report, viewer=COMMAND, now=timezone.now())
    dispose(
        report=report, pair_id=_differing(report), finding=Finding.JUDGE_FAILED,
        note="It is.", by=people["lea"], now=timezone.now(),
    )  # fmt: skip
    site = Site(gold_set, runs, [report], people)
    release(site, CASES)
    draw(site)
    watch(site)
    return site


def _differing(report: Report) -> int:
    found = pairs_of(report).exclude(rank=None).filter(split="dev")
    return found.earliest("pk").pair_id


def _split_and_plan(gold_set: GoldSet, people: dict[str, Any]) -> None:
    wish = SplitWish(seed="a split", slices=("language",))
    write_splits(gold_set=gold_set, wish=wish, by=people["lea"], now=BEGAN)
    fix_plan(
        gold_set=gold_set, mode=LookMode.OPEN, budget=9, limits={"agreement": 0.4},
        by=people["lea"], now=BEGAN.replace(month=5),
    )  # fmt: skip


def _runs(gold_set: GoldSet) -> dict[str, Any]:
    pairwise = make_judge(ADDRESS, now=BEGAN)
    price = Price("local", "simulated-judge", BEGAN.date(), Decimal(2), Decimal(5))
    add_price(price=price, by=None, now=BEGAN)
    runs = {"pair": run_of(pairwise, gold_set)}
    work(runs["pair"], Replier())
    marker = pointwise_judge(scale=SHORT, rubric="MARK it", now=BEGAN)
    runs["marks"] = run_of(marker, gold_set)
    work(runs["marks"], Replier())
    for run in runs.values():
        run.refresh_from_db()
    return runs


def bundle_of_everything() -> bytes:
    """All that happened, as one bundle."""
    wanted = Wanted(since=BEGAN.replace(year=2024), to=timezone.now())
    found = export_audit(wanted=wanted, viewer=COMMAND, now=timezone.now())
    return b"".join(found.download().pieces)
