"""Doorbells: rung when the work is committed, and harmless when there is none."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from judging import tasks
from judging.models import Call, Run, RunStatus
from judging.services import worklist
from judging.services.attending import living_runners, runs_wanting
from judging.services.controlling import pause, stop
from judging.simulator.options import Options
from judging.simulator.running import SimulatedJudge
from tests.annotation.factory import START
from tests.judging.factory import ADDRESS, assert_settled, make_run

BROKER = "redis://127.0.0.1:1/0"


@pytest.fixture
def sent(monkeypatch, settings):
    """The messages that would have gone to the broker."""
    settings.CELERY_BROKER_URL = BROKER
    messages = []

    def send(name, args, **options):
        messages.append((name, *args))

    monkeypatch.setattr(tasks.app, "send_task", send)
    return messages


def claimed(run, owner=None, age=0.0, limit=2):
    now = timezone.now() - timedelta(seconds=age)
    return worklist.claim(
        run_id=run.pk, owner=owner or uuid.uuid4(), limit=limit, now=now
    )


class TestRing:
    @pytest.mark.django_db(transaction=True)
    def test_it_rings_when_the_work_is_committed(self, sent):
        with transaction.atomic():
            tasks.ring(7)
            assert sent == []
        assert sent == [("judging.work_on_run", 7)]

    @pytest.mark.django_db(transaction=True)
    def test_what_was_rolled_back_rings_for_nobody(self, sent):
        with transaction.atomic():
            tasks.ring(7)
            transaction.set_rollback(True)
        assert sent == []

    @pytest.mark.django_db(transaction=True)
    def test_it_rings_once_for_each_runner_that_may_share_a_run(self, sent, settings):
        settings.RUNNERS_PER_RUN = 3
        tasks.ring(7)
        assert sent == [("judging.work_on_run", 7)] * 3

    @pytest.mark.django_db(transaction=True)
    def test_without_a_broker_nothing_is_sent(self, sent, settings):
        settings.CELERY_BROKER_URL = ""
        tasks.ring(7)
        assert sent == []

    @pytest.mark.django_db(transaction=True)
    def test_a_broker_that_is_away_breaks_no_request(self, sent, monkeypatch, caplog):
        def away(*args, **options):
            raise ConnectionError("no broker")

        monkeypatch.setattr(tasks.app, "send_task", away)
        with transaction.atomic():
            tasks.ring(7)
        assert "no broker" in caplog.text


@pytest.mark.django_db
class TestWanting:
    def test_a_new_run_wants_a_runner(self):
        run = make_run(ADDRESS)
        assert runs_wanting(timezone.now(), 1) == [run]

    def test_one_at_work_is_enough_unless_more_may_share(self):
        run = make_run(ADDRESS)
        claimed(run)
        assert living_runners(run.pk, timezone.now()) == 1
        assert runs_wanting(timezone.now(), 1) == []
        assert runs_wanting(timezone.now(), 2) == [run]

    def test_a_runner_without_a_heartbeat_is_missed_before_its_lease_ends(self):
        run = make_run(ADDRESS)
        claimed(run, age=7.0)
        assert living_runners(run.pk, timezone.now()) == 0
        assert runs_wanting(timezone.now(), 1) == [run]

    def test_nobody_is_wanted_where_all_is_in_hand(self):
        run = make_run(ADDRESS, cases=1)
        claimed(run)
        assert runs_wanting(timezone.now(), 2) == []

    @pytest.mark.parametrize("halt", [pause, stop])
    def test_nobody_is_wanted_for_a_halted_run(self, halt):
        halt(run=make_run(ADDRESS), by=None, now=START, reason="enough")
        assert runs_wanting(timezone.now(), 1) == []

    def test_stalled_runs_are_rung_for(self, sent):
        run = make_run(ADDRESS)
        assert tasks.ring_stalled() == 1
        assert sent == [("judging.work_on_run", run.pk)]


@pytest.mark.django_db(transaction=True)
class TestWork:
    def test_a_doorbell_does_the_work_and_the_next_finds_none(self, sent):
        with SimulatedJudge(Options()) as server:
            run = make_run(server.base_url, cases=3)
            assert tasks.work_on_run(run.pk) == "done"
            assert tasks.work_on_run(run.pk) == "nothing to do"
            assert server.stats()["bought"] == 6
        assert_settled(run)

    def test_a_doorbell_for_a_run_that_is_not_there(self, sent):
        assert tasks.work_on_run(123_456) == "nothing to do"

    def test_a_second_doorbell_leaves_a_run_that_is_attended_to(self, sent):
        run = make_run(ADDRESS)
        claimed(run)
        assert tasks.work_on_run(run.pk) == "attended to"
        assert Call.objects.filter(run=run, state="pending").count() == 6

    def test_after_its_turn_a_worker_rings_for_the_next(self, sent, settings):
        settings.WORKER_TURN_SECONDS = 0.5
        with SimulatedJudge(Options(latency=0.2)) as server:
            run = make_run(server.base_url, cases=40, concurrency=2)
            assert tasks.work_on_run(run.pk) == "running"
        assert sent == [("judging.work_on_run", run.pk)]
        assert not run.calls.filter(state="claimed").exists()
        assert 0 < run.calls.filter(state="done").count() < 80

    def test_runners_that_share_a_run_share_its_concurrency(self, sent, settings):
        settings.RUNNERS_PER_RUN = 3
        with SimulatedJudge(Options(latency=0.05)) as server:
            run = make_run(server.base_url, cases=20, concurrency=7)
            assert tasks.work_on_run(run.pk) == "done"
            assert server.stats()["most_in_flight"] <= 3

    def test_a_judge_that_cannot_be_asked_here_is_noted(self, sent):
        run = make_run(ADDRESS, api_key_env="NO_SUCH_KEY_HERE")
        assert tasks.work_on_run(run.pk) == "provider_unusable"
        run.refresh_from_db()
        assert run.status == RunStatus.FAILED
        assert sent == []
        assert not Run.objects.open().exists()
