"""Every field of a reply, replaced by every kind of value: never a fault of ours."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from judging.domain.formats.registry import get_format
from judging.domain.ports import CallFailed, FailureKind, RawReply
from judging.domain.readings import SEVERAL_CHOICES, reading_of
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid, Verdict
from tests.judging.domain.exchanges import completion, read, reply

WHOLE = {
    "id": "c1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "system_fingerprint": "f",
    "service_tier": None,
    "choices": [
        {
            "index": 0,
            "message": {
                "role": "assistant",
                "content": "[[A>B]]",
                "refusal": None,
                "reasoning_content": "hm",
                "tool_calls": None,
                "annotations": [],
            },
            "logprobs": None,
            "finish_reason": "stop",
            "error": None,
        }
    ],
    "usage": {
        "prompt_tokens": 3,
        "completion_tokens": 2,
        "prompt_tokens_details": {"cached_tokens": 1},
        "completion_tokens_details": {"reasoning_tokens": 1},
        "prompt_cache_hit_tokens": 1,
    },
    "error": None,
}
FAULTY = {
    "error": {
        "message": "no",
        "type": "server_error",
        "param": "x",
        "code": "overloaded",
        "innererror": {"code": "y"},
    }
}
VALUES: tuple[Any, ...] = (
    {"a": 1}, {}, ["a"], [], [[]], [None], [{}], 0, 1, -1, 10**400, 1.5, True, False,
    None, "", "text", "[[B>A]]", float("nan"), "\ud800", "a\0b",
)  # fmt: skip
FORMAT = get_format("five_token")


def paths(value, path=()):
    yield path
    inner = value.items() if isinstance(value, dict) else ()
    inner = enumerate(value) if isinstance(value, list) else inner
    for key, each in inner:
        yield from paths(each, (*path, key))


def replaced(whole, path, value):
    if not path:
        return value
    changed = copy.deepcopy(whole)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return changed


@pytest.mark.parametrize("whole", [WHOLE, FAULTY], ids=["reply", "error"])
@pytest.mark.parametrize("status", [200, 400, 429, 500])
def test_any_shape_is_a_reply_or_a_failure(whole, status):
    seen = set()
    for path in paths(whole):
        for value in VALUES:
            body = json.dumps(replaced(whole, path, value))
            found = read(status, body)
            assert isinstance(found, RawReply | CallFailed)
            if isinstance(found, CallFailed):
                assert "can't be read" not in found.detail, (path, value)
                assert "\0" not in found.detail
                assert found.detail.encode()
                seen.add("failed")
                continue
            seen.add("replied")
            assert isinstance(found.finish_reason, str | None)
            reading = reading_of(found, FORMAT, offers_abstain=True)
            if isinstance(reading, Verdict) and path[-1:] != ("content",):
                assert reading.choice == "first", (path, value)
    assert "failed" in seen
    assert ("replied" in seen) == (status == 200 and whole is WHOLE)


@pytest.mark.parametrize("finish", [{"a": 1}, ["stop"], 3, True])
def test_a_finish_reason_that_is_none_is_flagged(finish):
    found = reply(completion({"content": "[[A>B]]"}, finish))
    reading = reading_of(found, FORMAT, offers_abstain=True)
    assert (reading.choice, reading.flags) == ("first", ("no_finish_reason",))


def test_what_nobody_thought_of_is_a_failure_that_keeps_the_body(monkeypatch):
    monkeypatch.setattr("judging.domain.exchange._usage", lambda _: {}["usage"])
    found = read(200, completion({"content": "[[A>B]]"}))
    assert isinstance(found, CallFailed)
    assert (found.kind, found.status, found.latency_ms) == (
        FailureKind.BAD_BODY,
        200,
        7,
    )
    assert "KeyError" in found.detail
    assert "[[A>B]]" in found.body


def several(*texts):
    choices = [{"message": {"content": t}, "finish_reason": "stop"} for t in texts]
    return reading_of(reply({"choices": choices}), FORMAT, offers_abstain=True)


def test_several_choices_that_differ_are_conflicting():
    found = several("[[A>B]]", "[[B>A]]")
    assert isinstance(found, Invalid)
    assert found.reason is InvalidReason.CONFLICTING
    assert "several choices" in found.detail


def test_several_choices_that_agree_are_flagged():
    found = several("[[A>B]]", "so [[A>B]]", "nothing", "")
    assert (found.choice, found.strength) == ("first", 1)
    assert found.flags == (SEVERAL_CHOICES,)
    weaker = several("[[A>>B]]", "[[A>B]]")
    assert (weaker.choice, weaker.strength) == ("first", 1)
    assert weaker.flags == ("mixed_strength", SEVERAL_CHOICES)
    assert several("[[A>B]]").flags == ()
