"""A judge that passes its lint, for tests to change one thing of."""

from __future__ import annotations

from typing import Any

from judging.domain.defaults import (
    DEFAULT_QUESTION,
    DEFAULT_RUBRIC,
    SYSTEM_TEMPLATE,
    USER_TEMPLATE,
)
from judging.domain.digests import JudgeSpec
from judging.domain.formats.registry import get_format


def a_spec(verdict_format: str = "five_token", **changes: Any) -> JudgeSpec:
    """Make a good judge, with some fields changed."""
    good: dict[str, Any] = {
        "provider": "local",
        "base_url": "http://127.0.0.1:8000/v1",
        "model": "judge-1",
        "params": {"temperature": 0, "max_tokens": 512},
        "system_template": SYSTEM_TEMPLATE,
        "user_template": USER_TEMPLATE,
        "rubric": DEFAULT_RUBRIC,
        "rubric_version": "1",
        "question": DEFAULT_QUESTION,
        "verdict_format": verdict_format,
        "parser_version": get_format(verdict_format).parser_version,
    }
    return JudgeSpec(**(good | changes))


def held_to(schema: object) -> dict[str, object] | None:
    """Ask for replies by a schema; for none where there is none."""
    if schema is None:
        return None
    named = {"name": "verdict", "strict": True, "schema": schema}
    return {"type": "json_schema", "json_schema": named}
