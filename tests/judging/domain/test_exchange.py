from __future__ import annotations

import itertools
import json
import ssl
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.domain.exchange import reply_from_body
from judging.domain.failures import deepest_cause, failure_from_exception
from judging.domain.ports import (
    CallFailed,
    FailureKind,
    JudgeRequest,
    Message,
    RawReply,
    Role,
    Usage,
)
from judging.domain.terms import InvalidReason

NOW = datetime(2025, 1, 1, 12, 0, 0, tzinfo=UTC)


def read(status=200, body="", headers=None):
    text = body if isinstance(body, str) else json.dumps(body)
    return reply_from_body(status, headers or {}, text, now=NOW, latency_ms=7)


def reply(body, **headers) -> RawReply:
    found = read(200, body, headers)
    assert isinstance(found, RawReply), found
    return found


def failure(status, body="", headers=None) -> CallFailed:
    found = read(status, body, headers)
    assert isinstance(found, CallFailed), found
    assert [found.retry, found.stop_run, found.final_reason is not None].count(
        True
    ) == 1
    return found


def completion(message, finish="stop", **rest):
    return {"choices": [{"message": message, "finish_reason": finish}], **rest}


def error(code=None, message="it went wrong", **rest):
    return {"error": {"code": code, "message": message, **rest}}


class TestReplies:
    def test_everything_that_the_provider_says_is_kept(self):
        body = completion(
            {"content": "[[A>B]]", "reasoning_content": "hm"},
            model="served-1",
            system_fingerprint="fp",
            id="chat-1",
            usage={
                "prompt_tokens": 10,
                "completion_tokens": 4,
                "completion_tokens_details": {"reasoning_tokens": 3},
                "prompt_tokens_details": {"cached_tokens": 8},
            },
        )
        found = reply(body, **{"X-Request-Id": "req-1"})
        assert found == RawReply(
            text="[[A>B]]",
            body=json.dumps(body),
            reasoning="hm",
            finish_reason="stop",
            served_model="served-1",
            fingerprint="fp",
            usage=Usage(10, 4, 3, 8),
            request_id="req-1",
            latency_ms=7,
        )

    @pytest.mark.parametrize("choices", [[], None, [None], [{}], [{"message": None}]])
    def test_a_reply_without_a_message_is_a_reply_and_its_usage_is_kept(self, choices):
        found = reply({"choices": choices, "usage": {"prompt_tokens": 5}})
        assert (found.text, found.usage) == (None, Usage(prompt=5))

    def test_null_content_is_no_text(self):
        assert reply(completion({"content": None}, "length")).text is None

    def test_text_parts_are_joined_and_thinking_parts_are_left_out(self):
        parts = [
            {"type": "thinking", "thinking": "[[B>A]]"},
            {"type": "text", "text": "[[A"},
            {"type": "text", "text": ">B]]"},
        ]
        assert reply(completion({"content": parts})).text == "[[A>B]]"

    @pytest.mark.parametrize("name", ["tool_calls", "function_call"])
    def test_tool_calls_are_noticed(self, name):
        found = reply(completion({"content": None, name: [{"id": "1"}]}))
        assert (found.tool_calls, found.text) == (True, None)

    def test_a_refusal_is_kept_apart(self):
        found = reply(completion({"content": None, "refusal": "I can't"}))
        assert (found.refusal, found.text) == ("I can't", None)

    def test_a_missing_finish_reason_is_none(self):
        assert reply(completion({"content": "x"}, None)).finish_reason is None

    def test_characters_that_nothing_can_store_are_replaced(self):
        found = reply('{"choices": [{"message": {"content": "a\\u0000b\\ud800c"}}]}')
        assert found.text == "a\ufffdb\ufffdc"

    def test_a_byte_order_mark_is_no_fault(self):
        assert reply("\ufeff" + json.dumps(completion({"content": "x"}))).text == "x"

    @pytest.mark.parametrize("tokens", [True, -1, 1.5, "3", None, {}])
    def test_a_token_count_that_is_none_is_none(self, tokens):
        usage = {"prompt_tokens": tokens}
        assert reply(completion({"content": "x"}, usage=usage)).usage.prompt is None

    def test_an_empty_error_beside_choices_is_no_error(self):
        assert reply(completion({"content": "x"}, error=None, detail="d")).text == "x"


class TestSuccessThatIsNone:
    @pytest.mark.parametrize(
        "body",
        [
            "<html>sign in</html>",
            "",
            '["left"]',
            '"left"',
            "1",
            "null",
            '{"id": "x", "choi',
            "{}",
            '{"choices": {}}',
            'data: {"choices": []}',
            "[" * 100_000,
        ],
    )
    def test_what_is_no_completion_is_asked_again(self, body):
        assert failure(200, body).kind is FailureKind.BAD_BODY

    @pytest.mark.parametrize(
        ("body", "kind"),
        [
            (error(), FailureKind.SERVER),
            ({"error": "out of memory"}, FailureKind.SERVER),
            (error(429), FailureKind.RATE_LIMITED),
            (error(401), FailureKind.UNAUTHORISED),
            (error("insufficient_quota"), FailureKind.QUOTA),
            ([error(503)], FailureKind.SERVER),
            ({"choices": [{"error": {"code": 502}}]}, FailureKind.SERVER),
            (completion({"content": "[[A>B]]"}, "error"), FailureKind.SERVER),
            ({"object": "error", "message": "no", "code": 400}, FailureKind.REJECTED),
        ],
    )
    def test_an_error_in_a_success_is_an_error(self, body, kind):
        assert failure(200, body).kind is kind

    def test_the_failure_says_what_came_and_how_long_it_took(self):
        found = failure(200, "<html>sign in</html>")
        assert "sign in" in found.detail
        assert (found.body, found.latency_ms) == ("<html>sign in</html>", 7)


class TestErrors:
    @pytest.mark.parametrize(
        ("status", "kind"),
        [
            (408, FailureKind.TIMEOUT),
            (409, FailureKind.SERVER),
            (425, FailureKind.SERVER),
            (429, FailureKind.RATE_LIMITED),
            (500, FailureKind.SERVER),
            (502, FailureKind.SERVER),
            (503, FailureKind.SERVER),
            (504, FailureKind.TIMEOUT),
            (529, FailureKind.SERVER),
        ],
    )
    @pytest.mark.parametrize("body", ["", "<html>", error(), {"detail": "x"}])
    def test_passing_troubles_are_asked_again(self, status, kind, body):
        found = failure(status, body)
        assert (found.kind, found.retry, found.status) == (kind, True, status)

    @pytest.mark.parametrize(
        ("status", "body", "reason"),
        [
            (400, error("content_filter"), InvalidReason.FILTERED),
            (429, error("content_filter"), InvalidReason.FILTERED),
            (
                400,
                error(None, innererror={"code": "ResponsibleAIPolicyViolation"}),
                InvalidReason.FILTERED,
            ),
            (403, error(403, "your input was flagged"), InvalidReason.FILTERED),
            (400, error("context_length_exceeded"), InvalidReason.TOO_LONG),
            (
                400,
                error(400, "This model's maximum context length is 4096", param="x"),
                InvalidReason.TOO_LONG,
            ),
            (
                400,
                error(400, "too big", type="exceed_context_size_error"),
                InvalidReason.TOO_LONG,
            ),
            (413, "", InvalidReason.TOO_LONG),
            (400, error("odd"), InvalidReason.PROVIDER_ERROR),
            (400, error("odd", param="messages[0]"), InvalidReason.PROVIDER_ERROR),
            (418, "", InvalidReason.PROVIDER_ERROR),
            (422, {"detail": [{"loc": ["body"]}]}, InvalidReason.PROVIDER_ERROR),
        ],
    )
    def test_some_are_final_for_the_call(self, status, body, reason):
        found = failure(status, body)
        assert (found.final_reason, found.exhausted_reason) == (reason, reason)

    @pytest.mark.parametrize(
        ("status", "body", "kind"),
        [
            (401, error("invalid_api_key"), FailureKind.UNAUTHORISED),
            (403, "", FailureKind.UNAUTHORISED),
            (404, error("model_not_found"), FailureKind.MODEL_NOT_FOUND),
            (404, "<html>", FailureKind.MODEL_NOT_FOUND),
            (400, error(None, "model `x` not found"), FailureKind.MODEL_NOT_FOUND),
            (429, error("insufficient_quota"), FailureKind.QUOTA),
            (402, {"error": "pay"}, FailureKind.QUOTA),
            (400, error("unsupported_parameter"), FailureKind.MISCONFIGURED),
            (400, error(None, "no", param="temperature"), FailureKind.MISCONFIGURED),
            (
                400,
                error(None, "model does not support response_format"),
                FailureKind.MISCONFIGURED,
            ),
            (
                422,
                {"detail": "Extra inputs are not permitted"},
                FailureKind.MISCONFIGURED,
            ),
            (302, "", FailureKind.MISCONFIGURED),
            (405, "", FailureKind.MISCONFIGURED),
        ],
    )
    def test_some_stop_the_run(self, status, body, kind):
        found = failure(status, body)
        assert (found.kind, found.stop_run) == (kind, True)

    def test_the_message_is_the_providers_own(self):
        found = failure(
            400, error("unsupported_parameter", "use max_completion_tokens")
        )
        assert found.detail == "use max_completion_tokens"

    @given(
        st.integers(200, 599),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(
                        ["error", "choices", "message", "content", "usage", "code"]
                    ),
                    inner,
                    max_size=4,
                )
            ),
            max_leaves=12,
        ),
    )
    def test_no_body_at_all_breaks_it(self, status, body):
        found = read(status, body)
        assert isinstance(found, CallFailed) or status < 300


class TestWaits:
    @pytest.mark.parametrize(
        ("headers", "seconds"),
        [
            ({"Retry-After": "3"}, 3),
            ({"retry-after": "0.5"}, 0.5),
            ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
            ({"Retry-After": "Wed, 01 Jan 2025 12:00:30 GMT"}, 30),
            (
                {
                    "Retry-After": "Wed, 01 Jan 2025 12:00:30 GMT",
                    "Date": "Wed, 01 Jan 2025 12:00:20 GMT",
                },
                10,
            ),
            ({"Retry-After": "Wed, 01 Jan 2020 12:00:30 GMT"}, 0),
            ({"Retry-After": "-4"}, 0),
            ({"Retry-After": "1e12"}, 86400),
            ({"Retry-After": "nan"}, None),
            ({"Retry-After": "soon"}, None),
            ({}, None),
            ({"x-ratelimit-reset-requests": "6m0s"}, 360),
            ({"x-ratelimit-reset-requests": "20ms"}, 0.02),
            ({"x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "9s"}, 1),
            (
                {
                    "x-ratelimit-reset-requests": "1s",
                    "x-ratelimit-reset-tokens": "9s",
                    "x-ratelimit-remaining-tokens": "0",
                },
                9,
            ),
            ({"x-ratelimit-reset": str(NOW.timestamp() + 5)}, 5),
            ({"x-ratelimit-reset": str(int(NOW.timestamp() + 5) * 1000)}, 5),
            ({"x-ratelimit-reset": "2"}, 2),
        ],
    )
    def test_the_wait_is_read_from_the_headers(self, headers, seconds):
        assert failure(429, error(), headers).retry_after == seconds

    def test_a_final_error_waits_for_nothing(self):
        assert failure(400, error("odd"), {"Retry-After": "3"}).retry_after is None


def chained(*errors: BaseException) -> BaseException:
    """Chain errors as if each had been raised from the one after it."""
    for outer, inner in itertools.pairwise(errors):
        outer.__cause__ = inner
    return errors[0]


class TestTransport:
    @pytest.mark.parametrize(
        ("cause", "kind"),
        [
            (ConnectionResetError("reset"), FailureKind.CONNECTION),
            (ConnectionRefusedError("refused"), FailureKind.UNREACHABLE),
            (TimeoutError("late"), FailureKind.TIMEOUT),
            (ssl.SSLCertVerificationError("bad"), FailureKind.MISCONFIGURED),
            (type("gaierror", (OSError,), {})("dns"), FailureKind.UNREACHABLE),
            (type("InvalidURL", (ValueError,), {})("x"), FailureKind.MISCONFIGURED),
            (type("Odd", (Exception,), {})("x"), FailureKind.CONNECTION),
        ],
    )
    def test_the_deepest_cause_decides(self, cause, kind):
        outer = chained(TimeoutError("Request timed out."), RuntimeError("x"), cause)
        assert deepest_cause(outer) is cause
        assert failure_from_exception(outer).kind is kind

    def test_a_cancellation_below_a_deadline_is_not_the_cause(self):
        late = chained(TimeoutError("late"), BaseException("cancelled"))
        assert failure_from_exception(late).kind is FailureKind.TIMEOUT

    def test_a_loop_of_causes_ends(self):
        one, two = ValueError("one"), ValueError("two")
        chained(one, two, one)
        assert deepest_cause(one) in (one, two)

    def test_a_timeout_that_is_given_up_is_invalid_as_timeout(self):
        found = failure_from_exception(TimeoutError())
        assert (found.retry, found.final_reason) == (True, None)
        assert found.exhausted_reason is InvalidReason.TIMEOUT


class TestRequests:
    def test_the_hash_is_that_of_what_is_asked(self):
        ask = (Message(Role.USER, "x"),)
        one = JudgeRequest(ask, "m", {"temperature": 0, "seed": 1}, total_timeout=5)
        two = JudgeRequest(ask, "m", {"seed": 1, "temperature": 0}, {"x-a": "b"})
        assert one.request_hash == two.request_hash
        assert one.request_hash != JudgeRequest(ask, "m", {"seed": 2}).request_hash

    @pytest.mark.parametrize("name", ["model", "messages", "stream"])
    def test_parameters_may_not_change_the_question(self, name):
        with pytest.raises(ValueError, match=name):
            JudgeRequest((Message(Role.USER, "x"),), "m", {name: 1})

    @pytest.mark.parametrize("seconds", [0, -1, float("nan")])
    def test_there_is_always_a_deadline(self, seconds):
        with pytest.raises(ValueError, match="timeout"):
            JudgeRequest((Message(Role.USER, "x"),), "m", total_timeout=seconds)
