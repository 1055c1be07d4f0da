"""The part of the lint that looks at a judge's first step, which writes rubrics."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from annotation.domain.identity import NameScanner
from judging.domain.findings import Finding
from judging.domain.formats.options import BadOptions
from judging.domain.lint_settings import params_findings
from judging.domain.rubrics import PLACEHOLDERS, rubric_step_of
from judging.domain.templates import TemplateError, parse, slots_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from judging.domain.digests import JudgeSpec
    from judging.domain.rubrics import RubricStep

_TEMPLATES = ("system_template", "user_template")


def rubric_findings(spec: JudgeSpec, names: Iterable[str]) -> Iterator[Finding]:
    """Check the first step of a judge, if it has one."""
    try:
        step = rubric_step_of(spec)
    except BadOptions as error:
        yield Finding("bad_rubric_step", f"rubric_step.{error.field}", error.reason)
        return
    if step is None:
        return
    yield from params_findings(step.params, "rubric_step.params")
    yield from _named(step, NameScanner(names))
    yield from _placeholders(spec, step)


def _named(step: RubricStep, scanner: NameScanner) -> Iterator[Finding]:
    for field in _TEMPLATES:
        for hit in scanner.scan(getattr(step, field)):
            message = f"names the system {hit.name!r}: {hit.excerpt}"
            yield Finding("system_name", f"rubric_step.{field}", message)


def _placeholders(spec: JudgeSpec, step: RubricStep) -> Iterator[Finding]:
    counts: Counter[str] = Counter()
    for field in _TEMPLATES:
        try:
            counts.update(slots_of(parse(getattr(step, field), PLACEHOLDERS)))
        except TemplateError as error:
            yield Finding(error.code, f"rubric_step.{field}", str(error))
            return
    own = [name for name in ("rubric", "question") if getattr(spec, name).strip()]
    for name in ("prompt", "context", "reference", *own):
        if counts[name] != 1:
            code = "placeholder_repeated" if counts[name] else "placeholder_missing"
            message = f"{{{{{name}}}}} must occur once, not {counts[name]} times"
            yield Finding(code, "rubric_step.user_template", message)
