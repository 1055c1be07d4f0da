"""A provider that is away for a while is waited for, by all calls of a run together."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from judging.domain.ports import CallFailed, FailureKind
from judging.models import Attempt, Reply, Run, RunStatus, Silence
from judging.services import worklist
from judging.services.controlling import pause, resume, stop
from judging.services.pace import DEFAULT_PACE, usual_pace
from judging.services.silences import note_silence, standing_silence
from judging.services.watching import progress_of
from judging.services.working import work_on
from judging.simulator.options import Options
from judging.simulator.running import SimulatedJudge
from tests.annotation.factory import START
from tests.judging.answers import answer
from tests.judging.factory import ADDRESS, QUICK, assert_settled, make_run
from tests.judging.factory import work as work_over_http
from tests.judging.talkers import Talker, in_thread, runner_of

pytestmark = pytest.mark.django_db(transaction=True)
PATIENT = replace(QUICK, patience=60.0)
# The first wait alone is longer than any test.
LONG = replace(QUICK, backoff=1000.0, ceiling=1000.0, patience=5000.0)
HOUR = timedelta(hours=1)


class Away(Talker):
    """Is not there for so many requests, after it answered some."""

    def __init__(self, refusals, *, after=0, kind=FailureKind.UNREACHABLE):
        super().__init__()
        self.refusals, self.after, self.kind = refusals, after, kind
        self.most_away = 0

    async def ask(self, request):
        said = await super().ask(request)
        if self.asked > self.after and self.refusals:
            self.refusals -= 1
            self.most_away = max(self.most_away, self.open + 1)
            raise CallFailed(self.kind, "nobody there")
        return said


def work(run, client, pace=PATIENT, **more):
    run.refresh_from_db()
    return work_on(run, open_client=client, pace=pace, **more)


def invalid_of(run):
    return Reply.objects.filter(call__run=run).exclude(invalid_reason="")


class TestComingBack:
    @pytest.mark.parametrize("after", [0, 7, 19])
    def test_no_call_is_lost_or_given_up(self, after):
        run = make_run(ADDRESS, cases=10, concurrency=4)
        client = Away(12, after=after)
        assert work(run, client) == RunStatus.DONE
        assert_settled(run)
        assert not invalid_of(run).exists()
        assert client.asked == 20 + 12
        assert not Silence.objects.exists()

    @pytest.mark.parametrize("kind", [FailureKind.SERVER, FailureKind.CONNECTION])
    def test_so_with_one_that_says_it_is_not_ready(self, kind):
        run = make_run(ADDRESS, cases=10, concurrency=4)
        client = Away(40, after=5, kind=kind)
        assert work(run, client) == RunStatus.DONE
        assert_settled(run)
        assert not invalid_of(run).exists()

    def test_one_call_at_a_time_looks(self):
        run = make_run(ADDRESS, cases=20, concurrency=8)
        client = Away(14)
        looks = []

        async def before(request):
            looks.append(client.open)
            await asyncio.sleep(0.01)

        client.before = before
        assert work(run, client) == RunStatus.DONE
        # Eight were on their way; the six after them went alone.
        assert looks[8:14] == [1] * 6
        assert client.most == 8, "all go on together afterwards"

    def test_a_restart_of_a_real_server(self):
        server = SimulatedJudge(Options(latency=0.02)).start()
        run = make_run(server.base_url, cases=15, concurrency=4)
        port, state = server.port, {"server": server, "down": False}

        def restart(progress):
            if progress.answered >= 8 and not state["down"]:
                state["down"] = True
                server.stop()
            elif progress.trouble and state["server"] is server:
                state["server"] = SimulatedJudge(Options(), port=port).start()

        try:
            pace = replace(PATIENT, tries=50)
            assert work_over_http(run, pace=pace, on_progress=restart) == "done"
        finally:
            state["server"].stop()
        assert_settled(run)
        assert not invalid_of(run).exists()
        assert Attempt.objects.filter(call__run=run, error="unreachable").exists()

    def test_several_runners_wait_and_go_on(self):
        run = make_run(ADDRESS, cases=30, concurrency=4)
        client = Away(20, after=10)

        async def main():
            runners = [runner_of(run, client, 4, pace=PATIENT) for _ in range(3)]
            return await asyncio.gather(*(each.run() for each in runners))

        assert set(asyncio.run(main())) == {RunStatus.DONE}
        assert_settled(run)
        assert not invalid_of(run).exists()
        assert not Silence.objects.exists()


class TestStayingAway:
    def test_the_run_fails_with_a_sentence_and_can_be_resumed(self):
        run = make_run(ADDRESS, cases=5, concurrency=4)
        client, told = Away(10**6, after=2), []
        pace = replace(QUICK, patience=0.3)
        assert work(run, client, pace, on_progress=told.append) == RunStatus.FAILED
        assert told[-1].trouble == "", "nothing is waited for any more"
        run.refresh_from_db()
        assert run.failure == "The provider does not answer: nobody there"
        assert not Silence.objects.exists()
        assert not invalid_of(run).exists()
        assert client.asked > 6, "it was looked for again and again"
        assert work(run, Talker()) == RunStatus.DONE
        assert_settled(run)

    def test_patience_lasts_over_the_turns_of_workers(self):
        run = make_run(ADDRESS, cases=5, concurrency=2)
        client, pace = Away(10**6), replace(QUICK, patience=0.6)
        states = []
        while not states or (states[-1] == RunStatus.RUNNING and len(states) < 50):
            states.append(work(run, client, pace, at_most=0.1))
        assert states[-1] == RunStatus.FAILED
        assert len(states) > 2

    def test_runners_share_their_patience(self):
        run, now = make_run(ADDRESS, cases=5), timezone.now()
        worklist.begin(run_id=run.pk, now=now)
        note(run, since=now - timedelta(seconds=59.9), try_at=now)
        began = time.monotonic()
        assert work(run, Away(10**6)) == RunStatus.FAILED
        assert time.monotonic() - began < 30

    @pytest.mark.parametrize("how", [pause, stop])
    def test_a_person_who_halts_it_is_heeded_at_once(self, how, monkeypatch):
        monkeypatch.setattr(worklist, "HEARTBEAT_SECONDS", 0.05)
        run = make_run(ADDRESS, cases=10, concurrency=4)
        options = {"reason": "Enough."} if how is stop else {}
        halted = []

        async def main():
            runner = runner_of(run, Away(10**6), 4, pace=LONG)
            working = asyncio.create_task(runner.run())
            async with asyncio.timeout(20):
                while not await in_thread(Silence.objects.exists):  # noqa: ASYNC110 - a row
                    await asyncio.sleep(0.01)
            await in_thread(how, run=run, by=None, now=timezone.now(), **options)
            halted.append(time.monotonic())
            status = await asyncio.wait_for(working, 20)
            halted.append(time.monotonic())
            return status

        expected = RunStatus.PAUSED if how is pause else RunStatus.STOPPED
        assert asyncio.run(main()) == expected
        assert halted[1] - halted[0] < 10

    def test_one_that_is_taken_up_again_has_all_patience(self):
        run, now = make_run(ADDRESS, cases=2), timezone.now()
        note(run, since=now - HOUR, try_at=now)
        pause(run=run, by=None, now=now)
        resume(run=run, by=None, now=now)
        assert work(run, Away(6)) == RunStatus.DONE

    def test_a_silence_of_long_ago_was_another(self):
        run, now = make_run(ADDRESS, cases=2), timezone.now()
        worklist.begin(run_id=run.pk, now=now)
        note(run, since=now - 2 * HOUR, try_at=now - HOUR)
        assert work(run, Away(6)) == RunStatus.DONE

    def test_the_setting_is_the_patience(self, settings):
        settings.PROVIDER_PATIENCE_SECONDS = 7
        assert usual_pace() == replace(DEFAULT_PACE, patience=7)


def note(run, *, since, try_at, lapses=HOUR):
    return note_silence(
        run_id=run.pk,
        since=since,
        try_at=try_at,
        looks=3,
        detail="nobody there",
        lapses=lapses,
    )


class TestTelling:
    def test_progress_is_told_what_is_waited_for(self):
        run = make_run(ADDRESS, cases=4, concurrency=2)
        told = []
        slow = replace(PATIENT, backoff=0.3, ceiling=0.3)
        client = Away(3, after=3)
        work(run, client, slow, on_progress=lambda now: told.append(now.trouble))
        assert "The provider does not answer; trying again now" in told
        assert told[-1] == told[0] == ""

    def test_the_first_since_stays_until_it_lapses(self):
        run = make_run(ADDRESS, cases=1)
        since = note(run, since=START, try_at=START)
        later = START + timedelta(minutes=5)
        assert note(run, since=later, try_at=later) == since == START
        much_later = START + 3 * HOUR
        assert note(run, since=much_later, try_at=much_later) == much_later
        found = standing_silence(run_id=run.pk, now=much_later, lapses=HOUR)
        assert (found.since, found.looks) == (much_later, 3)

    def test_no_time_left_is_told_meanwhile(self):
        run = make_run(ADDRESS, cases=4)
        Run.objects.filter(pk=run.pk).update(status=RunStatus.RUNNING, started_at=START)
        run.refresh_from_db()
        for call in run.calls.all()[:2]:
            answer(call)
        later = START + timedelta(seconds=10)
        assert progress_of(run, now=later).seconds_left == pytest.approx(30)
        note(run, since=later, try_at=later)
        found = progress_of(run, now=later)
        assert found.rate == pytest.approx(0.2)
        assert found.seconds_left is None

    def test_who_watches_sees_it_while_the_run_goes_on(self):
        run = make_run(ADDRESS, cases=1)
        note(run, since=START, try_at=START + timedelta(seconds=12))
        assert progress_of(run, now=START).silence.detail == "nobody there"
        assert progress_of(run, now=START + HOUR).silence is None
        pause(run=run, by=None, now=START)
        run.refresh_from_db()
        assert progress_of(run, now=START).silence is None
