"""Judges of either kind that is asked: those that compare, and those that mark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judging.domain.digests import (
    JudgeSpec,
    spec_digest,
    spec_from_json,
    spec_to_json,
)
from judging.domain.lint import lint
from judging.domain.lint_pointwise import lint_pointwise
from judging.domain.pointwise import (
    SCHEMA,
    PointwiseSpec,
    pointwise_digest,
    pointwise_from_json,
    pointwise_to_json,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from judging.domain.findings import Finding

AskedSpec = JudgeSpec | PointwiseSpec


def asked_digest(spec: AskedSpec) -> str:
    """SHA-256 of the canonical JSON of a judge, as 64 hexadecimal digits."""
    if isinstance(spec, PointwiseSpec):
        return pointwise_digest(spec)
    return spec_digest(spec)


def asked_to_json(spec: AskedSpec) -> dict[str, object]:
    """Give the JSON form that is stored, exported and digested."""
    if isinstance(spec, PointwiseSpec):
        return pointwise_to_json(spec)
    return spec_to_json(spec)


def asked_from_json(value: object) -> AskedSpec:
    """Read a judge of the kind that its schema names; raises ``SpecError``."""
    if isinstance(value, dict) and value.get("schema") == SCHEMA:
        return pointwise_from_json(value)
    return spec_from_json(value)


def lint_asked(spec: AskedSpec, names: Iterable[str] = ()) -> tuple[Finding, ...]:
    """Say everything that is wrong with a judge of either kind."""
    if isinstance(spec, PointwiseSpec):
        return lint_pointwise(spec, names)
    return lint(spec, names)
