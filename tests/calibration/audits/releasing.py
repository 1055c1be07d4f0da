"""A release on top of the site: another set, a policy, a waiver, a decision."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils import timezone

from annotation.services.gold_sets import SetPlan, gold_set_named
from annotation.services.importing import import_pairs
from annotation.services.intake import Source
from calibration.services.deciding import decide
from calibration.services.decision_reports import report_for
from calibration.services.policies import frozen_policy
from calibration.services.swap_panels import PanelWish, start_panel
from calibration.services.waivers import WaiverWish, ask_waiver, confirm_waiver
from config.accounts.roles import Role
from judging.models import RunPurpose
from judging.services.starting import RunOptions, run_for
from tests.calibration.audits.world import BEGAN, COMMAND, Replier, Site, case, person
from tests.calibration.releases import LOOSE
from tests.judging.talkers import work

if TYPE_CHECKING:
    from calibration.models import Decision, SwapPanel

RELEASE = "release-set"
COPY = "case-copied"


def release(site: Site, cases: int = 15) -> Decision:
    """Decide on a release by the site's first judge, with a waiver in force."""
    rows = [case(100 + number) for number in range(cases)]
    rows.append(rows[1] | {"case_id": COPY})
    lines = "\n".join(map(json.dumps, rows))
    import_pairs(
        plan=SetPlan(name=RELEASE, systems=("old", "new")),
        source=Source(lines.encode(), "pairs.jsonl"),
        by=site.people["lea"],
        now=BEGAN,
    )
    gold_set = gold_set_named(RELEASE)
    policy = frozen_policy(
        name="usual", document=LOOSE, by=site.people["lea"], now=BEGAN
    )
    wish = WaiverWish(
        case_ids=("case-100", "case-105"),
        impact="two cases",
        owner="lea",
        reason="known",
        expires_at=timezone.now() + timedelta(days=30),
    )
    waiver = ask_waiver(
        gold_set=gold_set, wish=wish, by=site.people["lea"], now=timezone.now()
    )
    confirm_waiver(waiver=waiver, by=person("leo", Role.LEAD), now=timezone.now())
    run = run_for(
        config=site.runs["pair"].config,
        gold_set=gold_set,
        concurrency=4,
        by=site.people["lea"],
        now=timezone.now(),
        options=RunOptions(purpose=RunPurpose.RELEASE),
    )
    work(run, Replier())
    run.refresh_from_db()
    return decide(
        run=run,
        policy=policy,
        report=report_for(run),
        viewer=COMMAND,
        now=timezone.now(),
    )


def draw(site: Site) -> SwapPanel:
    """A second release run, over a part of the pairs that a seed draws."""
    panel = start_panel(
        config=site.runs["pair"].config,
        gold_set=gold_set_named(RELEASE),
        wish=PanelWish(0.4, "a seed", ("language",)),
        concurrency=4,
        by=site.people["lea"],
        now=timezone.now(),
    )
    work(panel.run, Replier())
    return panel
