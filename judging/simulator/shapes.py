"""The bodies that a simulated judge sends: clean verdicts and malformed replies."""

from __future__ import annotations

import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from judging.domain.simulated import FINGERPRINT, SERVED_MODEL
from judging.simulator.options import Shape
from judging.simulator.wordings import wording_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judging.simulator.brain import Decision


_REFUSAL = "I'm sorry, but I can't assist with that."
_UNDECIDED = "Both responses have their merits, and I cannot decide between them."


@dataclass(frozen=True)
class Answer:
    """An HTTP reply to send."""

    status: int
    text: str
    content_type: str = "application/json"


def answer_to(decision: Decision, body: Mapping[str, object], request: str) -> Answer:
    """Write the reply to a request body with this hash."""
    if decision.shape in _OUTER:
        return _OUTER[decision.shape]
    message, finish = _said(decision)
    prompt = len(json.dumps(body.get("messages"), ensure_ascii=False)) // 4
    completion = 1 + len(str(message.get("content") or "")) // 4
    payload = {
        "id": f"sim-{request[:16]}",
        "object": "chat.completion",
        "created": 0,
        "model": SERVED_MODEL,
        "system_fingerprint": FINGERPRINT,
        "choices": _choices(decision.shape, message, finish),
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        },
    }
    return Answer(HTTPStatus.OK, json.dumps(payload))


def error(status: int, code: str, message: str, *, param: str | None = None) -> Answer:
    """Write an error reply in the shape of the OpenAI API."""
    kind = "server_error" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else code
    inner = {"message": message, "type": kind, "param": param, "code": code}
    return Answer(status, json.dumps({"error": inner}))


def _choices(
    shape: Shape | None, message: dict[str, object], finish: str | None
) -> list[dict[str, object]] | None:
    if shape is Shape.NULL_CHOICES:
        return None
    if shape is Shape.NO_CHOICES:
        return []
    return [{"index": 0, "message": message, "finish_reason": finish}]


def _said(decision: Decision) -> tuple[dict[str, object], str | None]:
    """Give the message and the finish reason of a reply that is a completion."""
    wording = wording_of(decision)
    clean = wording.clean
    contents: dict[Shape, str | None] = {
        Shape.UNPARSED: _UNDECIDED,
        Shape.OFF_MENU: wording.off_menu,
        Shape.CONFLICTING: wording.conflicting,
        Shape.TRUNCATED_EMPTY: "",
        Shape.REFUSED: _REFUSAL,
        Shape.REFUSAL_FIELD: None,
        Shape.FILTERED: "",
        Shape.EMPTY: "",
        Shape.NULL_CONTENT: None,
        Shape.TOOL_CALL: None,
        Shape.REASONING_ONLY: "",
    }
    content = clean if decision.shape is None else contents.get(decision.shape, clean)
    message: dict[str, object] = {"role": "assistant", "content": content}
    message |= _beside(decision.shape, clean)
    return message, _finish_reason(decision.shape)


def _beside(shape: Shape | None, clean: str) -> dict[str, object]:
    if shape is Shape.REFUSAL_FIELD:
        return {"refusal": _REFUSAL}
    if shape is Shape.REASONING_ONLY:
        return {"reasoning_content": clean}
    if shape is Shape.TOOL_CALL:
        function = {"name": "verdict", "arguments": '{"winner": "A"}'}
        call = {"id": "call-1", "type": "function", "function": function}
        return {"tool_calls": [call]}
    return {}


def _finish_reason(shape: Shape | None) -> str | None:
    if shape in (Shape.TRUNCATED, Shape.TRUNCATED_EMPTY):
        return "length"
    if shape is Shape.NO_FINISH_REASON:
        return None
    special = {Shape.FILTERED: "content_filter", Shape.TOOL_CALL: "tool_calls"}
    return "stop" if shape is None else special.get(shape, "stop")


_OUTER = {
    Shape.HTML: Answer(
        HTTPStatus.OK, "<html><body>Sign in to continue</body></html>", "text/html"
    ),
    Shape.JSON_LIST: Answer(HTTPStatus.OK, '["first"]'),
    Shape.JSON_TEXT: Answer(HTTPStatus.OK, '"first"'),
    Shape.BROKEN_JSON: Answer(HTTPStatus.OK, '{"id": "sim-broken", "choices": [{"mess'),
    Shape.ERROR_BODY: Answer(
        HTTPStatus.OK, json.dumps({"error": {"message": "The engine is overloaded"}})
    ),
    Shape.BLOCKED: error(
        HTTPStatus.BAD_REQUEST,
        "content_filter",
        "The prompt was blocked by the content filter",
        param="prompt",
    ),
}
