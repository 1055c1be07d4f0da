"""What is not known after a fault: nothing is sent twice, and nothing is lost."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import timedelta
from typing import ClassVar

import pytest
from django.utils import timezone

from judging.clients.openai_batch import OpenAIBatchClient
from judging.domain.ports import CallFailed, FailureKind
from judging.models import Batch, BatchState, Reply, RunStatus
from judging.services import batch_rows
from judging.services.controlling import pause, resume, stop
from judging.simulator.options import Options
from judging.simulator.running import SimulatedJudge
from tests.judging.batches import SWIFT, batch_run, batches_of, carry
from tests.judging.factory import assert_settled

pytestmark = pytest.mark.django_db(transaction=True)
LOST = CallFailed(FailureKind.TIMEOUT, "no complete answer within 60 s")
REFUSED = CallFailed(FailureKind.RATE_LIMITED, "slow down", status=429)


class Shaky(OpenAIBatchClient):
    """Fails once at each of the named steps, before or after its effect."""

    before: ClassVar[set[str]] = set()
    after: ClassVar[set[str]] = set()
    failure = LOST

    async def _step(self, name, *args, **named):
        if name in self.before:
            self.before.discard(name)
            raise self.failure
        found = await getattr(super(), name)(*args, **named)
        if name in self.after:
            self.after.discard(name)
            raise self.failure
        return found

    async def upload(self, *args):
        return await self._step("upload", *args)

    async def create(self, *args):
        return await self._step("create", *args)

    async def retrieve(self, *args):
        return await self._step("retrieve", *args)

    async def content(self, *args):
        return await self._step("content", *args)


def shaky(*, before=(), after=(), failure=LOST):
    """A client that fails at these steps, whoever opens it."""
    names = {"before": set(before), "after": set(after), "failure": failure}
    return type("OneShaky", (Shaky,), names)


STEPS = ("upload", "create", "retrieve", "content")


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", STEPS)
def test_a_request_that_got_lost_is_made_good(step, when):
    with SimulatedJudge(Options()) as server:
        run = batch_run(server.base_url)
        client = shaky(**{when: [step]})
        assert carry(run, open_batches=client) == RunStatus.DONE
        assert not client.before
        assert not client.after
        stats = server.stats()
    assert_settled(run)
    assert stats["bought"] == stats["distinct"] == 8
    assert stats["batch_steps"]["create"] == 1
    assert len(batches_of(run)) == 1


def test_a_batch_made_unheard_is_found_by_its_key_and_not_made_again():
    with SimulatedJudge(Options(batch_seconds=0.2)) as server:
        run = batch_run(server.base_url)
        client = shaky(after=["create"])
        assert carry(run, open_batches=client, at_most=0) == RunStatus.RUNNING
        (batch,) = batches_of(run)
        assert (batch.state, batch.provider_id) == ("submitting", "")
        assert carry(run) == RunStatus.DONE
        assert server.stats()["batch_steps"]["create"] == 1
    batch.refresh_from_db()
    assert batch.provider_id == "batch_1"
    assert batch.submitted_at == batch.submitting_at


def test_a_batch_that_may_exist_is_looked_for_before_it_is_made_again():
    pace = replace(SWIFT, settle=3600)
    with SimulatedJudge(Options()) as server:
        run = batch_run(server.base_url)
        client = shaky(before=["create"])
        carry(run, open_batches=client, at_most=0, pace=pace)
        for _ in range(3):
            Batch.objects.update(look_after=timezone.now())
            assert carry(run, at_most=0, pace=pace) == RunStatus.RUNNING
        stats = server.stats()["batch_steps"]
        assert stats == {"upload": 1, "list": 3}
        Batch.objects.update(submitting_at=timezone.now() - timedelta(hours=2))
        Batch.objects.update(look_after=timezone.now())
        assert carry(run, pace=pace) == RunStatus.DONE
        assert server.stats()["batch_steps"]["create"] == 1
    assert_settled(run)


def test_a_refusal_made_no_batch_so_it_is_asked_for_again():
    with SimulatedJudge(Options()) as server:
        run = batch_run(server.base_url)
        client = shaky(before=["create"], failure=REFUSED)
        assert carry(run, open_batches=client) == RunStatus.DONE
        assert server.stats()["batch_steps"].get("list") is None
    assert_settled(run)


def test_results_that_are_not_all_there_are_fetched_again():
    class Short(OpenAIBatchClient):
        times = 0

        async def content(self, file_id):
            Short.times += 1
            text = await super().content(file_id)
            return text if Short.times > 1 else text[: len(text) // 2]

    with SimulatedJudge(Options()) as server:
        run = batch_run(server.base_url)
        assert carry(run, open_batches=Short) == RunStatus.DONE
        assert server.stats()["bought"] == 8
    assert Short.times == 2
    assert_settled(run)


def test_results_read_twice_are_stored_once():
    with SimulatedJudge(Options()) as server:
        run = batch_run(server.base_url)
        real = batch_rows.end
        batch_rows.end = broken
        try:
            assert carry(run) == RunStatus.DONE
        finally:
            batch_rows.end = real
        (batch,) = batches_of(run)
        assert batch.state == BatchState.SUBMITTED, "killed before its end"
        assert Reply.objects.filter(call__run=run).count() == 8
        Batch.objects.update(driver_until=None, look_after=timezone.now())
        assert carry(run) == RunStatus.DONE
    (batch,) = batches_of(run)
    assert (batch.state, batch.answered, batch.unsent) == ("ended", 8, 0)
    assert_settled(run)


def broken(**_):
    raise RuntimeError("killed")


def test_an_outage_stops_the_run_and_resuming_goes_on_where_it_was():
    with SimulatedJudge(Options(batch_seconds=0.3)) as server:
        run = batch_run(server.base_url)
        assert carry(run, at_most=0) == RunStatus.RUNNING

    assert carry(run) == RunStatus.FAILED
    run.refresh_from_db()
    assert "does not answer" in run.failure
    (batch,) = batches_of(run)
    assert batch.state == BatchState.SUBMITTED
    assert not run.calls.exclude(owner=batch.key).exists()


def test_a_paused_run_sends_nothing_more_and_keeps_what_comes():
    with SimulatedJudge(Options(batch_seconds=0.2)) as server:
        run = batch_run(server.base_url, cases=8)
        assert carry(run, at_most=0, pace=replace(SWIFT, most=16)) == RunStatus.RUNNING
        pause(run=run, by=None, now=timezone.now())
        assert carry(run) == RunStatus.DONE, "all were under way"
        other = batch_run(server.base_url, cases=2, name="other")
        pause(run=other, by=None, now=timezone.now())
        assert carry(other) == RunStatus.PAUSED
        assert not batches_of(other)
        resume(run=other, by=None, now=timezone.now())
        assert carry(other) == RunStatus.DONE
    assert_settled(run)


def test_stopping_a_run_cancels_its_batch_and_keeps_what_was_answered():
    with SimulatedJudge(Options(batch_seconds=3600, batch_done=0.25)) as server:
        run = batch_run(server.base_url, cases=8)
        assert carry(run, at_most=0) == RunStatus.RUNNING
        stop(run=run, by=None, now=timezone.now(), reason="enough")
        assert carry(run) == RunStatus.STOPPED
        stats = server.stats()
    assert stats["batch_steps"]["cancel"] == 1
    assert stats["bought"] == Reply.objects.filter(call__run=run).count() == 4
    assert set(run.calls.values_list("state", flat=True)) == {"done", "pending"}
    (batch,) = batches_of(run)
    assert (batch.provider_status, batch.answered, batch.unsent) == ("cancelled", 4, 12)


def test_two_that_look_after_one_run_send_each_call_once():
    with SimulatedJudge(Options(batch_seconds=0.2)) as server:
        run = batch_run(server.base_url, cases=10)
        assert carry(run, at_most=0) == RunStatus.RUNNING
        (batch,) = batches_of(run)
        taken = batch_rows.take_wheel(
            batch_id=batch.pk,
            driver=batch.key,
            now=timezone.now() + timedelta(seconds=5),
        )
        assert taken is not None
        assert not batch_rows.take_wheel(
            batch_id=batch.pk, driver=uuid.uuid4(), now=timezone.now()
        )
        assert not batch_rows.note(batch=batch, by=uuid.uuid4(), detail="x")
        assert carry(run, at_most=0) == RunStatus.RUNNING
        assert server.stats()["batch_steps"]["create"] == 1
