"""A pointwise judge that passes its lint, for tests to change one thing of."""

from __future__ import annotations

from typing import Any

from judging.domain.pointwise import SYSTEM_TEMPLATE, USER_TEMPLATE, PointwiseSpec
from judging.domain.scale_kinds import scale_from

PASS_FAIL: dict[str, object] = {"kind": "pass_fail"}
SHORT: dict[str, object] = {
    "kind": "short_scale",
    "levels": ["useless", "poor", "fair", "good", "excellent"],
    "pass_mark": 3,
}
GATED: dict[str, object] = {
    "kind": "gated_score",
    "gates": [
        {"name": "safe", "question": "Is it free of dangerous advice?"},
        {"name": "true", "question": "Is every figure from the context?"},
    ],
    "cap": 3,
}


def a_pointwise_spec(
    scale: dict[str, object] | None = None, **changes: Any
) -> PointwiseSpec:
    """Make a good pointwise judge, with some fields changed."""
    declared = PASS_FAIL if scale is None else scale
    good: dict[str, Any] = {
        "provider": "local",
        "base_url": "http://127.0.0.1:8000/v1",
        "model": "judge-1",
        "params": {"temperature": 0.5, "max_tokens": 512},
        "system_template": SYSTEM_TEMPLATE,
        "user_template": USER_TEMPLATE,
        "rubric": "It states the deadline and invents nothing.",
        "rubric_version": "1",
        "question": "Is the response fit to be sent?",
        "scale": declared,
    }
    if "parser_version" not in changes:
        good["parser_version"] = scale_from(declared).parser_version
    return PointwiseSpec(**(good | changes))
