"""What a provider refuses, how long to wait, and connections that break."""

from __future__ import annotations

import itertools
import ssl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.domain.failures import deepest_cause, failure_from_exception
from judging.domain.ports import (
    CallFailed,
    FailureKind,
)
from judging.domain.terms import InvalidReason
from tests.judging.domain.exchanges import NOW, error, failure, read


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
            (418, error("odd"), InvalidReason.PROVIDER_ERROR),
            (422, error("odd"), InvalidReason.PROVIDER_ERROR),
            (422, {"detail": [{"loc": ["body"]}]}, InvalidReason.PROVIDER_ERROR),
        ],
    )
    def test_some_are_final_for_the_call(self, status, body, reason):
        found = failure(status, body)
        assert (found.final_reason, found.exhausted_reason) == (reason, reason)

    @pytest.mark.parametrize("status", [400, 418, 422])
    @pytest.mark.parametrize(
        "body",
        [
            "",
            "Bad Request",
            "<html><h1>400 Bad Request</h1>The plain HTTP request was sent to HTTPS",
            '{"error": {"mess',
            {},
            {"message": "Bad Request"},
            [],
            {"detail": "model is loading"},
            {"detail": "The model m-1 is currently loading"},
            error("odd", "Service temporarily unavailable"),
        ],
    )
    def test_a_rejection_of_what_nobody_read_is_an_outage(self, status, body):
        found = failure(status, body)
        assert (found.kind, found.retry) == (FailureKind.SERVER, True)

    def test_a_refusal_for_now_stays_one(self):
        found = failure(429, error("odd", "The server is overloaded, try again later"))
        assert found.kind is FailureKind.RATE_LIMITED

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
