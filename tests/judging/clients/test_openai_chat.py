"""The real client against the real simulated server and against broken ones."""

from __future__ import annotations

import asyncio
import time

import pytest

from judging.clients.openai_chat import OpenAIChatClient
from judging.domain.ports import (
    CallFailed,
    Endpoint,
    FailureKind,
    RawReply,
)
from judging.domain.terms import InvalidReason
from judging.simulator.options import Fault, Options, Shape
from judging.simulator.running import SimulatedJudge
from tests.judging.clients.asking import (
    PROMPT,
    ask,
    ask_all,
    raw_server,
    request,
)


class TestReplies:
    def test_a_reply_comes_back_labelled_as_simulated(self, plant):
        found = ask(plant(latency=0.05))
        assert isinstance(found, RawReply)
        assert found.text.endswith("[[A=B]]")
        assert found.served_model == "simulated-judge"
        assert found.fingerprint == "simulated"
        assert found.finish_reason == "stop"
        assert found.usage.prompt > 0
        assert found.latency_ms >= 50

    @pytest.mark.parametrize(
        ("shape", "fields"),
        [
            (Shape.UNPARSED, {"finish_reason": "stop"}),
            (Shape.TRUNCATED, {"finish_reason": "length"}),
            (Shape.TRUNCATED_EMPTY, {"finish_reason": "length", "text": ""}),
            (Shape.REFUSAL_FIELD, {"text": None}),
            (Shape.FILTERED, {"finish_reason": "content_filter", "text": ""}),
            (Shape.EMPTY, {"finish_reason": "stop", "text": ""}),
            (Shape.NULL_CONTENT, {"finish_reason": "stop", "text": None}),
            (Shape.NO_CHOICES, {"finish_reason": None, "text": None}),
            (Shape.NULL_CHOICES, {"finish_reason": None, "text": None}),
            (Shape.TOOL_CALL, {"tool_calls": True, "text": None}),
            (Shape.NO_FINISH_REASON, {"finish_reason": None}),
            (Shape.REASONING_ONLY, {"text": ""}),
        ],
    )
    def test_an_odd_reply_is_recorded_as_it_is(self, plant, shape, fields):
        found = ask(plant(shapes={shape: 1}))
        assert isinstance(found, RawReply)
        assert {name: getattr(found, name) for name in fields} == fields
        assert found.usage.prompt > 0
        assert found.body

    def test_a_refusal_and_reasoning_are_kept_apart(self, plant):
        assert "sorry" in ask(plant(shapes={Shape.REFUSAL_FIELD: 1})).refusal
        assert "[[A=B]]" in ask(plant(shapes={Shape.REASONING_ONLY: 1})).reasoning

    @pytest.mark.parametrize(
        ("shape", "kind"),
        [
            (Shape.HTML, FailureKind.BAD_BODY),
            (Shape.JSON_LIST, FailureKind.BAD_BODY),
            (Shape.JSON_TEXT, FailureKind.BAD_BODY),
            (Shape.BROKEN_JSON, FailureKind.BAD_BODY),
            (Shape.ERROR_BODY, FailureKind.SERVER),
            (Shape.BLOCKED, FailureKind.FILTERED),
        ],
    )
    def test_what_is_no_reply_fails_as_what_it_is(self, plant, shape, kind):
        found = ask(plant(shapes={shape: 1}))
        assert isinstance(found, CallFailed)
        assert found.kind is kind
        assert found.body

    def test_the_body_is_sent_as_it_is(self, plant, server):
        asked = request(temperature=0, max_completion_tokens=7, custom={"a": [1]})
        before = server.stats()["by_hash"].get(asked.request_hash, 0)
        assert isinstance(ask(plant(), asked), RawReply)
        assert server.stats()["by_hash"][asked.request_hash] == before + 1


class TestFailures:
    @pytest.mark.parametrize(
        ("fault", "kind"),
        [
            (Fault.RESET, FailureKind.CONNECTION),
            (Fault.CUT_SHORT, FailureKind.CONNECTION),
            (Fault.SERVER_ERROR, FailureKind.SERVER),
            (Fault.RATE_LIMITED, FailureKind.RATE_LIMITED),
        ],
    )
    def test_a_passing_fault_is_to_be_retried(self, plant, fault, kind):
        found = ask(plant(faults={fault: 1}))
        assert isinstance(found, CallFailed)
        assert (found.kind, found.retry) == (kind, True)

    @pytest.mark.parametrize("fault", [Fault.HANG, Fault.DRIP])
    def test_a_hung_or_dripping_server_hits_the_total_deadline(self, plant, fault):
        started = time.monotonic()
        found = ask(plant(faults={fault: 1}), request(timeout=0.6))
        assert isinstance(found, CallFailed)
        assert (found.kind, found.retry) == (FailureKind.TIMEOUT, True)
        assert found.exhausted_reason is InvalidReason.TIMEOUT
        assert 0.5 < time.monotonic() - started < 3
        assert found.latency_ms >= 600

    def test_one_hung_call_does_not_hold_the_rest(self, plant):
        options = Options(faults={Fault.HANG: 0.5})
        server = plant(faults=options.faults)
        asked = [request(f"{PROMPT} {n}", timeout=1.0) for n in range(20)]
        found = ask_all(Endpoint(server.base_url), *asked)
        replies = [each for each in found if isinstance(each, RawReply)]
        assert 0 < len(replies) < len(asked)
        assert all(each.latency_ms < 900 for each in replies)

    def test_the_wait_that_is_asked_for_is_passed_on(self, plant):
        server = plant(faults={Fault.RATE_LIMITED: 1}, retry_after=2.5)
        assert ask(server).retry_after == 2.5

    def test_a_real_rate_limit_answers_429(self, plant):
        server = plant(rate_limit=5)
        found = ask_all(Endpoint(server.base_url), *[request()] * 8)
        limited = [each for each in found if isinstance(each, CallFailed)]
        assert {each.kind for each in limited} == {FailureKind.RATE_LIMITED}
        assert 2 <= len(limited) <= 3

    @pytest.mark.parametrize(
        ("options", "kind"),
        [
            ({"api_key": "another key"}, FailureKind.UNAUTHORISED),
            ({"only_model": "one"}, FailureKind.MODEL_NOT_FOUND),
            ({"quota": 0}, FailureKind.QUOTA),
            ({"refuses_params": ("seed",)}, FailureKind.MISCONFIGURED),
        ],
    )
    def test_a_wrong_configuration_stops_the_run(self, plant, options, kind):
        found = ask(plant(**options), request(seed=1))
        assert isinstance(found, CallFailed)
        assert (found.kind, found.stop_run) == (kind, True)

    def test_a_prompt_that_does_not_fit_is_final(self, plant):
        assert ask(plant(context_chars=20)).final_reason is InvalidReason.TOO_LONG

    def test_nobody_listening_is_unreachable(self):
        with SimulatedJudge() as gone:
            base_url = gone.base_url
        found = ask_all(Endpoint(base_url), request())[0]
        assert (found.kind, found.retry) == (FailureKind.UNREACHABLE, True)

    @pytest.mark.parametrize("base_url", ["nonsense", "ftp://127.0.0.1/v1", "http://"])
    def test_an_unusable_address_stops_the_run(self, base_url):
        async def main():
            client = OpenAIChatClient(Endpoint(base_url), environ={})
            try:
                await client.ask(request(timeout=5))
            finally:
                await client.close()

        with pytest.raises(CallFailed) as found:
            asyncio.run(main())
        assert found.value.stop_run, found.value

    def test_something_that_is_no_http_is_a_broken_connection(self):
        with raw_server(b"SSH-2.0-OpenSSH_9.6\r\n\r\n") as (endpoint, _):
            found = ask_all(endpoint, request())[0]
        assert (found.kind, found.retry) == (FailureKind.CONNECTION, True)

    def test_a_redirect_is_not_followed(self, server):
        target = f"{server.base_url}/chat/completions".encode()
        head = b"HTTP/1.1 307 Moved\r\nContent-Length: 0\r\nLocation: "
        with raw_server(head + target + b"\r\n\r\n") as (endpoint, _):
            found = ask_all(endpoint, request())[0]
        assert (found.kind, found.status) == (FailureKind.MISCONFIGURED, 307)
