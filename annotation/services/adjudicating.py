"""Rulings on pairs that the consensus rule left open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from annotation.domain.outcomes import Outcome
from annotation.domain.rulings import (
    Ruling,
    RulingCategory,
    RulingLink,
    next_link,
    note_problem,
)
from annotation.models import (
    Adjudication,
    Exposure,
    ExposureKind,
    Guideline,
    Label,
    Pair,
)
from annotation.services.exposures import record_exposures
from config.errors import Conflict, InvalidInput, NotAllowed

if TYPE_CHECKING:
    from datetime import datetime

    from config.accounts.models import User

LONGEST_NOTE = 20_000


@dataclass(frozen=True, slots=True)
class Opinion:
    """What an adjudicator says of a pair."""

    outcome: Outcome
    category: RulingCategory
    note: str

    def problem(self) -> str | None:
        """Why this ruling can't be taken, in words, or None."""
        if len(self.note) > LONGEST_NOTE:
            return f"note: longer than {LONGEST_NOTE} characters"
        found = note_problem(self.note)
        return None if found is None else f"note: {found}"


@transaction.atomic
def adjudicate(
    *,
    pair: Pair,
    opinion: Opinion,
    by: User,
    now: datetime,
    after: str | None = None,
) -> Adjudication:
    """Add a link to the pair's chain of rulings; nothing earlier is touched.

    ``after`` is the digest of the newest ruling that the adjudicator had before them,
    "" for none: a ruling made in ignorance of a newer one is refused. None leaves that
    out, for rulings that come from a file. Whoever rules has seen the labels, so they
    are never given the pair to label afterwards.
    """
    if (problem := opinion.problem()) is not None:
        raise InvalidInput("ruling_invalid", problem)
    _refuse_partial(pair, by)
    last = Adjudication.objects.filter(pair=pair).order_by("-sequence").first()
    if after is not None and after != (last.digest if last else ""):
        raise _raced()
    record_exposures(user=by, pair_ids=[pair.pk], kind=ExposureKind.LABELS, now=now)
    guideline = Guideline.objects.in_force(pair.gold_set_id)
    ruling = Ruling(
        pair=pair.digest,
        outcome=opinion.outcome,
        category=opinion.category,
        note=opinion.note,
        author=by.get_username(),
        at=now,
        guideline=guideline.digest if guideline else "",
    )
    link = next_link(ruling, link_of(last) if last else None)
    try:
        with transaction.atomic():
            return Adjudication.objects.create(
                pair=pair,
                sequence=last.sequence + 1 if last else 1,
                adjudicator=by,
                outcome=opinion.outcome.value,
                category=opinion.category.value,
                note=opinion.note,
                after_judge=_judged_before(pair, now),
                guideline=guideline,
                previous_digest=link.previous or "",
                digest=link.digest,
                created_at=now,
            )
    except IntegrityError as error:
        raise _raced() from error


def _raced() -> Conflict:
    return Conflict(
        "ruling_raced",
        "Somebody else ruled on this pair first. Your text is still here.",
    )


def _refuse_partial(pair: Pair, by: User) -> None:
    """Refuse who labelled the pair, or knows its systems or what a judge said."""
    if Label.objects.filter(pair=pair, reviewer=by).exists():
        raise NotAllowed("own_pair", "You labelled this pair yourself.")
    seen = Exposure.objects.filter(
        pair=pair, user=by, kind__in=[ExposureKind.SYSTEMS, ExposureKind.VERDICTS]
    )
    if seen.exists():
        raise NotAllowed(
            "pair_exposed", "You know this pair's systems or verdicts already."
        )


def link_of(row: Adjudication) -> RulingLink:
    """The chain link that a stored ruling stands for."""
    ruling = Ruling(
        pair=row.pair.digest,
        outcome=Outcome(row.outcome),
        category=RulingCategory(row.category),
        note=row.note,
        author=row.adjudicator.get_username(),
        at=row.created_at,
        guideline=row.guideline.digest if row.guideline else "",
    )
    return RulingLink(ruling, row.previous_digest or None, row.digest)


def _judged_before(pair: Pair, now: datetime) -> bool:
    """Derived, never typed: did judge results exist when this was ruled?"""
    judged_at = pair.gold_set.judged_at
    return judged_at is not None and judged_at <= now
