"""Batches in which a few calls always fail, and those where every call does."""

from __future__ import annotations

from collections import Counter

import pytest

from judging.models import Attempt, Reply, RunStatus
from judging.services.batch_rows import barren
from judging.simulator.options import Options, Shape
from judging.simulator.running import SimulatedJudge
from tests.judging.batches import SWIFT, batch_run, batches_of, carry
from tests.judging.factory import assert_settled

pytestmark = pytest.mark.django_db(transaction=True)


def test_calls_that_always_fail_end_after_as_many_tries_as_live_ones():
    with SimulatedJudge(Options(seed=2, shapes={Shape.HTML: 0.15})) as server:
        run = batch_run(server.base_url, cases=20)
        assert carry(run) == RunStatus.DONE
    assert_settled(run)
    reasons = Counter(
        Reply.objects.filter(call__run=run).values_list("invalid_reason", flat=True)
    )
    assert set(reasons) == {"", "provider_error"}
    assert 1 <= reasons["provider_error"] <= 12
    bad = run.calls.filter(reply__invalid_reason="provider_error")
    assert {call.attempts.count() for call in bad} == {SWIFT.tries}
    assert len(batches_of(run)) == SWIFT.tries
    good = Attempt.objects.filter(call__run=run, error="")
    assert good.count() == reasons[""]
    # Those that were given up with the last batch were not answered by it.
    last = batches_of(run)[-1]
    assert (last.answered, last.failed) == (0, reasons["provider_error"])


def test_where_no_call_is_ever_answered_the_run_stops_and_says_why():
    with SimulatedJudge(Options(shapes={Shape.HTML: 1.0})) as server:
        run = batch_run(server.base_url, cases=3)
        assert carry(run) == RunStatus.FAILED
    run.refresh_from_db()
    assert run.failure.startswith("3 batches in a row brought no reply. ")
    assert "html" in run.failure.lower()
    assert run.failure == run.failure.strip()
    assert not Reply.objects.filter(call__run=run).exists()
    assert Attempt.objects.filter(call__run=run).count() == 18


def test_a_batch_that_a_filter_stopped_was_heard_of():
    with SimulatedJudge(Options(shapes={Shape.BLOCKED: 1.0})) as server:
        run = batch_run(server.base_url, cases=3)
        assert carry(run) == RunStatus.DONE
    assert_settled(run)
    (batch,) = batches_of(run)
    assert (batch.answered, batch.failed) == (0, 6)
    assert barren(run.pk) == 0
