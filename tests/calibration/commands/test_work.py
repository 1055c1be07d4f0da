"""The local worker looks after sentinels, as beat and cron do."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from calibration.models import SentinelCheck, SentinelPanel, SentinelPoint
from calibration.services.sentinels.defining import SentinelPlan, define_sentinel
from judging.models import RunStatus
from judging.simulator.options import Options
from judging.simulator.running import SimulatedJudge
from tests.annotation.factory import make_set
from tests.judging.factory import freeze_gold, make_judge

pytestmark = pytest.mark.django_db(transaction=True)


def watch(address: str) -> SentinelPanel:
    freeze_gold(make_set(6))
    judge = make_judge(address)
    plan = SentinelPlan(name="daily", gold_set="set-1", judge=judge.name, parts=2)
    return define_sentinel(plan=plan, by=None, now=timezone.now(), actor="tester")


def test_what_is_due_is_started_asked_and_recorded(capsys):
    with SimulatedJudge(Options()) as server:
        watch(server.base_url)
        call_command("work", once=True)
        check = SentinelCheck.objects.get()
        assert (check.kind, check.started_by) == ("reference", None)
        assert check.run.status == RunStatus.DONE
        assert SentinelPoint.objects.get().sentinel_check == check
        call_command("work", once=True)
        assert SentinelCheck.objects.count() == 1


def test_the_next_part_comes_when_its_time_has(capsys, monkeypatch):
    with SimulatedJudge(Options()) as server:
        watch(server.base_url)
        call_command("work", once=True)
        later = timezone.now() + timedelta(hours=25)
        monkeypatch.setattr("calibration.tasks.timezone.now", lambda: later)
        call_command("work", once=True)
    kinds = list(SentinelCheck.objects.values_list("kind", "part").order_by("pk"))
    assert kinds == [("reference", 0), ("part", 1)]
    assert SentinelPoint.objects.count() == 2
