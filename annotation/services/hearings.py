"""An adjudicator's work: the next pair, a first ruling made blind, and the ruling."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from annotation.domain.hearings import order_for
from annotation.domain.outcomes import Order, SlotChoice, outcome_of
from annotation.domain.ruling_categories import offered_categories
from annotation.models import (
    Adjudication,
    ExposureKind,
    Hearing,
    Pair,
    RulingHold,
)
from annotation.services.adjudicating import Opinion, adjudicate
from annotation.services.adjudication_queue import Waiting, count, queue_of
from annotation.services.exposures import record_exposures
from annotation.services.ruling_holds import lost_to_a_round, refuse_lost
from config.accounts.models import User
from config.errors import Conflict, InvalidInput, NotFound

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from annotation.services.disputes import Candidate

HOLD = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class Docket:
    """What an adjudicator has before them: a pair, or why there is none.

    ``wait_until`` is when the first of the pairs that others hold may come free.
    """

    hearing: Hearing | None
    waiting: Waiting
    wait_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """What an adjudicator sends: a slot of the order they see, a category, a note."""

    choice: SlotChoice
    category: str
    note: str


@transaction.atomic
def next_hearing(*, adjudicator: User, now: datetime) -> Docket:
    """Give the pair this person holds again, or hold another one for them.

    Numbered because of the races: (1) the requests of one person (two tabs, a double
    click) wait for each other; (2) a pair that is still theirs and still waits is
    renewed, expired or not, as nobody else has taken it; (3) otherwise the first pair
    that the database lets them hold is theirs: it refuses a second hold on a pair.
    """
    _one_at_a_time(adjudicator)
    queue = queue_of(adjudicator=adjudicator, now=now)
    hearing = _renewed(queue, adjudicator, now) or _taken(queue, adjudicator, now)
    if hearing is not None and not _first_ruling_due(hearing):
        _reveal(hearing, now)
    waits = [c.held_until for c in queue if c.held_until is not None]
    return Docket(
        hearing=hearing,
        waiting=count(queue, adjudicator),
        wait_until=min(waits) if waits and hearing is None else None,
    )


def _renewed(
    queue: list[Candidate], adjudicator: User, now: datetime
) -> Hearing | None:
    hold = RulingHold.objects.filter(adjudicator=adjudicator).first()
    if hold is None:
        return None
    mine = next((c for c in queue if c.pair_id == hold.pair_id), None)
    if mine is None:
        hold.delete()
        return None
    hearing = _hearing(mine, adjudicator, now)
    # Somebody may have taken an expired hold since it was read.
    kept = RulingHold.objects.filter(pk=hold.pk).update(
        hearing=hearing, held_until=now + HOLD
    )
    return hearing if kept else None


def _taken(queue: list[Candidate], adjudicator: User, now: datetime) -> Hearing | None:
    for candidate in queue:
        if candidate.held_until is not None:
            continue
        try:
            with transaction.atomic():
                hearing = _hearing(candidate, adjudicator, now)
                _hold(hearing, now)
        except (IntegrityError, _Ruled):
            continue  # somebody was first: with a hold, or already with a ruling
        return hearing
    return None


class _Ruled(Exception):
    """The pair was ruled on after the queue was read, so nobody holds it any more."""


def _hold(hearing: Hearing, now: datetime) -> None:
    RulingHold.objects.filter(pair=hearing.pair, held_until__lte=now).delete()
    RulingHold.objects.create(
        pair=hearing.pair,
        adjudicator=hearing.adjudicator,
        hearing=hearing,
        held_until=now + HOLD,
    )
    newer = Adjudication.objects.filter(
        pair=hearing.pair, previous_digest=hearing.after
    )
    if newer.exists():
        raise _Ruled


def _hearing(candidate: Candidate, adjudicator: User, now: datetime) -> Hearing:
    """This person's hearing of a pair at this end of its chain; the same one again."""
    pair = Pair.objects.with_texts().get(pk=candidate.pair_id)
    hearing, _ = Hearing.objects.get_or_create(
        adjudicator=adjudicator,
        pair=pair,
        after=candidate.head,
        defaults={
            "order": order_for(pair.gold_set.seed, adjudicator.pk, pair.digest).value,
            "opened_at": now,
        },
    )
    hearing.pair = pair
    return hearing


def _first_ruling_due(hearing: Hearing) -> bool:
    """Whether this person is to rule once before the labels are shown."""
    asked = hearing.pair.gold_set.blind_first_ruling
    return asked and hearing.first_at is None and hearing.revealed_at is None


def _reveal(hearing: Hearing, now: datetime) -> None:
    """Note that the labels are being shown, and so disclosed out of their rounds."""
    if hearing.revealed_at is not None:
        return
    hearing.revealed_at = now
    hearing.save(update_fields=["revealed_at"])
    record_exposures(
        user=hearing.adjudicator,
        pair_ids=[hearing.pair_id],
        kind=ExposureKind.RULING,
        now=now,
    )


@transaction.atomic
def rule_first(
    *, token: str, adjudicator: User, choice: SlotChoice, now: datetime
) -> Hearing:
    """Keep what was ruled before the labels were shown, and show them.

    It can't be changed afterwards; the same choice sent twice is kept once.
    """
    hearing = _locked(token, adjudicator)
    outcome = outcome_of(choice, Order(hearing.order)).value
    if not hearing.pair.gold_set.blind_first_ruling:
        raise Conflict("first_ruling_unasked", "This set asks for no first ruling.")
    if hearing.first_at is None and hearing.revealed_at is None:
        _refuse_done(hearing)
        refuse_lost(hearing=hearing, now=now)
        hearing.first_outcome, hearing.first_at = outcome, now
        hearing.save(update_fields=["first_outcome", "first_at"])
        _reveal(hearing, now)
    elif hearing.first_outcome != outcome:
        raise Conflict(
            "first_ruling_in", "You have seen the labels; your first ruling stays."
        )
    return hearing


@transaction.atomic
def rule(
    *, token: str, adjudicator: User, statement: Statement, now: datetime
) -> Adjudication:
    """Store a ruling; the same one sent twice is stored once.

    Refused where somebody else ruled on the pair since it was shown, even if this
    person's hold had not run out: the page then keeps the text.
    """
    hearing = _locked(token, adjudicator)
    opinion = _opinion(hearing, statement)
    earlier = Adjudication.objects.filter(hearing=hearing).first()
    if earlier is not None:
        return _same(earlier, opinion)
    refuse_lost(hearing=hearing, now=now)
    if hearing.revealed_at is None:
        raise Conflict(
            "first_ruling_missing", "This gold set asks for a first ruling made blind."
        )
    ruling = adjudicate(
        pair=hearing.pair,
        opinion=opinion,
        by=adjudicator,
        now=now,
        after=hearing.after,
        hearing=hearing,
    )
    RulingHold.objects.filter(hearing=hearing).delete()
    return ruling


def _opinion(hearing: Hearing, statement: Statement) -> Opinion:
    own = hearing.pair.gold_set.ruling_categories
    if statement.category not in {one.code for one in offered_categories(own)}:
        raise InvalidInput("ruling_invalid", "category: not one of those offered")
    return Opinion(
        outcome=outcome_of(statement.choice, Order(hearing.order)),
        category=statement.category,
        note=statement.note,
    )


def _same(earlier: Adjudication, opinion: Opinion) -> Adjudication:
    said = (earlier.outcome, earlier.category, earlier.note)
    if said != (opinion.outcome.value, str(opinion.category), opinion.note):
        raise Conflict("already_ruled", "You have ruled on this pair already.")
    return earlier


@transaction.atomic
def give_back(*, token: str, adjudicator: User, now: datetime) -> Hearing:
    """Give a pair back: somebody else will rule on it."""
    hearing = _locked(token, adjudicator)
    _refuse_done(hearing)
    if hearing.given_back_at is None:
        hearing.given_back_at = now
        hearing.save(update_fields=["given_back_at"])
    RulingHold.objects.filter(hearing=hearing).delete()
    return hearing


@transaction.atomic
def keep(*, token: str, adjudicator: User, now: datetime) -> bool:
    """Renew a hold by activity; False where it was lost to somebody else or a round."""
    hearing = _locked(token, adjudicator)
    if lost_to_a_round(hearing=hearing, now=now):
        return False
    return bool(
        RulingHold.objects.filter(hearing=hearing).update(held_until=now + HOLD)
    )


def _refuse_done(hearing: Hearing) -> None:
    if Adjudication.objects.filter(hearing=hearing).exists():
        raise Conflict("already_ruled", "You have ruled on this pair already.")


def _one_at_a_time(adjudicator: User) -> None:
    """Let the requests of one person wait for each other until the transaction ends."""
    User.objects.select_for_update(no_key=True).get(pk=adjudicator.pk)


def _locked(token: str, adjudicator: User) -> Hearing:
    """The hearing, once this person's other requests are over."""
    _one_at_a_time(adjudicator)
    return _of(Hearing.objects.all(), token, adjudicator)


def own_hearing(*, token: str, adjudicator: User) -> Hearing:
    """A pair that is or was before this person; others do not learn of it."""
    return _of(Hearing.objects.all(), token, adjudicator)


def ruled_hearing(*, token: str, adjudicator: User) -> Hearing:
    """A hearing in which this person has ruled; others do not learn of it."""
    ruled = Hearing.objects.filter(ruling__isnull=False)
    return _of(ruled, token, adjudicator)


def _of(rows: QuerySet[Hearing], token: str, adjudicator: User) -> Hearing:
    found = rows.filter(token=token, adjudicator=adjudicator).first()
    if found is None:
        raise NotFound("hearing_unknown", "There is no such pair before you.")
    return found
