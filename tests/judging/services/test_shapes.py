"""Every malformed reply ends as invalid, with its reason, in rows and in the report."""

from __future__ import annotations

import json

import pytest

from calibration.services.reporting import make_report
from judging.domain.formats.registry import get_format
from judging.models import Reply, RunStatus
from judging.simulator.options import Options, Shape
from judging.simulator.running import SimulatedJudge
from tests.annotation.factory import START
from tests.judging.factory import (
    assert_settled,
    attempts_of,
    freeze_gold,
    make_run,
    work,
)

pytestmark = pytest.mark.django_db(transaction=True)

# What a provider says about one call, though it works.
REASONS = {
    Shape.UNPARSED: "unparsed",
    Shape.OFF_MENU: "off_menu",
    Shape.CONFLICTING: "conflicting",
    Shape.TRUNCATED: "truncated",
    Shape.TRUNCATED_EMPTY: "truncated",
    Shape.REFUSED: "refused",
    Shape.REFUSAL_FIELD: "refused",
    Shape.FILTERED: "filtered",
    Shape.BLOCKED: "filtered",
    Shape.EMPTY: "empty",
    Shape.NULL_CONTENT: "empty",
    Shape.NO_CHOICES: "empty",
    Shape.NULL_CHOICES: "empty",
    Shape.TOOL_CALL: "empty",
    Shape.REASONING_ONLY: "empty",
}
# What may be a provider that is broken as a whole.
BROKEN = (
    Shape.HTML,
    Shape.JSON_LIST,
    Shape.JSON_TEXT,
    Shape.BROKEN_JSON,
    Shape.ERROR_BODY,
)
# Where the notation plays a part, all of them are tried.
CASES = [(shape, "five_token") for shape in REASONS] + [
    (shape, menu)
    for shape in (Shape.UNPARSED, Shape.OFF_MENU, Shape.CONFLICTING, Shape.REFUSED)
    for menu in ("json_winner", "choice_123")
]


def reported(run):
    gold = freeze_gold(run.gold_set)
    report = make_report(run=run, gold=gold, by=None, now=START)
    return json.loads(report.payload)["splits"]["dev"]


def test_every_shape_is_expected_somewhere():
    assert {*REASONS, *BROKEN, Shape.NO_FINISH_REASON} == set(Shape)


@pytest.mark.parametrize(("shape", "menu"), CASES)
def test_a_malformed_reply_is_invalid_with_its_reason(shape, menu):
    reason = REASONS[shape]
    with SimulatedJudge(Options(shapes={shape: 1.0})) as server:
        run = make_run(
            server.base_url,
            cases=2,
            verdict_format=menu,
            parser_version=get_format(menu).parser_version,
        )
        assert work(run) == RunStatus.DONE
        stats = server.stats()
    assert_settled(run)
    replies = Reply.objects.filter(call__run=run)
    assert [(r.choice, r.invalid_reason) for r in replies] == [("", reason)] * 4
    assert stats["received"] == 4, "an answer is not asked for again"
    block = reported(run)
    assert block["confusion"]["baseline"] == {
        "baseline": 0,
        "candidate": 0,
        "tie": 0,
        "abstain": 0,
        "invalid": 2,
    }
    assert block["ties"] == {"stated": 0, "transition": 0, "flip": 0}
    assert block["invalid_rate"]["numerator"] == 2
    assert block["position"]["invalid"] == 2


@pytest.mark.parametrize("shape", BROKEN)
def test_a_call_that_never_gets_a_chat_reply_is_given_up_while_others_do(shape):
    with SimulatedJudge(Options(shapes={shape: 0.15}, latency=0.02)) as server:
        run = make_run(server.base_url, cases=8, concurrency=3)
        assert work(run) == RunStatus.DONE
        planted = server.stats()["shapes"]
    assert_settled(run)
    broken = Reply.objects.filter(call__run=run).exclude(invalid_reason="")
    assert {r.invalid_reason for r in broken} == {"provider_error"}
    tries = [r.call.tries for r in broken]
    assert sum(tries) == planted[shape] > 0
    # Each was tried four times, and the last ones once more after a good call.
    assert set(tries) <= {4, 5}
    block = reported(run)
    judged = block["confusion"]["baseline"]
    assert judged["invalid"] == block["position"]["invalid"] > 0
    assert judged["invalid"] == len({r.call.pair_id for r in broken})


@pytest.mark.parametrize("shape", BROKEN)
def test_where_no_call_gets_a_chat_reply_the_run_stops_and_invents_nothing(shape):
    with SimulatedJudge(Options(shapes={shape: 1.0})) as server:
        run = make_run(server.base_url, cases=4)
        assert work(run) == RunStatus.FAILED
        run.refresh_from_db()
        assert "does not answer" in run.failure
        assert not Reply.objects.filter(call__run=run).exists()
        assert run.calls.unanswered().filter(state="pending").count() == 8
        server.options = Options()
        assert work(run) == RunStatus.DONE
    assert_settled(run)
    assert not Reply.objects.filter(call__run=run).exclude(invalid_reason="").exists()


def test_a_verdict_without_a_finish_reason_is_kept_and_flagged():
    with SimulatedJudge(Options(shapes={Shape.NO_FINISH_REASON: 1.0})) as server:
        run = make_run(server.base_url, cases=1)
        work(run)
    for reply in Reply.objects.filter(call__run=run):
        assert reply.choice
        assert reply.flags == ["no_finish_reason"]


def test_a_reply_and_its_attempt_keep_what_the_provider_said():
    with SimulatedJudge(Options()) as server:
        run = make_run(server.base_url, cases=1)
        work(run)
    replies = {r.call_id: r for r in Reply.objects.filter(call__run=run)}
    for attempt in attempts_of(run):
        reply, pair = replies[attempt.call_id], attempt.call.pair
        assert attempt.status == 200
        assert json.loads(attempt.body)["choices"][0]["message"]["content"] == reply.raw
        assert attempt.order == attempt.call.order
        for row in (attempt, reply):
            assert row.served_model == "simulated-judge"
            assert row.fingerprint == "simulated"
            assert row.finish_reason == "stop"
            assert row.usage["completion"] > 0
            assert len(row.request_hash) == 64
            assert row.baseline_sha256 == pair.baseline.sha256
            assert row.candidate_sha256 == pair.candidate.sha256
    assert len({r.request_hash for r in replies.values()}) == 2
