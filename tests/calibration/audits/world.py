"""A small site with a bit of everything, and a judge that answers real bodies."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import Group
from django.utils import timezone

from annotation.domain.consensus import ConsensusRule
from annotation.domain.outcomes import Outcome, SlotChoice
from annotation.domain.rulings import RulingCategory
from annotation.models import GoldSet, Pair
from annotation.services.adjudicating import Opinion, adjudicate
from annotation.services.freezing import freeze_gold
from annotation.services.gold_sets import SetPlan, add_guideline, gold_set_named
from annotation.services.held_out import Viewer
from annotation.services.importing import import_pairs
from annotation.services.importing_labels import import_labels
from annotation.services.intake import Source
from annotation.services.rounds import close_round
from calibration.services.looks import disclosed
from calibration.services.reporting import make_report
from config.accounts.models import User
from config.accounts.roles import Role
from judging.domain.costs import Price
from judging.domain.exchange import reply_from_body
from judging.domain.panels import PanelSpec
from judging.domain.ports import CallFailed, RawReply
from judging.models import Reply, RunPurpose
from judging.services.panels import freeze_panel
from judging.services.pricing import add_price
from judging.services.starting import RunOptions, run_for, start_run
from tests.annotation.factory import Clock, Desk, make_round
from tests.judging.factory import ADDRESS, make_judge
from tests.judging.pointwise_judges import SHORT, pointwise_judge
from tests.judging.rubric_judges import STEP, asks_for_rubric
from tests.judging.talkers import Talker, work

if TYPE_CHECKING:
    from calibration.models import Report
    from judging.domain.ports import JudgeRequest
    from judging.models import JudgeConfig, Run

BEGAN = datetime(2025, 3, 3, 9, 0, tzinfo=UTC)
NAME = "audited"
COMMAND = Viewer(user=None, door="command", actor="tester", reason="audit")
REUSED = 48
VERDICTS = ("[[A>>B]]", "[[A>B]]", "[[A=B]]", "[[B>A]]", "[[B>>A]]", "no verdict", "")


def case(number: int) -> dict[str, Any]:
    """A case of the pairs file; a third is held out, every fifth critical."""
    better = "A full answer with all that was asked for." if number % 2 else "Short."
    return {
        "case_id": f"case-{number:02d}",
        "prompt": f"Question {number}, with = and ünïcode?",
        "responses": {"old": "The old answer.", "new": f"{better} No. {number}"},
        "context": "What is known." if number % 3 == 0 else None,
        "slices": {"language": "de" if number % 2 else "en"},
        "critical": number % 5 == 0,
        "group": f"thread-{number // 2}" if number < 4 else None,
        "split": "held_out" if number // 2 % 3 == 0 else "dev",
    }


class Replier(Talker):
    """Answers with whole bodies, whose text follows from the request's hash."""

    async def ask(self, request: JudgeRequest) -> RawReply:
        await super().ask(request)
        body = json.dumps(self.body(request))
        found = reply_from_body(200, {}, body, now=BEGAN, latency_ms=5)
        if isinstance(found, CallFailed):
            raise found
        return found

    def body(self, request: JudgeRequest) -> dict[str, Any]:
        draw = int(request.request_hash[:6], 16)
        if asks_for_rubric(request):
            text = f"- It answers question {draw}."
        elif "MARK" in request.messages[-1].content or request.model == "marker":
            text = f"Because.\n{draw % 3 + 1}"
        else:
            text = VERDICTS[draw % len(VERDICTS)]
        choice = {"message": {"content": text}, "finish_reason": "stop"}
        if draw % 11 == 0:
            choice["finish_reason"] = "length"
        return {
            "model": "sim-2" if draw % 7 == 0 else "sim-1",
            "system_fingerprint": "fp",
            "choices": [choice, choice] if draw % 13 == 0 else [choice],
            "usage": {"prompt_tokens": 90, "completion_tokens": 7},
        }


@dataclass
class Site:
    """What was built."""

    gold_set: GoldSet
    runs: dict[str, Run]
    reports: list[Report]
    people: dict[str, User]


def person(name: str, *roles: Role) -> User:
    user = User.objects.create_user(name, password="x")
    for role in roles:
        user.groups.add(Group.objects.get_or_create(name=role.value)[0])
    return user


def build(cases: int = 12) -> Site:
    """Pairs, labels of two rounds' worth, rulings, gold, five judges, two reports."""
    people = {
        "ann": person("ann", Role.REVIEWER),
        "bob": person("bob", Role.REVIEWER),
        "ada": person("ada", Role.ADJUDICATOR),
        "lea": person("lea", Role.LEAD),
    }
    gold_set = people_work(cases, people)
    freeze: dict[str, Any] = {
        "gold_set": gold_set,
        "rule": ConsensusRule(gold_set.consensus_rule),
    }
    freeze |= {"by": people["lea"], "leave_open": True}
    first = freeze_gold(**freeze, now=BEGAN.replace(month=6))
    runs = _judge(gold_set)
    reports = [
        _seen(make_report(run=runs["pair"], gold=first, by=None, now=timezone.now()))
    ]
    ruled = Pair.objects.filter(adjudications__sequence=1).earliest("pk")
    last = ruled.adjudications.latest("sequence")
    other = Outcome.TIE if last.outcome != "tie" else Outcome.BASELINE
    opinion = Opinion(other, RulingCategory.RUBRIC_GAP, "On second thoughts: another.")
    adjudicate(pair=ruled, opinion=opinion, by=people["ada"], now=timezone.now())
    second = freeze_gold(**freeze, now=timezone.now())
    for name in ("pair", "panel", "rubric", "again"):
        report = make_report(
            run=runs[name], gold=second, by=people["lea"], now=timezone.now()
        )
        reports.append(_seen(report))
    return Site(gold_set, runs, reports, people)


def _seen(report: Report) -> Report:
    disclosed(report=report, viewer=COMMAND, now=timezone.now())
    return report


def people_work(cases: int, people: dict[str, User]) -> GoldSet:
    lines = "\n".join(json.dumps(case(number)) for number in range(cases))
    plan = SetPlan(name=NAME, systems=("old", "new"), labels_per_pair=2)
    import_pairs(
        plan=plan, source=Source(lines.encode(), "pairs.jsonl"), by=None, now=BEGAN
    )
    gold_set = gold_set_named(NAME)
    add_guideline(gold_set=gold_set, text="# Rules", by=people["lea"], now=BEGAN)
    clock = Clock(BEGAN.replace(day=4))
    round_ = make_round(
        gold_set, people["ann"], people["bob"], labels_per_pair=2, now=clock.now
    )
    for place, name in enumerate(("ann", "bob")):
        desk = Desk(round_, people[name], clock)
        for number in range(cases):
            choice = list(SlotChoice)[(number + place * (number % 3 == 0)) % 4]
            desk.submit(desk.claim(), choice, note=f"=note {number}")
            clock.pass_minutes(1)
    close_round(round_=round_, by=people["lea"], now=clock.now)
    outside = [
        {"case_id": f"case-{n:02d}", "reviewer": "outsider", "outcome": "candidate"}
        for n in range(0, cases, 3)
    ]
    text = "\n".join(json.dumps(row) for row in outside)
    source = Source(text.encode(), "labels.jsonl")
    import_labels(gold_set=gold_set, source=source, now=clock.pass_minutes(9))
    for number, pair in enumerate(Pair.objects.order_by("pk")[:3]):
        opinion = Opinion(
            Outcome.CANDIDATE, RulingCategory.GENUINELY_CLOSE, f"=because {number}"
        )
        now = clock.pass_minutes(1)
        adjudicate(pair=pair, opinion=opinion, by=people["ada"], now=now)
    return gold_set


def run_of(config: JudgeConfig, gold_set: GoldSet, **options: Any) -> Run:
    return run_for(
        config=config,
        gold_set=gold_set,
        concurrency=4,
        by=None,
        now=timezone.now(),
        options=RunOptions(**options),
    )


def _first_pairs() -> tuple[int, ...]:
    return tuple(Pair.objects.order_by("pk").values_list("pk", flat=True)[:2])


def _started(config: JudgeConfig, gold_set: GoldSet, options: RunOptions) -> Run:
    return start_run(
        config=config,
        gold_set=gold_set,
        concurrency=4,
        by=None,
        now=timezone.now(),
        options=options,
    )


def _judge(gold_set: GoldSet) -> dict[str, Run]:
    pairwise = make_judge(ADDRESS, repeats=2, now=BEGAN)
    other = make_judge(ADDRESS, name="other", model="other-model", now=BEGAN)
    add_price(
        price=Price(
            "local", "simulated-judge", date(2025, 1, 1), Decimal(2), Decimal(5)
        ),
        by=None,
        now=BEGAN,
    )
    members = (pairwise.digest, other.digest)
    spec = PanelSpec(members=members)
    panel = freeze_panel(name="panel", spec=spec, by=None, now=BEGAN)
    configs = {
        "pair": pairwise,
        "marks": pointwise_judge(scale=SHORT, rubric="MARK it", now=BEGAN),
        "rubric": make_judge(ADDRESS, name="writer", rubric_step=STEP, now=BEGAN),
        "panel": panel,
    }
    runs = {}
    for name, config in configs.items():
        runs[name] = run_of(config, gold_set)
        for seat in runs[name].seats.all():
            work(seat.member_run, Replier())
        if name != "panel":
            work(runs[name], Replier())
        runs[name].refresh_from_db()
        assert runs[name].status == "done", (name, runs[name].failure)
    runs["again"] = start_run(
        config=pairwise, gold_set=gold_set, concurrency=4, by=None, now=timezone.now()
    )
    work(runs["again"], Replier())
    runs["again"].refresh_from_db()
    # A sentinel's marks are of a few pairs only: no report takes them for all.
    sentinel = RunOptions(purpose=RunPurpose.SENTINEL, pair_ids=_first_pairs())
    runs["watch"] = _started(configs["marks"], gold_set, sentinel)
    work(runs["watch"], Replier())
    assert Reply.objects.filter(reused_from__isnull=False).count() == REUSED
    return runs
