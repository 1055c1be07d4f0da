"""What must hold before a judge may be frozen (DESIGN rule 17)."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import product
from typing import TYPE_CHECKING

from annotation.domain.identity import NameScanner
from annotation.domain.outcomes import SlotChoice
from judging.domain.asking import format_of
from judging.domain.findings import Finding, Severity
from judging.domain.formats.registry import FORMATS, UnknownFormat
from judging.domain.lint_rubrics import rubric_findings
from judging.domain.lint_settings import settings_findings
from judging.domain.lint_slots import slot_findings
from judging.domain.lint_steering import settings_texts
from judging.domain.prompts import JudgeTemplate, PromptCase, occurrences, render
from judging.domain.templates import CASE_TEXTS, TemplateError, parse, slots_of
from judging.domain.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from judging.domain.digests import JudgeSpec
    from judging.domain.formats.base import VerdictFormat
    from judging.domain.prompts import Rendered

# Probes that a renderer could damage: placeholders, spaces at the ends, many lines.
_PROBES = {
    "prompt": " probe-prompt {{first}}\n",
    "context": "\nprobe-context {{/context}} ",
    "first": " probe-first\n{{second}}\n\n",
    "second": "\tprobe-second {{#context}}",
}
_TEMPLATES = ("system_template", "user_template")
_WRITTEN = (*_TEMPLATES, "rubric", "question")


def lint(
    spec: JudgeSpec, system_names_and_aliases: Iterable[str] = ()
) -> tuple[Finding, ...]:
    """Say everything that is wrong with a judge; it may be frozen if no error is left.

    ``system_names_and_aliases`` are those of every system of the gold set: none may
    occur in what the judge reads besides the pair itself.
    """
    names = tuple(system_names_and_aliases)
    findings = [*settings_findings(spec), *_names(spec, names)]
    findings += rubric_findings(spec, names)
    known: VerdictFormat | None = None
    with suppress(UnknownFormat):  # already among the findings on settings
        known = format_of(spec)
        findings += [*_choices(spec, known), *_second_formats(spec, known)]
    broken = list(_syntax(spec))
    findings += broken
    if not broken:
        findings += [*_placeholders(spec), *_renders(spec, known)]
    return tuple(findings)


def may_freeze(findings: Iterable[Finding]) -> bool:
    """Whether no finding is an error."""
    return all(finding.severity is not Severity.ERROR for finding in findings)


def _names(spec: JudgeSpec, names: Iterable[str]) -> Iterator[Finding]:
    scanner = NameScanner(names)
    written = {field: _of(spec, field) for field in _WRITTEN}
    for field, text in (written | settings_texts(spec)).items():
        for hit in scanner.scan(text):
            message = f"names the system {hit.name!r}: {hit.excerpt}"
            yield Finding("system_name", field, message)


def _choices(spec: JudgeSpec, known: VerdictFormat) -> Iterator[Finding]:
    if not spec.offers_abstain:
        message = "abstain must be offered, or a judge that cannot tell has to guess"
        yield Finding("abstain_not_offered", "offers_abstain", message)
    examples = known.examples(offers_abstain=spec.offers_abstain)
    shown = {example.verdict.choice for example in examples}
    if SlotChoice.TIE not in shown:
        yield Finding("tie_not_offered", "verdict_format", "a tie must be offered")
    for choice in SlotChoice:
        offered = spec.offers_abstain or choice is not SlotChoice.ABSTAIN
        if offered and choice not in shown:
            message = f"no worked example shows how {choice} is written"
            yield Finding("example_missing", "format_options", message)
    for example in examples:
        got = known.read(example.raw, offers_abstain=spec.offers_abstain)
        wanted = (example.verdict.choice, example.verdict.strength)
        if not isinstance(got, Verdict) or (got.choice, got.strength) != wanted:
            message = f"does not read its own example {example.raw!r}"
            yield Finding("example_unread", "verdict_format", message)


def _second_formats(spec: JudgeSpec, known: VerdictFormat) -> Iterator[Finding]:
    """Find notations that contradict, or repeat, what the menu asks for."""
    foreign = [each.tokens for each in FORMATS.values() if each.name != known.name]
    for field in _WRITTEN:
        text = _of(spec, field)
        matches = (match for each in foreign for match in each.finditer(text))
        for match in matches:
            if not known.tokens.fullmatch(match[0]):
                message = f"asks for another format than {known.name}: {match[0]}"
                yield Finding("second_format", field, message)
                break
        own = known.tokens.search(text)
        if own:
            message = f"{own[0]} repeats the menu; a reply may echo it as a verdict"
            yield Finding("repeated_menu", field, message, Severity.WARNING)


def _syntax(spec: JudgeSpec) -> Iterator[Finding]:
    for field in _TEMPLATES:
        try:
            parse(_of(spec, field))
        except TemplateError as error:
            yield Finding(error.code, field, str(error))


def _placeholders(spec: JudgeSpec) -> Iterator[Finding]:
    slots = [name for field in _TEMPLATES for name in slots_of(parse(_of(spec, field)))]
    counts = Counter(slots)
    own = [name for name in ("rubric", "question") if _of(spec, name).strip()]
    for name in (*CASE_TEXTS, "menu", *own):
        if not counts[name]:
            message = f"{{{{{name}}}}} must occur in one of the templates"
            yield Finding("placeholder_missing", "user_template", message)
    for name, count in counts.items():
        if count > 1:
            message = f"{{{{{name}}}}} occurs {count} times in the two templates"
            yield Finding("placeholder_repeated", "user_template", message)


def _renders(spec: JudgeSpec, known: VerdictFormat | None) -> Iterator[Finding]:
    """Render probes with and without the optional texts, in both orders."""
    found: dict[tuple[str, str], Finding] = {}
    for context, reference in product((None, _PROBES["context"]), (None, "probe-ref")):
        case = _probe(context, reference)
        template = JudgeTemplate(spec.system_template, spec.user_template)
        one, other = render(template, case), render(template, case.swapped)
        problems = [("text_not_whole", text) for text in occurrences(one, case)]
        if _exchanged(one, case) != [message.content for message in other.messages]:
            problems.append(("swap_changes_text", "swapping changes more than that"))
        for code, text in problems:
            found.setdefault((code, text), Finding(code, "user_template", text))
        if known is not None and not problems:
            for each in slot_findings(one, case, known):
                found.setdefault((each.code, each.message), each)
    yield from found.values()


def _probe(context: str | None, reference: str | None) -> PromptCase:
    texts = {name: _PROBES[name] for name in ("prompt", "first", "second")}
    own = {"menu": "probe-menu", "rubric": "probe-rubric", "question": "probe-question"}
    return PromptCase(**texts, **own, context=context, reference=reference)


def _exchanged(rendered: Rendered, case: PromptCase) -> list[str]:
    gap = "\x00"
    return [
        message.content.replace(case.first, gap)
        .replace(case.second, case.first)
        .replace(gap, case.second)
        for message in rendered.messages
    ]


def _of(spec: JudgeSpec, field: str) -> str:
    text: str = getattr(spec, field)
    return text
