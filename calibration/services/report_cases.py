"""The pairs behind a report's figures, and who may see which of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from django.db import transaction
from django.db.models import Q, QuerySet

from annotation.domain.digests import digest_of
from annotation.domain.outcomes import Outcome, Split
from annotation.models import Case, GoldItem, Pair
from annotation.services.held_out import note_held_out_seen
from annotation.services.seals import refuse_sealed
from calibration.domain.behind import behind
from calibration.domain.disagreements import placed
from calibration.models import Look, Report, ReportPair
from calibration.services.beside import FORMAT_SLICE, Beside
from calibration.services.looks import (
    Seen,
    check_frozen,
    held_out_digest,
    locked,
    log_once,
)
from calibration.services.reporting import build_sample
from config.db.statistics import refresh_statistics
from config.errors import Conflict, NotAllowed
from judging.services.evidence import pair_evidence

if TYPE_CHECKING:
    from datetime import datetime

    from annotation.services.held_out import Viewer
    from calibration.domain.disagreements import Placed
    from calibration.models.reviews import ReportPairQuerySet
    from config.accounts.models import User

BATCH = 1000
OPEN = "open"
UNANIMOUS, SPLIT_LABELS = "unanimous", "split"


@dataclass(frozen=True, slots=True)
class CaseFilter:
    """Which pairs of a report are wanted; what is empty does not matter.

    ``split`` is ``dev``, ``held_out``, or ``open`` for all that are not held out.
    ``gold`` and ``verdict`` are outcomes, or several with commas between, ``gold`` may
    be ``none``; ``slice`` is ``key=value``; ``labels`` is ``unanimous`` or ``split``,
    of pairs with two labels or more; ``wrong`` keeps those on which judge and gold
    differ. ``figure`` is a place of ``calibration.domain.behind``, for single reviewers
    with ``reviewer`` and ``other``.
    """

    split: str = OPEN
    gold: str = ""
    verdict: str = ""
    consistency: str = ""
    slice: str = ""
    labels: str = ""
    critical: bool = False
    wrong: bool = False
    figure: str = ""
    reviewer: str = ""
    other: str = ""


def pairs_of(report: Report) -> ReportPairQuerySet:
    """All pairs of a report, worked out the first time that somebody asks."""
    rows: ReportPairQuerySet = ReportPair.objects.filter(report=report)
    if not rows.exists():
        _work_out(report)
    return rows


@transaction.atomic
def _work_out(report: Report) -> None:
    Report.objects.select_for_update().get(pk=report.pk)
    if ReportPair.objects.filter(report=report).exists():  # somebody else was faster
        return
    run = report.run
    sample = build_sample(run, report.gold_version, pair_evidence(run))
    rows = [_row(report, one) for one in placed(sample.rows)]
    ReportPair.objects.bulk_create(rows, batch_size=BATCH)
    refresh_statistics(ReportPair, rows=len(rows))


def _row(report: Report, one: Placed) -> ReportPair:
    row = one.row
    return ReportPair(
        report=report,
        pair_id=int(row.pair),
        split=row.split.value if row.split else "",
        gold=row.gold.value if row.gold else "",
        verdict=row.verdict.value,
        consistency=row.consistency.value,
        worst_slice=one.worst[:300],
        rank=one.rank,
    )


@transaction.atomic
def open_held_out(*, report: Report, viewer: Viewer, now: datetime) -> None:
    """Take a look at the held-out pairs of a report one by one: a look of its own.

    Refused while they are sealed, and past the budget without a reason.
    """
    gold_set = locked(report.gold_version.gold_set_id)
    refuse_sealed(_pairs(report, held_out=True))
    held_out = held_out_digest(report)
    if held_out is None:
        raise Conflict("no_held_out", "This report has no held-out pair.")
    check_frozen(report)
    seen = Seen(
        gold_set,
        held_out,
        _subject(report),
        what=f"held-out pairs of report {report.pk}",
        config_digest=report.run.config.digest,
    )
    log_once(seen, viewer, now)
    note_held_out_seen(gold_set_id=gold_set.pk, now=now)


def held_out_is_open(report: Report, user: User) -> bool:
    """Whether this person has taken that look."""
    return Look.objects.filter(subject=_subject(report), looked_by=user).exists()


def _subject(report: Report) -> str:
    return digest_of(["pairs of", report.digest])


def refuse_closed(report: Report, *, held_out: bool, user: User) -> None:
    """Raise ``Sealed``, or ``NotAllowed`` where the look was not taken."""
    refuse_sealed(_pairs(report, held_out=held_out))
    if held_out and not held_out_is_open(report, user):
        raise NotAllowed(
            "look_needed",
            "Held-out pairs are shown one by one only in a look of their own: open one "
            "on the page of this report's disagreements.",
        )


def refuse_closed_pair(report: Report, pair_id: int, user: User) -> None:
    """As :func:`refuse_closed`, for the part that a pair of the gold version is in.

    It depends on nothing but the split that the pair was frozen in: not on whether it
    was judged, has gold, or is judged as its gold says.
    """
    items = GoldItem.objects.filter(version=report.gold_version_id, pair=pair_id)
    splits = list(items.values_list("split", flat=True))
    if splits:
        held_out = splits[0] == Split.HELD_OUT.value
        refuse_closed(report, held_out=held_out, user=user)


def _pairs(report: Report, *, held_out: bool) -> QuerySet[Pair]:
    rows = pairs_of(report).of_part(held_out=held_out)
    return Pair.objects.filter(pk__in=rows.values("pair"))


def cases(report: Report, wanted: CaseFilter, user: User) -> ReportPairQuerySet:
    """The pairs that a person asks for, by case."""
    held_out = wanted.split == Split.HELD_OUT.value
    refuse_closed(report, held_out=held_out, user=user)
    rows = pairs_of(report).of_part(held_out=held_out)
    if wanted.split == Split.DEV.value:
        rows = rows.filter(split=wanted.split)
    rows = _like(rows, wanted)
    if wanted.labels:
        rows = rows.filter(pair__in=_labelled(report, wanted.labels))
    if wanted.slice:
        rows = rows.filter(_in_slice(report, wanted.slice))
    if wanted.figure:
        rows = rows.filter(pair__in=_behind(report, wanted))
    return rows.select_related(
        "pair__case", "pair__baseline__system", "pair__candidate__system"
    ).order_by("pair__case__external_id", "pair_id")


def _like(rows: ReportPairQuerySet, wanted: CaseFilter) -> ReportPairQuerySet:
    """What the rows themselves tell."""
    if wanted.gold:
        golds = [name.replace("none", "") for name in wanted.gold.split(",")]
        rows = rows.filter(gold__in=golds)
    if wanted.verdict:
        rows = rows.filter(verdict__in=wanted.verdict.split(","))
    if wanted.consistency:
        rows = rows.filter(consistency=wanted.consistency)
    if wanted.critical:
        rows = rows.filter(pair__case__critical=True)
    return rows.filter(_WRONG) if wanted.wrong else rows


# Gold baseline, candidate or tie, and another verdict.
_WRONG = Q(rank__isnull=False) & ~Q(gold__in=["", Outcome.ABSTAIN.value])


def _behind(report: Report, wanted: CaseFilter) -> list[int]:
    """Pairs that only the sample can tell, which takes as long as the report did."""
    run = report.run
    sample = build_sample(run, report.gold_version, pair_evidence(run))
    found = behind(sample, wanted.figure, wanted.reviewer, wanted.other)
    return [int(sample.rows[place].pair) for place in np.flatnonzero(found)]


def _labelled(report: Report, how: str) -> list[int]:
    """Pairs whose labels, two or more, were all the same, or were not."""
    items = GoldItem.objects.filter(version=report.gold_version_id)
    return [
        pair
        for pair, labels in items.values_list("pair_id", "labels").iterator()
        if len(labels) > 1 and (len(set(labels)) == 1) == (how == UNANIMOUS)
    ]


def _in_slice(report: Report, named: str) -> Q:
    """Pairs of a slice; values are compared as texts, whatever the file held."""
    key, _, value = named.partition("=")
    gold_set = report.gold_version.gold_set_id
    if key == FORMAT_SLICE:
        return Q(pair__in=_in_form(gold_set, value))
    found = Case.objects.filter(gold_set_id=gold_set)
    chosen = [
        pk
        for pk, slices in found.values_list("pk", "slices").iterator(chunk_size=2000)
        if key in slices and str(slices[key]) == value
    ]
    return Q(pair__case__in=chosen)


def _in_form(gold_set: int, value: str) -> list[int]:
    """Pairs by the form of their responses, which is read from the texts."""
    known = Beside.of_texts()
    found = Pair.objects.filter(gold_set_id=gold_set)
    rows = found.select_related("case", "baseline", "candidate")
    return [
        pair.pk
        for pair in rows.iterator(chunk_size=2000)
        if known.slices_of(pair)[FORMAT_SLICE] == value
    ]
