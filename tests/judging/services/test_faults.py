"""Trouble on the way: nothing lost, nothing invented, nothing answered twice."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest

from judging.domain.ports import RawReply
from judging.models import Attempt, Reply, RunStatus
from judging.services.pace import Pace
from judging.services.working import work_on
from judging.simulator.options import Fault, Options, Shape
from judging.simulator.running import SimulatedJudge
from tests.annotation.factory import add_case, make_set
from tests.judging.factory import QUICK, assert_settled, attempts_of, make_run, work

pytestmark = pytest.mark.django_db(transaction=True)
MANY_TRIES = Pace(
    tries=12, backoff=0.005, ceiling=0.02, longest_wait=20.0, patience=0.0
)


def replies(run):
    return Reply.objects.filter(call__run=run)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault.RESET, "connection"),
        (Fault.SERVER_ERROR, "server"),
        (Fault.CUT_SHORT, "connection"),
        (Fault.HANG, "timeout"),
        (Fault.DRIP, "timeout"),
    ],
)
def test_a_failed_attempt_is_kept_and_the_call_asked_again(fault, error):
    options = Options(seed=3, faults={fault: 0.4}, latency=0.01)
    with SimulatedJudge(options) as server:
        run = make_run(server.base_url, cases=8, concurrency=8)
        assert work(run, pace=MANY_TRIES, call_seconds=0.4) == RunStatus.DONE
        stats = server.stats()
    assert_settled(run)
    assert not replies(run).exclude(invalid_reason="").exists()
    failed = [a for a in attempts_of(run) if a.error]
    assert len(failed) == stats["faults"][fault] > 0
    assert {a.error for a in failed} == {error}
    assert len(attempts_of(run)) == stats["received"]
    assert stats["bought"] == stats["distinct"] == 16


def test_all_faults_at_once_lose_and_invent_nothing():
    shapes = dict.fromkeys(
        (Shape.UNPARSED, Shape.OFF_MENU, Shape.TRUNCATED, Shape.REFUSED, Shape.EMPTY),
        0.04,
    )
    faults = dict.fromkeys(
        (Fault.RESET, Fault.SERVER_ERROR, Fault.RATE_LIMITED, Fault.HANG), 0.06
    )
    options = Options(
        seed=5, shapes=shapes, faults=faults, retry_after=0.05, latency=0.01
    )
    with SimulatedJudge(options) as server:
        run = make_run(server.base_url, cases=60, concurrency=16)
        assert work(run, pace=MANY_TRIES, call_seconds=0.5) == RunStatus.DONE
        stats = server.stats()
    assert_settled(run)
    assert stats["bought"] == stats["distinct"] == 120
    planted = {name: n for name, n in stats["shapes"].items() if name != "verdict"}
    found = Counter(
        replies(run).exclude(invalid_reason="").values_list("invalid_reason", flat=True)
    )
    assert dict(found) == planted, "each malformed reply, and no other, is invalid"
    assert stats["most_in_flight"] <= 16


def test_a_wait_that_the_provider_asks_for_is_kept_by_all_calls():
    options = Options(seed=1, faults={Fault.RATE_LIMITED: 0.3}, retry_after=0.4)
    with SimulatedJudge(options) as server:
        run = make_run(server.base_url, cases=6, concurrency=1)
        assert work(run, pace=QUICK) == RunStatus.DONE
    assert_settled(run)
    refused = [a for a in attempts_of(run) if a.error == "rate_limited"]
    assert refused
    times = sorted(a.sent_at for a in attempts_of(run))
    for attempt in refused:
        later = [t for t in times if t > attempt.sent_at]
        assert min(later) - attempt.sent_at >= timedelta(seconds=0.38)


def test_refusals_do_not_use_up_the_tries_of_a_call():
    options = Options(seed=2, faults={Fault.RATE_LIMITED: 0.85}, retry_after=0.01)
    with SimulatedJudge(options) as server:
        run = make_run(server.base_url, cases=3, concurrency=2)
        assert work(run, pace=QUICK) == RunStatus.DONE
    assert_settled(run)
    assert not replies(run).exclude(invalid_reason="").exists()
    assert max(run.calls.values_list("tries", flat=True)) > QUICK.tries


def test_a_wait_of_hours_stops_the_run():
    options = Options(faults={Fault.RATE_LIMITED: 1.0}, retry_after=7200)
    with SimulatedJudge(options) as server:
        run = make_run(server.base_url)
        assert work(run) == RunStatus.FAILED
    run.refresh_from_db()
    assert "asks to wait 7200 s" in run.failure
    assert not replies(run).exists()


def test_a_provider_that_only_refuses_stops_the_run():
    options = Options(faults={Fault.RATE_LIMITED: 1.0}, retry_after=0)
    pace = Pace(tries=2, backoff=0.02, ceiling=0.05, longest_wait=0.3, patience=0.0)
    with SimulatedJudge(options) as server:
        run = make_run(server.base_url)
        assert work(run, pace=pace) == RunStatus.FAILED
    run.refresh_from_db()
    assert "refuses every call" in run.failure


@pytest.mark.parametrize(
    "fault", [Fault.SERVER_ERROR, Fault.RESET, Fault.HANG, Fault.CUT_SHORT]
)
def test_an_outage_stops_the_run_and_resuming_completes_it(fault):
    with SimulatedJudge(Options(faults={fault: 1.0})) as server:
        run = make_run(server.base_url, cases=6, concurrency=4)
        assert work(run, call_seconds=0.2) == RunStatus.FAILED
        run.refresh_from_db()
        assert "does not answer" in run.failure
        assert not replies(run).exists()
        assert set(run.calls.values_list("state", flat=True)) == {"pending"}
        before = Attempt.objects.count()
        assert before >= QUICK.tries
        server.options = Options()
        assert work(run) == RunStatus.DONE
    assert_settled(run)
    run.refresh_from_db()
    assert run.failure == ""
    assert Attempt.objects.count() == before + 12


def test_an_outage_in_the_middle_turns_no_call_into_a_verdict():
    # Slow enough that what is said of its progress comes before its end.
    with SimulatedJudge(Options(latency=0.2)) as server:
        run = make_run(server.base_url, cases=10, concurrency=2)

        def break_down(progress):
            if progress.answered >= 5:
                server.options = Options(faults={Fault.SERVER_ERROR: 1.0})

        assert work(run, on_progress=break_down) == RunStatus.FAILED
        assert not replies(run).exclude(invalid_reason="").exists()
        assert 5 <= replies(run).count() < 20
        server.options = Options()
        assert work(run) == RunStatus.DONE
        assert server.stats()["bought"] == 20
    assert_settled(run)


def test_nobody_there_stops_the_run():
    run = make_run("http://127.0.0.1:9/v1", cases=1)
    assert work(run) == RunStatus.FAILED
    run.refresh_from_db()
    assert "does not answer" in run.failure
    assert {a.error for a in attempts_of(run)} == {"unreachable"}


@pytest.mark.parametrize(
    ("options", "spec", "error", "word"),
    [
        (Options(api_key="right"), {}, "unauthorised", "API key"),
        (Options(only_model="other"), {}, "model_not_found", "does not exist"),
        (Options(quota=3), {}, "quota", "quota"),
        (
            Options(refuses_params=("temperature",)),
            {},
            "misconfigured",
            "Unsupported parameter",
        ),
    ],
)
def test_what_no_call_can_get_past_stops_the_run_with_its_reason(
    options, spec, error, word
):
    with SimulatedJudge(options) as server:
        run = make_run(server.base_url, concurrency=1, **spec)
        assert work(run) == RunStatus.FAILED
        run.refresh_from_db()
        assert word in run.failure
        last = attempts_of(run)[-1]
        assert last.error == error
        assert server.stats()["received"] <= (options.quota or 0) + 1
        assert not replies(run).exclude(invalid_reason="").exists()
        server.options = Options()
        assert work(run) == RunStatus.DONE
        assert server.stats()["bought"] == 8, "what was bought before is kept"
    assert_settled(run)


def test_a_call_the_provider_finds_too_long_is_too_long_and_the_rest_goes_on():
    gold_set = make_set(0)
    systems = list(gold_set.systems.all())
    add_case(gold_set, systems, "short-0001", ["Reply one.", "Reply two."])
    add_case(gold_set, systems, "long-0001", ["word " * 4000, "Reply two."])
    with SimulatedJudge(Options(context_chars=15_000)) as server:
        run = make_run(server.base_url, gold_set=gold_set)
        assert work(run) == RunStatus.DONE
    assert_settled(run)
    found = replies(run).values_list("call__pair__case__external_id", "invalid_reason")
    assert Counter(found) == {("short-0001", ""): 2, ("long-0001", "too_long"): 2}


@pytest.mark.parametrize("status", ["served_model", "fingerprint"])
def test_nul_and_lone_surrogates_from_a_provider_can_be_stored(status):
    odd = "a\x00b\ud800c"

    class Odd:
        def __init__(self, endpoint):
            pass

        async def ask(self, request):
            return RawReply(
                text=f"[[A>B]]{odd}\n[[A>B]]",
                body=odd,
                reasoning=odd,
                finish_reason="stop" if status == "served_model" else odd,
                request_id=odd,
                **{status: odd * 100},
            )

        async def close(self):
            pass

    run = make_run("http://127.0.0.1:9/v1", cases=1)
    assert work_on(run, open_client=Odd) == RunStatus.DONE
    assert_settled(run)
