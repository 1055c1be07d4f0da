"""Runs in batches: the same rows as live ones, whatever becomes of a batch."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from judging.models import Attempt, Reply, RunStatus
from judging.services.starting import RunOptions, start_run
from judging.simulator.options import BatchFate, Fault, Options, Shape
from judging.simulator.running import SimulatedJudge
from tests.annotation.factory import START, make_set
from tests.judging.batches import SWIFT, batch_run, batches_of, carry
from tests.judging.factory import assert_settled, make_run, work

pytestmark = pytest.mark.django_db(transaction=True)


def said(run):
    """What each call was answered, whichever way it was asked."""
    return {
        (r.call.pair_id, r.call.order): (
            r.choice,
            r.strength,
            r.invalid_reason,
            r.raw,
            r.request_hash,
            r.usage,
            r.served_model,
        )
        for r in Reply.objects.filter(call__run=run).select_related("call")
    }


def test_a_batch_gives_the_same_rows_as_live_calls():
    shapes = {Shape.UNPARSED: 0.1, Shape.REFUSED: 0.1, Shape.BLOCKED: 0.1}
    gold_set = make_set(20)
    with SimulatedJudge(Options(seed=4, shapes=shapes)) as server:
        live = make_run(server.base_url, gold_set=gold_set)
        assert work(live) == RunStatus.DONE
        options = RunOptions(batches=True, reuse=False)
        run = batch_run(
            server.base_url, gold_set=gold_set, name="other", options=options
        )
        assert carry(run) == RunStatus.DONE
    assert_settled(run)
    assert said(run) == said(live)
    assert {row[2] for row in said(run).values()} >= {"", "unparsed", "filtered"}
    (batch,) = batches_of(run)
    filtered = sum(row[2] == "filtered" for row in said(run).values())
    assert (batch.requests, batch.failed) == (40, filtered)
    assert batch.answered == 40 - filtered
    assert batch.provider_status == "completed"
    attempts = Attempt.objects.filter(call__run=run)
    assert set(attempts.values_list("owner", flat=True)) == {batch.key}
    assert set(attempts.values_list("latency_ms", flat=True)) == {None}
    assert attempts.filter(body="").count() == 0


@pytest.mark.parametrize("fate", [BatchFate.EXPIRED, BatchFate.CANCELLED])
def test_what_was_not_carried_out_is_sent_again_and_nothing_else(fate):
    options = Options(batch_fates=(fate, fate), batch_done=0.5)
    with SimulatedJudge(options) as server:
        run = batch_run(server.base_url, cases=10)
        assert carry(run) == RunStatus.DONE
        stats = server.stats()
    assert_settled(run)
    assert stats["bought"] == stats["distinct"] == 20
    found = [(b.requests, b.answered, b.failed, b.unsent) for b in batches_of(run)]
    assert found == [(20, 10, 0, 10), (10, 5, 0, 5), (5, 5, 0, 0)]
    assert Attempt.objects.filter(call__run=run).count() == 20
    assert batches_of(run)[0].detail


def test_a_refused_file_is_sent_anew_and_the_third_refusal_stops_the_run():
    options = Options(batch_fates=(BatchFate.FAILED,) * 3)
    with SimulatedJudge(options) as server:
        run = batch_run(server.base_url)
        assert carry(run) == RunStatus.FAILED
        run.refresh_from_db()
        assert run.failure.startswith("3 batches in a row brought no reply.")
        assert "could not be parsed" in run.failure
        assert not Reply.objects.filter(call__run=run).exists()
        assert set(run.calls.values_list("state", flat=True)) == {"pending"}
        run.status = RunStatus.PENDING
        run.save()
        assert carry(run) == RunStatus.DONE
    assert_settled(run)
    assert [b.answered for b in batches_of(run)] == [0, 0, 0, 8]


def test_where_the_queue_is_full_fewer_are_sent_later():
    options = Options(batch_fates=(BatchFate.QUEUE_FULL, BatchFate.QUEUE_FULL))
    with SimulatedJudge(options) as server:
        run = batch_run(server.base_url, cases=8)
        assert carry(run) == RunStatus.DONE
    assert_settled(run)
    found = [(b.requests, b.too_many) for b in batches_of(run)]
    assert found[:5] == [(16, True), (8, True), (4, False), (4, False), (4, False)]
    assert sum(n for n, too_many in found if not too_many) == 16


def test_lines_that_failed_are_sent_again_and_each_attempt_is_kept():
    faults = {Fault.SERVER_ERROR: 0.2, Fault.RATE_LIMITED: 0.2}
    with SimulatedJudge(Options(seed=3, faults=faults)) as server:
        run = batch_run(server.base_url, cases=20)
        assert carry(run) == RunStatus.DONE
        stats = server.stats()
    assert_settled(run)
    assert stats["bought"] == stats["distinct"] == 40
    errors = Counter(
        Attempt.objects.filter(call__run=run)
        .exclude(error="")
        .values_list("error", flat=True)
    )
    assert errors == {
        "server": stats["faults"]["server_error"],
        "rate_limited": stats["faults"]["rate_limited"],
    }
    assert not Reply.objects.filter(call__run=run).exclude(invalid_reason="").exists()


def test_a_call_that_always_fails_is_given_up_only_where_others_are_answered():
    pace = replace(SWIFT, tries=2, barren=5)
    with SimulatedJudge(Options(faults={Fault.SERVER_ERROR: 1.0})) as server:
        run = batch_run(server.base_url, cases=2)
        assert carry(run, pace=pace) == RunStatus.FAILED
        assert not Reply.objects.filter(call__run=run).exists()
        server.options = Options(faults={Fault.SERVER_ERROR: 0.5})
        run.status = RunStatus.PENDING
        run.save()
        assert carry(run, pace=pace) == RunStatus.DONE
    assert_settled(run)
    reasons = Reply.objects.filter(call__run=run).values_list("invalid_reason")
    assert {reason for (reason,) in reasons} == {"", "provider_error"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Options(api_key="right"), "Incorrect API key"),
        (Options(only_model="other"), "does not exist"),
        (Options(quota=3), "quota"),
        (Options(refuses_params=("temperature",)), "temperature"),
    ],
)
def test_what_would_befall_every_call_stops_the_run(options, words):
    with SimulatedJudge(options) as server:
        run = batch_run(server.base_url, params={"temperature": 0.0, "max_tokens": 50})
        assert carry(run) == RunStatus.FAILED
        run.refresh_from_db()
        assert words in run.failure
        before = Reply.objects.filter(call__run=run).count()
        assert before == (3 if options.quota else 0)
        server.options = Options()
        run.status = RunStatus.PENDING
        run.save()
        assert carry(run) == RunStatus.DONE
    assert_settled(run)


def test_many_calls_make_several_batches():
    with SimulatedJudge(Options(batch_seconds=0.1)) as server:
        run = batch_run(server.base_url, cases=12)
        assert carry(run, pace=replace(SWIFT, most=10)) == RunStatus.DONE
        assert server.stats()["batch_steps"]["create"] == 3
    assert_settled(run)
    assert [b.requests for b in batches_of(run)] == [10, 10, 4]


def test_replies_of_earlier_runs_are_copied_and_not_sent():
    gold_set = make_set(6)
    with SimulatedJudge(Options()) as server:
        first = batch_run(server.base_url, gold_set=gold_set)
        assert carry(first) == RunStatus.DONE
        second = start_run(
            config=first.config,
            gold_set=gold_set,
            concurrency=1,
            by=None,
            now=START,
            options=RunOptions(batches=True),
        )
        assert carry(second) == RunStatus.DONE
        assert server.stats()["bought"] == 12
    assert not batches_of(second)
    assert said(second) == said(first)


def test_a_prompt_that_does_not_fit_is_not_sent():
    with SimulatedJudge(Options()) as server:
        run = batch_run(server.base_url, cases=2, input_limit=10)
        assert carry(run) == RunStatus.DONE
        assert server.stats()["batch_steps"] == {}
    reasons = set(
        Reply.objects.filter(call__run=run).values_list("invalid_reason", flat=True)
    )
    assert reasons == {"too_long"}
