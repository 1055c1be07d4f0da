"""Request lines, result lines, and what a batch says of itself."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime

import pytest

from judging.domain.batches import (
    NotCarriedOut,
    batch_info,
    custom_id,
    failure_of,
    request_line,
    result_lines,
)
from judging.domain.ports import CallFailed, FailureKind, RawReply

NOW = datetime(2026, 1, 5, tzinfo=UTC)
KEY = uuid.UUID(int=1)
CHOICE = {"message": {"content": "[[A>B]]"}, "finish_reason": "stop"}
SAID = {"model": "m-1", "choices": [CHOICE], "usage": {"prompt_tokens": 3}}


def line(**parts):
    whole = {"id": "batch_req_1", "custom_id": "x", "response": None, "error": None}
    return json.dumps(whole | parts, ensure_ascii=False)


def responded(status, body):
    return line(response={"status_code": status, "request_id": "r-1", "body": body})


def only(text):
    (found,) = result_lines(text, now=NOW)
    return found


def test_a_custom_id_tells_nothing_and_never_changes():
    names = {custom_id(KEY, number) for number in range(1000)}
    assert len(names) == 1000
    assert custom_id(KEY, 5) == custom_id(uuid.UUID(int=1), 5)
    assert custom_id(KEY, 5) != custom_id(uuid.UUID(int=2), 5)
    assert len(custom_id(KEY, 5)) == 32


def test_a_request_is_one_line_whatever_its_text_holds():
    body = {"model": "m", "messages": [{"content": 'a\nb\u2028c "quoted" é'}]}
    text = request_line("x", body)
    assert text.count("\n") == 1
    assert text.endswith("\n")
    assert json.loads(text) == {
        "custom_id": "x",
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": body,
    }


def test_a_result_is_read_like_a_live_reply():
    found = only(responded(200, SAID))
    assert found.custom_id == "x"
    assert isinstance(found.outcome, RawReply)
    assert found.outcome.text == "[[A>B]]"
    assert found.outcome.served_model == "m-1"
    assert found.outcome.usage.prompt == 3
    assert found.outcome.request_id == "r-1"
    assert json.loads(found.outcome.body) == SAID


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, {"error": {"code": "content_filter"}}, FailureKind.FILTERED),
        (400, {"error": {"code": "context_length_exceeded"}}, FailureKind.TOO_LONG),
        (401, {"error": {"message": "Bad key"}}, FailureKind.UNAUTHORISED),
        (429, {"error": {"code": "rate_limit_exceeded"}}, FailureKind.RATE_LIMITED),
        (500, {"error": {"message": "Sorry"}}, FailureKind.SERVER),
        (200, {"error": {"message": "Overloaded"}}, FailureKind.SERVER),
        (200, "<html></html>", FailureKind.BAD_BODY),
        (200, None, FailureKind.BAD_BODY),
        (None, SAID, FailureKind.SERVER),
    ],
)
def test_an_error_in_a_line_means_what_it_means_live(status, body, kind):
    outcome = only(responded(status, body)).outcome
    assert isinstance(outcome, CallFailed)
    assert outcome.kind is kind


@pytest.mark.parametrize("code", ["batch_expired", "batch_cancelled"])
def test_a_request_that_was_never_carried_out_is_no_failure(code):
    outcome = only(line(error={"code": code, "message": "Too late."})).outcome
    assert outcome == NotCarriedOut("Too late.")


def test_another_error_of_a_line_is_a_failure():
    outcome = only(line(error={"code": "server_error", "message": "Broke"})).outcome
    assert isinstance(outcome, CallFailed)
    assert outcome.kind is FailureKind.SERVER
    assert outcome.retry


@pytest.mark.parametrize("text", ["{", "[]", '"x"', '{"custom_id": 5}', "{}"])
def test_lines_that_name_no_request_are_told_apart(text):
    found = list(result_lines(f"{text}\n\n{responded(200, SAID)}\n", now=NOW))
    assert found[0] is None
    assert len(found) == 2
    assert found[1] is not None


def test_a_separator_inside_a_text_does_not_cut_a_line():
    said = {"choices": [{"message": {"content": "a\u2028b\x85[[A>B]]"}}]}
    outcome = only(responded(200, said)).outcome
    assert isinstance(outcome, RawReply)
    assert outcome.text == "a\u2028b\x85[[A>B]]"


def test_a_batch_is_read_with_what_it_lacks():
    info = batch_info({"id": "b", "status": "validating", "errors": None})
    assert info is not None
    assert (info.output_file_id, info.completed, info.why) == ("", None, "")
    assert not info.has_ended
    assert failure_of(info, now=NOW) is None
    assert batch_info({"status": "completed"}) is None
    assert batch_info([]) is None


def test_a_refused_batch_is_classified_by_its_errors():
    errors = {"data": [{"code": "model_not_found", "message": "No such model"}]}
    info = batch_info({"id": "b", "status": "failed", "errors": errors})
    assert info is not None
    assert info.has_ended
    failed = failure_of(info, now=NOW)
    assert failed is not None
    assert failed.stop_run
    assert info.why == "No such model"
