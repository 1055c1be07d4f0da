"""A bundle says what was decided on its run and set besides what it holds."""

from __future__ import annotations

import io
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation.models import Exposure
from annotation.services.gold_sets import gold_set_named
from annotation.services.held_out import Viewer
from calibration.models import Look
from calibration.services.audits.exporting import export_audit, notes_document
from calibration.services.audits.scopes import Wanted
from calibration.services.deciding import decide
from calibration.services.policies import frozen_policy
from tests.calibration.audits.releasing import RELEASE, draw, release
from tests.calibration.audits.tools import check
from tests.calibration.audits.world import BEGAN, COMMAND
from tests.calibration.releases import LOOSE

if TYPE_CHECKING:
    from datetime import datetime

    from calibration.models import Decision, SwapPanel

pytestmark = pytest.mark.django_db
STRICT = {**LOOSE, "policyLabel": "strict", "maximumSwapFlipRate": 0.0001}


@dataclass(frozen=True)
class Tried:
    """What was tried with one release set: a run, decided twice, and another run."""

    first: Decision
    between: datetime
    second: Decision
    panel: SwapPanel


@pytest.fixture(scope="module")
def tried(site, django_db_blocker) -> Tried:
    with django_db_blocker.unblock():
        first, between = release(site), timezone.now()
        return Tried(first, between, again(first), draw(site))


def again(decision: Decision) -> Decision:
    """The same run by another policy."""
    lead = decision.policy.frozen_by
    assert lead is not None
    policy = frozen_policy(name="strict", document=STRICT, by=lead, now=BEGAN)
    return decide(
        run=decision.run,
        policy=policy,
        report=decision.report,
        viewer=COMMAND,
        now=timezone.now(),
    )


def left_out(now: datetime | None = None, **wanted: Any) -> tuple[str, ...]:
    at = now or timezone.now()
    found = export_audit(wanted=Wanted(**wanted), viewer=COMMAND, now=at)
    checked = check(b"".join(found.download().pieces))
    assert checked.findings.problems == []
    return checked.manifest.left_out


def result(decision: Decision) -> str:
    return f"decision {decision.pk}: {decision.result.replace('_', ' ')}"


def test_while_it_was_the_only_one_nothing_is_left_out(tried) -> None:
    assert left_out(tried.between, decision=tried.first.pk) == ()


def test_other_decisions_and_runs_are_named(tried) -> None:
    run, panel = tried.first.run_id, tried.panel.run_id
    for one, other in ((tried.first, tried.second), (tried.second, tried.first)):
        assert left_out(decision=one.pk) == (
            f"what else was decided on run {run} over {RELEASE}: {result(other)}",
            f"another release run over {RELEASE}, run {panel}, not decided",
        )


def test_a_whole_set_leaves_none_out(tried) -> None:
    assert left_out(gold_set=RELEASE) == ()


def test_a_period_names_what_was_decided_before_it(tried) -> None:
    (told,) = left_out(since=tried.between, to=timezone.now() + timedelta(days=1))
    assert told.endswith(f"run {tried.first.run_id} over {RELEASE}: "
                         f"{result(tried.first)}")  # fmt: skip


def test_the_commands_print_it(tried, tmp_path) -> None:
    bundle, err, out = tmp_path / "one.zip", io.StringIO(), io.StringIO()
    call_command(
        "export_audit", "--decision", str(tried.first.pk), "--output", str(bundle),
        stdout=io.StringIO(), stderr=err,
    )  # fmt: skip
    assert "Left out: what else was decided on run" in err.getvalue()
    call_command("verify_audit", str(bundle), stdout=out)
    assert "LEFT OUT what else was decided on run" in out.getvalue()


def test_notes_of_a_set_are_no_look_at_another(site, tried) -> None:
    """A decision on the set rests on held-out pairs elsewhere: these stay unseen."""
    gold_set = gold_set_named(RELEASE)
    gold_set.cases.update(split="dev")
    lea = site.people["lea"]
    Exposure.objects.filter(user=lea).delete()
    before = Look.objects.count()
    viewer = Viewer(user=lea, door="api")
    notes_document(gold_set=gold_set, form="csv", viewer=viewer, now=timezone.now())
    assert Look.objects.count() == before
    seen = Exposure.objects.filter(user=lea)
    assert {*seen.values_list("pair__gold_set__name", flat=True)} == {RELEASE}
