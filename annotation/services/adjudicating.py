"""Adding a ruling to a pair's chain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from annotation.domain.outcomes import Outcome
from annotation.domain.ruling_categories import offered_categories
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
    Hearing,
    Label,
    Pair,
    RulingRequest,
)
from annotation.services.adjudication_queue import BARRING
from annotation.services.exposures import record_exposures
from config.errors import Conflict, InvalidInput, NotAllowed

if TYPE_CHECKING:
    from datetime import datetime

    from config.accounts.models import User

LONGEST_NOTE = 20_000


@dataclass(frozen=True, slots=True)
class Opinion:
    """What an adjudicator says of a pair.

    ``category`` is one of all sets, or a code of the set's own.
    """

    outcome: Outcome
    category: RulingCategory | str
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
    hearing: Hearing | None = None,
) -> Adjudication:
    """Add a link to the pair's chain of rulings; nothing earlier is touched.

    ``after`` is the digest of the newest ruling that the adjudicator had before them,
    "" for none: a ruling made in ignorance of a newer one is refused. None leaves that
    out, for rulings that come from a file; these have no ``hearing`` either. Whoever
    rules has seen the labels, so they are never given the pair to label afterwards. A
    request to rule on the pair again is closed by this.
    """
    if (problem := opinion.problem()) is not None:
        raise InvalidInput("ruling_invalid", problem)
    _check_category(pair, opinion)
    request = RulingRequest.objects.filter(pair=pair, closed_at__isnull=True).first()
    _refuse_partial(pair, by)
    last = Adjudication.objects.filter(pair=pair).order_by("-sequence").first()
    if after is not None and after != (last.digest if last else ""):
        raise _raced()
    record_exposures(user=by, pair_ids=[pair.pk], kind=ExposureKind.RULING, now=now)
    try:
        with transaction.atomic():
            ruling = _link(pair, opinion, by, now, last)
            ruling.hearing = hearing
            ruling.request = request
            ruling.first_outcome = hearing.first_outcome if hearing else ""
            ruling.save(force_insert=True)
    except IntegrityError as error:
        raise _raced() from error
    if request is not None:
        RulingRequest.objects.filter(pk=request.pk).update(closed_at=now)
    return ruling


def _link(
    pair: Pair, opinion: Opinion, by: User, now: datetime, last: Adjudication | None
) -> Adjudication:
    """The next link of the pair's chain, not stored yet."""
    guideline = Guideline.objects.in_force(pair.gold_set_id)
    ruling = Ruling(
        pair=pair.digest,
        outcome=opinion.outcome,
        category=str(opinion.category),
        note=opinion.note,
        author=by.get_username(),
        at=now,
        guideline=guideline.digest if guideline else "",
    )
    link = next_link(ruling, link_of(last) if last else None)
    return Adjudication(
        pair=pair,
        sequence=last.sequence + 1 if last else 1,
        adjudicator=by,
        outcome=opinion.outcome.value,
        category=str(opinion.category),
        note=opinion.note,
        after_judge=_judged_before(pair, now),
        guideline=guideline,
        previous_digest=link.previous or "",
        digest=link.digest,
        created_at=now,
    )


def _raced() -> Conflict:
    return Conflict(
        "ruling_raced",
        "Somebody else ruled on this pair first. Your text is still here.",
    )


def _check_category(pair: Pair, opinion: Opinion) -> None:
    own = offered_categories(pair.gold_set.ruling_categories)
    known = {*RulingCategory, *(category.code for category in own)}
    if opinion.category not in known:
        raise InvalidInput("ruling_invalid", "category: this gold set has no such one")


def _refuse_partial(pair: Pair, by: User) -> None:
    """Refuse who labelled the pair, knows too much of it, or asked for the ruling."""
    if Label.objects.filter(pair=pair, reviewer=by).exists():
        raise NotAllowed("own_pair", "You labelled this pair yourself.")
    if Exposure.objects.filter(pair=pair, user=by, kind__in=BARRING).exists():
        raise NotAllowed("pair_exposed", "You know results of this pair already.")
    if RulingRequest.objects.filter(pair=pair, requested_by=by).exists():
        raise NotAllowed(
            "own_request",
            "You asked for this ruling, so somebody else gives it.",
        )


def link_of(row: Adjudication) -> RulingLink:
    """The chain link that a stored ruling stands for."""
    ruling = Ruling(
        pair=row.pair.digest,
        outcome=Outcome(row.outcome),
        category=row.category,
        note=row.note,
        author=row.adjudicator.get_username(),
        at=row.created_at,
        guideline=row.guideline.digest if row.guideline else "",
    )
    return RulingLink(ruling, row.previous_digest or None, row.digest)


def _judged_before(pair: Pair, now: datetime) -> bool:
    """Derived, never typed: did judge results exist, or anyone see them, before this?

    The second covers verdicts that were looked at under another set of the same texts.
    """
    judged_at = pair.gold_set.judged_at
    if judged_at is not None and judged_at <= now:
        return True
    return Exposure.objects.filter(
        pair__texts_digest=pair.texts_digest,
        kind=ExposureKind.VERDICTS,
        seen_at__lte=now,
    ).exists()
