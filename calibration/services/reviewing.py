"""Walking the disagreements of judge and gold, and finding what each of them is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from django.db import IntegrityError, transaction
from django.db.models import Max, OuterRef, Subquery

from annotation.domain.outcomes import Split
from annotation.domain.rulings import RulingCategory, note_problem
from annotation.models import (
    Adjudication,
    ExposureKind,
    GoldItem,
    Label,
    Pair,
    RulingRequest,
)
from annotation.services.aliases import reviewer_aliases
from annotation.services.corrections import LONGEST_NOTE, request_corrections
from annotation.services.exposures import record_exposures
from calibration.models import Disposition, Finding, ReportPair
from calibration.services.report_cases import (
    pairs_of,
    refuse_closed,
    refuse_closed_pair,
)
from config.errors import Conflict, InvalidInput, NotFound

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import QuerySet

    from calibration.models import Report
    from config.accounts.models import User

SEEN = (ExposureKind.LABELS, ExposureKind.SYSTEMS, ExposureKind.VERDICTS)


@dataclass(frozen=True, slots=True)
class Said:
    """A label that counted as the gold was frozen, under its author's alias."""

    by: str
    outcome: str
    note: str


@dataclass(frozen=True, slots=True)
class Review:
    """One disagreement with everything that bears on it."""

    row: ReportPair
    pair: Pair
    gold: GoldItem
    labels: tuple[Said, ...]
    rulings: tuple[Adjudication, ...]
    history: tuple[Disposition, ...]
    place: int
    total: int
    before: int | None
    after: int | None

    @property
    def current(self) -> Disposition | None:
        """The finding in force."""
        return self.history[-1] if self.history else None


def disagreements(
    report: Report, *, held_out: bool, user: User
) -> QuerySet[ReportPair, ReportPair]:
    """The disagreements of one part in the order to walk them, with their findings."""
    refuse_closed(report, held_out=held_out, user=user)
    newest = Disposition.objects.filter(
        run=report.run_id, gold_version=report.gold_version_id, pair=OuterRef("pair")
    ).order_by("-revision")
    return (
        pairs_of(report)
        .of_part(held_out=held_out)
        .disagreeing()
        .annotate(finding=Subquery(newest.values("finding")[:1]))
        .select_related(
            "pair__case", "pair__baseline__system", "pair__candidate__system"
        )
    )


@transaction.atomic
def review(*, report: Report, pair_id: int, user: User, now: datetime) -> Review:
    """One disagreement; whoever sees it never labels or rules on the pair."""
    row = _row(report, pair_id, user)
    record_seen(user=user, pair_ids=[pair_id], now=now)
    walk = list(
        pairs_of(report)
        .of_part(held_out=row.split == Split.HELD_OUT.value)
        .disagreeing()
        .values_list("pair_id", flat=True)
    )
    at = walk.index(pair_id)
    pair = Pair.objects.with_texts().get(pk=pair_id)
    gold = GoldItem.objects.get(version=report.gold_version_id, pair=pair_id)
    return Review(
        row=row,
        pair=pair,
        gold=gold,
        labels=_labels(report, pair),
        rulings=tuple(
            Adjudication.objects.filter(
                pair=pair, created_at__lte=report.gold_version.created_at
            ).order_by("sequence")
        ),
        history=tuple(_history(report, pair_id)),
        place=at + 1,
        total=len(walk),
        before=walk[at - 1] if at else None,
        after=walk[at + 1] if at + 1 < len(walk) else None,
    )


def record_seen(*, user: User, pair_ids: Iterable[int], now: datetime) -> None:
    """Note that a person saw gold, systems and verdicts of pairs."""
    ids = list(pair_ids)
    for kind in SEEN:
        record_exposures(user=user, pair_ids=ids, kind=kind, now=now)


def _row(report: Report, pair_id: int, user: User) -> ReportPair:
    # Whether a pair may be shown is asked first: what comes after tells whether judge
    # and gold agree on it.
    refuse_closed_pair(report, pair_id, user)
    row = pairs_of(report).filter(pair=pair_id, rank__isnull=False).first()
    if row is None:
        raise NotFound("disagreement_unknown", "There is no such disagreement.")
    return row


def _labels(report: Report, pair: Pair) -> tuple[Said, ...]:
    version = report.gold_version
    aliases = reviewer_aliases(version.gold_set)
    rows = Label.objects.counted().filter(pair=pair, created_at__lte=version.created_at)
    # What an author said later, in another round too, replaces what they said before.
    said = {
        (row.reviewer_id, row.external_reviewer): row for row in rows.order_by("pk")
    }
    return tuple(
        sorted(
            (Said(aliases[who], row.outcome, row.note) for who, row in said.items()),
            key=lambda one: one.by,
        )
    )


def _history(report: Report, pair_id: int) -> QuerySet[Disposition]:
    return (
        Disposition.objects.filter(
            run=report.run_id, gold_version=report.gold_version_id, pair=pair_id
        )
        .select_related("decided_by")
        .order_by("revision")
    )


@transaction.atomic
def dispose(
    *,
    report: Report,
    pair_id: int,
    finding: Finding,
    note: str,
    by: User,
    now: datetime,
) -> Disposition:
    """Store what a disagreement was found to be; earlier findings stay on record.

    ``gold_wrong`` sends the pair to be ruled on again, blind and among controls, by
    anybody else (DESIGN rule 14), unless it waits for that already.
    """
    row = _row(report, pair_id, by)
    note = note.strip()
    problem = note_problem(note)
    if problem is None and len(note) > LONGEST_NOTE:
        problem = f"longer than {LONGEST_NOTE} characters"
    if problem is not None:
        raise InvalidInput("note_invalid", f"note: {problem}")
    last = _history(report, pair_id).aggregate(n=Max("revision"))["n"] or 0
    batch = None
    if finding is Finding.GOLD_WRONG:
        batch = _send(report, row, last, note=note, by=by, now=now)
    try:
        with transaction.atomic():
            return Disposition.objects.create(
                run=report.run, gold_version=report.gold_version, pair_id=pair_id,
                finding=finding.value, note=note, revision=last + 1, batch=batch,
                decided_at=now, decided_by=by,
            )  # fmt: skip
    except IntegrityError as error:
        raise Conflict(
            "disposition_raced", "Somebody else decided on this pair just now."
        ) from error


def _send(
    report: Report, row: ReportPair, last: int, *, note: str, by: User, now: datetime
) -> uuid.UUID | None:
    waiting = RulingRequest.objects.filter(closed_at__isnull=True)
    if waiting.filter(pair=row.pair_id).exists():
        return None
    control = _control(report, row, last, waiting)
    pairs = Pair.objects.select_related("gold_set", "case").in_bulk(
        [row.pair_id, control]
    )
    sent = request_corrections(
        pairs=[pairs[row.pair_id]],
        controls=[pairs[control]],
        by=by,
        category=RulingCategory.GOLD_WRONG,
        note=note,
        now=now,
        vouched=True,
    )
    return sent[0].batch


def _control(
    report: Report, row: ReportPair, last: int, waiting: QuerySet[RulingRequest]
) -> int:
    """A pair of the same part on which judge and gold agree, drawn by seed."""
    agreeing = (
        pairs_of(report)
        .of_part(held_out=row.split == Split.HELD_OUT.value)
        .filter(rank__isnull=True)
        .exclude(gold="")
        .exclude(pair__in=waiting.values("pair"))
        .order_by("pair_id")
    )
    ids = list(agreeing.values_list("pair_id", flat=True))
    if not ids:
        raise Conflict(
            "too_few_controls",
            "No pair is left on which judge and gold agree: a correction is ruled on "
            "only among such pairs, so that whoever rules can't tell which it is.",
        )
    seed = [int(report.digest[:8], 16), row.pair_id, last]
    drawn: int = ids[int(np.random.default_rng(seed).integers(len(ids)))]
    return drawn
