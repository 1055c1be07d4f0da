"""Judges of either kind that is asked: those that compare, and those that mark."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from judging.domain.digests import (
    JudgeSpec,
    spec_digest,
    spec_from_json,
    spec_to_json,
)
from judging.domain.formats.registry import UnknownFormat, get_format
from judging.domain.lint import lint
from judging.domain.lint_pointwise import lint_pointwise
from judging.domain.pointwise import (
    SCHEMA,
    PointwiseSpec,
    pointwise_digest,
    pointwise_from_json,
    pointwise_to_json,
)
from judging.domain.prompts import RENDERER_VERSION
from judging.domain.scale_kinds import scale_from

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


def up_to_date(spec: AskedSpec) -> AskedSpec:
    """The same judge as this release renders its prompts and reads its replies."""
    parser = _parser_here(spec) or spec.parser_version
    return replace(spec, parser_version=parser, renderer=RENDERER_VERSION)


def outdated(spec: AskedSpec) -> str:
    """Why this release can't ask a judge that was frozen under another; else empty.

    The versions are part of the digest (DESIGN rule 16): what another one says or
    reads is another judge.
    """
    here = _parser_here(spec)
    if here is None:
        return f"it reads replies as {spec.parser_version}, which this release does not"
    if spec.parser_version != here:
        return f"it reads replies as {spec.parser_version}, and this release as {here}"
    if spec.renderer != RENDERER_VERSION:
        return (
            f"it renders prompts as {spec.renderer}, and this release as "
            f"{RENDERER_VERSION}"
        )
    return ""


def _parser_here(spec: AskedSpec) -> str | None:
    """The version of the parser that this release has for a judge, if it has one."""
    try:
        if isinstance(spec, PointwiseSpec):
            return scale_from(spec.scale).parser_version
        return get_format(spec.verdict_format, spec.format_options).parser_version
    except UnknownFormat:
        return None
