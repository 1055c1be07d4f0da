"""What must hold before a pointwise judge may be frozen (DESIGN rule 17)."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

from annotation.domain.identity import NameScanner
from judging.domain.findings import Finding
from judging.domain.formats.options import BadOptions
from judging.domain.formats.registry import FORMATS
from judging.domain.lint_schema import schema_findings
from judging.domain.lint_settings import shared_findings
from judging.domain.lint_steering import settings_texts
from judging.domain.marks import Mark
from judging.domain.pointwise import (
    CASE_TEXTS,
    PLACEHOLDERS,
    PointwiseCase,
    render_pointwise,
    scale_of,
)
from judging.domain.prompts import not_whole
from judging.domain.templates import TemplateError, parse, slots_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from judging.domain.marks import MarkReading
    from judging.domain.pointwise import PointwiseSpec
    from judging.domain.scales import Scale

_TEMPLATES = ("system_template", "user_template")
_WRITTEN = (*_TEMPLATES, "rubric", "question")


def lint_pointwise(
    spec: PointwiseSpec, system_names_and_aliases: Iterable[str] = ()
) -> tuple[Finding, ...]:
    """Say everything that is wrong with a pointwise judge."""
    scanner = NameScanner(system_names_and_aliases)
    written = {field: str(getattr(spec, field)) for field in _WRITTEN}
    findings = list(shared_findings(spec))
    try:
        scale = scale_of(spec)
    except BadOptions as error:
        findings.append(Finding("bad_scale", f"scale.{error.field}", error.reason))
    else:
        findings += _scale(spec, scale)
        findings += _named(scanner, {"scale": scale.menu})
    findings += [
        *_named(scanner, written | settings_texts(spec)),
        *_second_formats(written),
    ]
    broken = list(_syntax(spec))
    findings += broken or [*_placeholders(spec), *_renders(spec)]
    return tuple(findings)


def _scale(spec: PointwiseSpec, scale: Scale) -> Iterator[Finding]:
    if spec.parser_version != scale.parser_version:
        message = f"this version reads replies as {scale.parser_version}"
        yield Finding("other_parser", "parser_version", message)
    if spec.response_format is not None and scale.schema is None:
        message = f"{scale.kind} is not JSON here, so no JSON reply may be asked for"
        yield Finding("second_format", "response_format", message)
    elif spec.response_format is not None and scale.schema is not None:
        raws = [example.raw for example in scale.worked]
        yield from schema_findings(spec.response_format, scale.schema, raws)
    for example in scale.worked:
        if _said(scale.read(example.raw)) != _said(example.reading):
            message = f"does not read its own example {example.raw!r}"
            yield Finding("example_unread", "scale", message)


def _said(reading: MarkReading) -> tuple[object, ...]:
    passed = (reading.said, reading.passed) if isinstance(reading, Mark) else ()
    return (type(reading), *passed)


def _named(scanner: NameScanner, written: dict[str, str]) -> Iterator[Finding]:
    for field, text in written.items():
        for hit in scanner.scan(text):
            message = f"names the system {hit.name!r}: {hit.excerpt}"
            yield Finding("system_name", field, message)


def _second_formats(written: dict[str, str]) -> Iterator[Finding]:
    for field, text in written.items():
        matches = (each.tokens.search(text) for each in FORMATS.values())
        match = next((match for match in matches if match), None)
        if match:
            message = f"asks for a verdict on a pair: {match[0]}"
            yield Finding("second_format", field, message)


def _syntax(spec: PointwiseSpec) -> Iterator[Finding]:
    for field in _TEMPLATES:
        try:
            parse(getattr(spec, field), PLACEHOLDERS)
        except TemplateError as error:
            yield Finding(error.code, field, str(error))


def _placeholders(spec: PointwiseSpec) -> Iterator[Finding]:
    counts = Counter(
        name
        for field in _TEMPLATES
        for name in slots_of(parse(getattr(spec, field), PLACEHOLDERS))
    )
    own = [name for name in ("rubric", "question") if getattr(spec, name).strip()]
    for name in (*CASE_TEXTS, "menu", *own):
        if not counts[name]:
            message = f"{{{{{name}}}}} must occur in one of the templates"
            yield Finding("placeholder_missing", "user_template", message)
    for name, count in counts.items():
        if count > 1:
            message = f"{{{{{name}}}}} occurs {count} times in the two templates"
            yield Finding("placeholder_repeated", "user_template", message)


def _renders(spec: PointwiseSpec) -> Iterator[Finding]:
    """Render probes with and without the optional texts."""
    found: dict[str, Finding] = {}
    probes = product((None, " probe-context {{menu}} "), (None, "probe-ref\n"))
    for context, reference in probes:
        case = PointwiseCase(
            "probe {{response}}", "\nresp {{rubric}}", context, reference
        )
        for text in not_whole(render_pointwise(spec, "probe-menu", case), case.texts()):
            found.setdefault(text, Finding("text_not_whole", "user_template", text))
    yield from found.values()
