"""Every field of a result line and of a batch, replaced by every kind of value."""

from __future__ import annotations

import json

from judging.domain.batches import (
    BatchInfo,
    NotCarriedOut,
    batch_info,
    failure_of,
    result_lines,
)
from judging.domain.ports import CallFailed, RawReply
from tests.judging.domain.exchanges import NOW
from tests.judging.domain.test_exchange_shapes import VALUES, WHOLE, paths, replaced

LINE = {
    "id": "batch_req_1",
    "custom_id": "x",
    "response": {"status_code": 200, "request_id": "r-1", "body": WHOLE},
    "error": None,
}
BATCH = {
    "id": "b1",
    "status": "failed",
    "input_file_id": "f1",
    "output_file_id": "f2",
    "error_file_id": "f3",
    "metadata": {"k": "v"},
    "errors": {"data": [{"code": "c", "message": "m", "param": "p", "line": 1}]},
    "request_counts": {"completed": 1, "failed": 1, "total": 2},
    "created_at": 1,
}
UNSTORABLE = ("\0", "a\0b", "\ud800")


def storable(text):
    return "\0" not in text and text.encode().decode() == text


def test_any_result_line_is_an_outcome_or_unreadable():
    outcomes = set()
    for path in paths(LINE):
        for value in (*VALUES, *UNSTORABLE):
            changed = json.dumps(replaced(LINE, path, value))
            (found,) = result_lines(changed, now=NOW)
            if found is None:
                outcomes.add(None)
                continue
            outcome = found.outcome
            outcomes.add(type(outcome))
            if isinstance(outcome, RawReply):
                assert storable(outcome.text or "")
                continue
            assert storable(outcome.detail), (path, value)
            if isinstance(outcome, CallFailed):
                assert 100 <= outcome.status < 600
                assert "can't be read" not in outcome.detail, (path, value)
    assert outcomes == {None, RawReply, CallFailed, NotCarriedOut}


def test_any_batch_is_a_batch_or_none():
    found = set()
    for path in paths(BATCH):
        for value in (*VALUES, *UNSTORABLE, "x" * 500):
            info = batch_info(json.loads(json.dumps(replaced(BATCH, path, value))))
            found.add(type(info))
            if info is None:
                continue
            assert max(len(info.id), len(info.input_file_id)) <= 200
            for text in (info.id, info.status, info.why, info.output_file_id):
                assert storable(text), (path, value)
            refused = failure_of(info, now=NOW)
            assert refused is None or storable(refused.detail)
    assert found == {BatchInfo, type(None)}
