"""Whoever watches a run in batches is told what it waits for."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judging.models import Batch, BatchState, RunStatus
from judging.services.batch_waits import waits_for
from judging.simulator.running import SimulatedJudge
from tests.annotation.factory import START
from tests.judging.batches import batch_run, carry
from tests.judging.factory import ADDRESS

pytestmark = pytest.mark.django_db(transaction=True)


def batch_of(run, state=BatchState.SUBMITTED, **more):
    more.setdefault("requests", 4)
    return Batch.objects.create(
        run=run,
        state=state,
        provider_id="batch_1",
        created_at=START,
        submitting_at=START,
        look_after=START + timedelta(minutes=5),
        **more,
    )


def test_a_run_says_so_once_and_nothing_when_it_has_ended():
    told = []
    with SimulatedJudge() as server:
        run = batch_run(server.base_url)
        found = carry(run, on_progress=lambda now: told.append(now.trouble))
    assert found == RunStatus.DONE
    waits = [words for words in told if words]
    assert waits[0].startswith("Waiting for a batch of 8 calls at the provider")
    assert len(waits) == len(set(waits))
    assert told[-1] == "", "nothing is waited for any more"


def test_batches_at_the_provider():
    run = batch_run(ADDRESS)
    assert waits_for(run.pk) == "Waiting until a batch is sent"
    batch_of(run, provider_status="in_progress")
    words = "Waiting for a batch of 4 calls at the provider (in_progress)"
    assert waits_for(run.pk) == words
    batch_of(run, provider_status="validating", requests=3)
    words = "Waiting for 2 batches of 7 calls at the provider (in_progress, validating)"
    assert waits_for(run.pk) == words


def test_a_provider_that_does_not_answer_about_one():
    run = batch_run(ADDRESS)
    batch_of(run)
    batch_of(run, troubles=1, detail="Connection refused")
    words = "Trying again, since a request failed: Connection refused"
    assert waits_for(run.pk) == words


def test_a_batch_that_may_not_be_sent_yet():
    run = batch_run(ADDRESS)
    batch_of(run, BatchState.ENDED, ended_at=START)
    until = f"{START + timedelta(minutes=5):%H:%M:%S}"
    assert (
        waits_for(run.pk) == f"Waiting until {until} UTC before the next batch is sent"
    )
