from __future__ import annotations

import json

import pytest

from judging.domain.ports import (
    FailureKind,
    JudgeRequest,
    Message,
    RawReply,
    Role,
    Usage,
)
from tests.judging.domain.exchanges import completion, error, failure, reply


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
