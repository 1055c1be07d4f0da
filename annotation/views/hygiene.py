"""The checks before a round opens: what they found, and acting on it."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.domain.check_texts import CHECK_TEXTS
from annotation.domain.hygiene import Check, Severity
from annotation.models import ExposureKind
from annotation.presenters.figures import Cell, rounded, share_cell, test_cell
from annotation.services.exposures import record_exposures
from annotation.services.gold_sets import gold_set_named
from annotation.services.hygiene import SetFindings, check_set, last_check
from annotation.services.set_aside import pairs_set_aside
from annotation.services.told_names import names_told
from annotation.views.gold_common import is_lead, readers, refuse_readers, user_of
from config.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.http import HttpRequest

    from annotation.domain.hygiene import Finding, LengthBalance
    from annotation.models import GoldSet
    from annotation.services.hygiene import CheckResult

MOST_SHOWN = 25
MOST_ASIDE = 100
# What a spreadsheet would run as a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding with the way to its cases: (id, row) each."""

    cases: tuple[tuple[str, int | None], ...]
    pairs: tuple[int, ...]
    detail: str


@dataclass(frozen=True, slots=True)
class Section:
    """One check on the page."""

    result: CheckResult
    title: str
    about: str
    badge: str
    badge_text: str
    findings: tuple[ShownFinding, ...]
    pairs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LengthRow:
    """Which of two systems writes longer."""

    systems: str
    pairs: int
    ratio: str
    longer: Cell
    test: Cell
    unbalanced: bool


# The look of a badge, and what it says behind the number.
BADGES = {
    Severity.SETTLE_FIRST: ("bad", "to settle first"),
    Severity.WARNS: ("warn", "to look at"),
    Severity.NOTES: ("info", "to know of"),
}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@readers
def checks(request: HttpRequest, name: str) -> HttpResponse:
    """Show what the last run of the checks found; a POST runs them."""
    gold_set = gold_set_named(name)
    if request.method == "POST":
        refuse_readers(request)
        check_set(gold_set=gold_set, by=user_of(request), now=timezone.now())
        return redirect("annotation:checks", name=gold_set.name)
    found = last_check(gold_set)
    sections = _sections(gold_set, found) if found else []
    _note_seen(request, sections)
    aside = pairs_set_aside(gold_set)
    context = {
        "gold_set": gold_set,
        "found": found,
        "sections": [s for s in sections if s.result.count],
        "clean": [s.title for s in sections if not s.result.count],
        "lengths": [_length_row(one) for one in found.lengths] if found else [],
        "aside": aside[:MOST_ASIDE],
        "aside_count": aside.count(),
        "may_write": is_lead(request),
        "names_told": names_told(gold_set),
    }
    return render(request, "annotation/hygiene.html", context)


def _sections(gold_set: GoldSet, found: SetFindings) -> list[Section]:
    shown = [finding for r in found.results for finding in r.findings[:MOST_SHOWN]]
    keys = _case_keys(gold_set, shown)
    return [
        Section(
            result=result,
            title=CHECK_TEXTS[result.check].title,
            about=CHECK_TEXTS[result.check].about,
            badge=BADGES[result.severity][0],
            badge_text=BADGES[result.severity][1],
            findings=tuple(
                ShownFinding(
                    tuple((case, keys.get(case)) for case in finding.cases),
                    finding.pairs,
                    finding.detail,
                )
                for finding in result.findings[:MOST_SHOWN]
            ),
            pairs=_all_pairs(result.findings),
        )
        for result in found.results
    ]


def _case_keys(gold_set: GoldSet, shown: Iterable[Finding]) -> Mapping[str, int]:
    ids = sorted({case for finding in shown for case in finding.cases})
    rows = gold_set.cases.filter(external_id__in=ids)
    return dict(rows.values_list("external_id", "pk"))


def _all_pairs(findings: Sequence[Finding]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(pair for f in findings for pair in f.pairs))


def _note_seen(request: HttpRequest, sections: Iterable[Section]) -> None:
    """Whoever reads which system wrote what is not given these pairs to label."""
    telling = [s for s in sections if s.result.check.tells_systems]
    pairs = [pair for s in telling for f in s.findings for pair in f.pairs]
    record_exposures(
        user=user_of(request),
        pair_ids=pairs,
        kind=ExposureKind.SYSTEMS,
        now=timezone.now(),
    )


def _length_row(one: LengthBalance) -> LengthRow:
    return LengthRow(
        systems=f"{one.candidate} against {one.baseline}",
        pairs=one.pairs,
        ratio="n/a" if one.ratio is None else rounded(one.ratio, 2),
        longer=share_cell(one.longer_share),
        test=test_cell(one.test),
        unbalanced=one.is_unbalanced,
    )


@never_cache
@require_safe
@readers
def findings_csv(request: HttpRequest, name: str, check: str) -> HttpResponse:
    """Give all kept findings of a check as CSV: case ids, pairs, what it is."""
    gold_set = gold_set_named(name)
    found = last_check(gold_set)
    if found is None or check not in set(Check):
        raise NotFound("check_unknown", f"There are no findings of {check!r}.")
    findings = found.of(Check(check)).findings
    record_exposures(
        user=user_of(request),
        pair_ids=_all_pairs(findings) if Check(check).tells_systems else (),
        kind=ExposureKind.SYSTEMS,
        now=timezone.now(),
    )
    reply = HttpResponse(content_type="text/csv; charset=utf-8")
    filename = f"{gold_set.name}-{check}.csv"
    reply["Content-Disposition"] = f'attachment; filename="{filename}"'
    writer = csv.writer(reply)
    writer.writerow(["check", "case_ids", "pairs", "detail"])
    for one in findings:
        pairs = " ".join(map(str, one.pairs))
        cells = [check, " ".join(one.cases), pairs, one.detail]
        writer.writerow([_harmless(cell) for cell in cells])
    return reply


def _harmless(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA) else cell
