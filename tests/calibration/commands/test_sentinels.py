"""define_sentinel and run_sentinels, the latter against the simulated judge."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command

from annotation.models import GoldItem, GoldVersion
from calibration.models import SentinelCheck, SentinelPanel, SentinelPoint
from calibration.services.sentinels.points import payload_of
from judging.models import Reply, Run, RunStatus
from judging.services.evidence import pair_evidence
from judging.services.starting import start_run
from judging.simulator.options import Options
from judging.simulator.running import SimulatedJudge
from tests.annotation.factory import START, make_set
from tests.calibration.sentinels import finish, make_watched
from tests.judging.factory import ADDRESS, freeze_gold, make_judge, work

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def simulated():
    with SimulatedJudge(Options()) as judge:
        yield judge


def define(base_url: str, *options: str, cases: int = 4) -> SentinelPanel:
    freeze_gold(make_set(cases))
    make_judge(base_url)
    call_command(
        "define_sentinel", "daily", "--gold-set=set-1", "--judge=judge", *options
    )
    return SentinelPanel.objects.get()


def test_defining_says_what_was_made(capsys):
    panel = define(ADDRESS, "--parts=2", "--every=12", "--least-agreement=0.8")
    panel.refresh_from_db()
    assert (panel.parts, panel.period_hours) == (2, 12)
    assert panel.least_agreement == Decimal("0.8")
    assert panel.actor
    said = capsys.readouterr().out
    assert said == "Sentinel daily: 4 pairs in 2 parts, one every 12 hours.\n"


def test_defining_is_refused_in_words():
    with pytest.raises(CommandError, match="4 groups of pairs can't be cut into 7"):
        define(ADDRESS)


def test_a_check_is_run_recorded_and_said(simulated, capsys):
    define(simulated.base_url, "--parts=2")
    capsys.readouterr()
    call_command("run_sentinels")
    check = SentinelCheck.objects.get()
    assert check.run.status == RunStatus.DONE
    assert payload_of(SentinelPoint.objects.get())["pairs"] == 4
    said = capsys.readouterr().out
    assert said == (
        f"daily, judge v1, cycle 1, reference: run {check.run_id} started\n"
        "daily, judge v1, cycle 1, reference: recorded\n"
    )
    call_command("run_sentinels")
    assert capsys.readouterr().out == ""


def test_the_next_check_buys_every_reply_anew(simulated):
    """The same requests as the reference's, and no reply is copied (DESIGN rule 22)."""
    define(simulated.base_url, "--parts=1")
    call_command("run_sentinels")
    call_command("run_sentinels", "--early")
    first, second = SentinelCheck.objects.order_by("pk")
    assert (first.kind, second.kind) == ("reference", "part")
    hashes = [
        set(Reply.objects.filter(call__run=one.run).values_list("request_hash"))
        for one in (first, second)
    ]
    assert hashes[0] == hashes[1]
    assert not Reply.objects.exclude(reused_from=None).exists()
    point = payload_of(SentinelPoint.objects.order_by("pk").last())
    assert point["against_first"]["counts"]["changed"] == 0


def test_starting_alone_leaves_the_run_to_workers(capsys):
    define(ADDRESS, "--parts=2")
    call_command("run_sentinels", "--start-only", "--sentinel=daily")
    assert SentinelCheck.objects.get().run.status == RunStatus.PENDING
    assert not SentinelPoint.objects.exists()


@pytest.mark.parametrize("status", [RunStatus.PENDING, RunStatus.FAILED])
def test_a_check_that_was_left_goes_on(simulated, capsys, status):
    define(simulated.base_url, "--parts=2")
    call_command("run_sentinels", "--start-only")
    check = SentinelCheck.objects.get()
    Run.objects.update(status=status, failure="nobody there")
    call_command("run_sentinels")
    check.run.refresh_from_db()
    assert check.run.status == RunStatus.DONE
    assert SentinelPoint.objects.count() == SentinelCheck.objects.count() == 1
    assert f"run {check.run_id} goes on" in capsys.readouterr().out


def test_a_check_that_was_paused_stays_so(simulated, capsys):
    define(simulated.base_url, "--parts=2")
    call_command("run_sentinels", "--start-only")
    Run.objects.update(status=RunStatus.PAUSED, halted_at=START)
    call_command("run_sentinels")
    assert Run.objects.get().status == RunStatus.PAUSED


def test_a_judge_that_does_not_answer_ends_with_words():
    define("http://127.0.0.1:9/v1", "--parts=2")
    with pytest.raises(CommandError, match=r"daily, judge v1.*run \d+ is failed"):
        call_command("run_sentinels")


def test_unknown_panels():
    with pytest.raises(CommandError, match="no sentinel panel 'none'"):
        call_command("run_sentinels", "--sentinel=none")


def test_alarms_are_said(capsys):
    watched = make_watched(24, parts=4)
    watched.check("B")
    for check in watched.start():
        finish(check, "C")
    call_command("run_sentinels", "--start-only")
    said = capsys.readouterr().out
    assert "part 1: recorded\nALARM daily: The judge drifts: 6 groups" in said


def test_drift_that_was_planted_is_found_through_the_real_client(simulated, capsys):
    """The same address answers otherwise one day: by the slot, instead of by quality.

    Gold is what the judge said while it was well, so that every change is for the
    worse; of 16 cases at a time most change, and the first part already proves it.
    """
    gold_set = make_set(32)
    judge = make_judge(simulated.base_url)
    run = start_run(config=judge, gold_set=gold_set, concurrency=8, by=None, now=START)
    work(run)
    version = GoldVersion.objects.create(
        gold_set=gold_set, number=1, rule="mode_or_tie", digest="0" * 64,
        pairs=32, left_open=0, created_at=START,
    )  # fmt: skip
    for pair, found in pair_evidence(run).items():
        GoldItem.objects.create(
            version=version, pair_id=pair, split="dev", source="consensus",
            outcome=found.verdict.outcome.value,
        )  # fmt: skip
    call_command(
        "define_sentinel", "daily", "--gold-set=set-1", "--judge=judge", "--parts=2"
    )
    call_command("run_sentinels")
    assert payload_of(SentinelPoint.objects.get())["agreement"]["value"] == 1.0
    capsys.readouterr()
    simulated.options = Options(first_slot=0.9)
    call_command("run_sentinels", "--early")
    point = payload_of(SentinelPoint.objects.order_by("pk").last())
    assert point["against_first"]["counts"]["worse"] >= 8
    assert point["against_first"]["counts"]["better"] == 0
    assert "ALARM daily: The judge drifts" in capsys.readouterr().out
