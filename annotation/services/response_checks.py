"""Checks on responses: empty, cut off, telling, in another script, longer."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from annotation.domain.hygiene import Check, Finding, LengthBalance, length_balance
from annotation.domain.identity import NameScanner
from annotation.domain.outcomes import Outcome
from annotation.domain.scripts import script_of, script_problem
from annotation.domain.text_checks import cut_mark, cut_sign
from annotation.domain.texts import is_blank, plain_text
from annotation.models import Response
from annotation.services.stored_texts import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from annotation.models import GoldSet
    from annotation.services.set_material import CaseRow, PairRow, SetMaterial

AT_ONCE = 500
Systems = tuple[str, str]


class _Text(NamedTuple):
    """One response as it is looked at."""

    system: str
    plain: str
    last: str
    blank: bool
    length: int
    meta: Mapping[str, object]
    sha256: str


@dataclass
class ResponseFindings:
    """What was found in the responses, and who writes longer."""

    findings: list[Finding] = field(default_factory=list)
    lengths: tuple[LengthBalance, ...] = ()


def response_findings(gold_set: GoldSet, material: SetMaterial) -> ResponseFindings:
    """Read every response once and look it over."""
    found = ResponseFindings()
    scanner = NameScanner(
        name for s in gold_set.systems.all() for name in (s.name, *s.aliases)
    )
    lengths: defaultdict[Systems, list[tuple[int, int]]] = defaultdict(list)
    prompts: defaultdict[Systems, list[str]] = defaultdict(list)
    cases = {case.pk: case for case in material.cases}
    for pk, texts in _by_case(gold_set):
        if pk not in cases:  # all its pairs are set aside
            continue
        case, pairs = cases[pk], material.pairs[pk]
        found.findings += _case_findings(case, pairs, texts, scanner)
        for pair in pairs:
            one, two = (texts[name].length for name in pair.systems)
            lengths[pair.systems].append((one, two))
            prompts[pair.systems].append(case.group or f"case {pk}")
    found.lengths = tuple(
        length_balance(systems, lengths[systems], prompts[systems])
        for systems in sorted(lengths)
    )
    found.findings += _unbalanced(found.lengths)
    return found


def _by_case(gold_set: GoldSet) -> Iterator[tuple[int, dict[str, _Text]]]:
    rows = (
        Response.objects.filter(case__gold_set=gold_set)
        .order_by("case_id", "system__position")
        .values_list("case_id", "system__name", "text", "length", "meta", "sha256")
    )
    for case, group in groupby(rows.iterator(chunk_size=AT_ONCE), lambda row: row[0]):
        texts = [_text(*row[1:]) for row in group]
        yield case, {text.system: text for text in texts}


def _text(
    system: str, stored: object, length: int, meta: dict[str, object], sha256: str
) -> _Text:
    text = read_text(stored)
    last = text if isinstance(text, str) else text[-1].content
    return _Text(system, plain_text(text), last, is_blank(text), length, meta, sha256)


def _case_findings(
    case: CaseRow,
    pairs: Sequence[PairRow],
    texts: Mapping[str, _Text],
    scanner: NameScanner,
) -> Iterator[Finding]:
    for text in texts.values():
        touched = tuple(pair.pk for pair in pairs if text.system in pair.systems)
        for check, detail in _text_findings(text, scanner):
            yield Finding(check, (case.external_id,), touched, detail)
    yield from _identical(case, pairs, texts)
    given = {name: script_of(text.plain) for name, text in texts.items()}
    problem = script_problem(case.language, case.script, given)
    if problem:
        touched = tuple(pair.pk for pair in pairs)
        yield Finding(Check.LANGUAGES, (case.external_id,), touched, problem)


def _text_findings(text: _Text, scanner: NameScanner) -> Iterator[tuple[Check, str]]:
    if text.blank:
        yield Check.EMPTY_RESPONSES, f"{text.system} answers nothing"
        return
    for hit in scanner.scan(text.plain)[:1]:
        detail = f"{text.system} names {hit.name!r}: {hit.excerpt}"
        yield Check.IDENTITY_LEAKS, detail
    mark = cut_mark(text.meta)
    if mark is not None:
        yield Check.TRUNCATED_RESPONSES, f"{text.system}: {mark}"
    elif (sign := cut_sign(text.last)) is not None:
        yield Check.CUT_OFF_LOOKS, f"{text.system}: {sign}"


def _identical(
    case: CaseRow, pairs: Sequence[PairRow], texts: Mapping[str, _Text]
) -> Iterator[Finding]:
    """Two identical responses can only be a tie; some pairs are built to be one."""
    for pair in pairs:
        one, two = (texts[name].sha256 for name in pair.systems)
        if one == two and pair.designed != Outcome.TIE:
            text = f"{pair.systems[0]} and {pair.systems[1]} answer the same"
            yield Finding(
                Check.IDENTICAL_RESPONSES, (case.external_id,), (pair.pk,), text
            )


def _unbalanced(lengths: Sequence[LengthBalance]) -> Iterator[Finding]:
    for balance in lengths:
        if balance.is_unbalanced and balance.ratio is not None:
            longer = balance.ratio > 1
            name = balance.candidate if longer else balance.baseline
            other = balance.baseline if longer else balance.candidate
            times = balance.ratio if longer else 1 / balance.ratio
            text = (
                f"{name} writes longer than {other}: {times:.2f} times, in the median"
            )
            yield Finding(Check.LENGTHS, (), (), text)
