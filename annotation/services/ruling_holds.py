"""Pairs on adjudicators' screens: a round leaves them alone until they are ruled on.

A held pair stays with its holder until they rule or give it back, or the hold runs
out. New rounds leave it out; a closed round that has it is not reopened meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.models import RulingHold, Seat
from config.errors import Conflict

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import QuerySet

    from annotation.models import Hearing, Round


def holds(*, now: datetime) -> QuerySet[RulingHold]:
    """The holds that have not run out."""
    return RulingHold.objects.filter(held_until__gt=now)


def held_pairs(*, gold_set_id: int, now: datetime) -> set[int]:
    """The pairs of a set that adjudicators have before them."""
    mine = holds(now=now).filter(pair__gold_set=gold_set_id)
    return set(mine.values_list("pair_id", flat=True))


def refuse_held(*, gold_set_id: int, pairs: Iterable[int], now: datetime) -> None:
    """Refuse to open a round over pairs that were named and are being ruled on."""
    held = held_pairs(gold_set_id=gold_set_id, now=now) & set(pairs)
    if held:
        detail = {"under_adjudication": len(held)}
        raise Conflict("round_held", _words(len(held)), detail)


def refuse_reopening(*, round_: Round, now: datetime) -> None:
    """Refuse to reopen a round while an adjudicator has a pair of it before them."""
    seats = Seat.objects.filter(round=round_)
    held = holds(now=now).filter(pair__in=seats.values("pair"))
    ends = sorted(held.values_list("held_until", flat=True))
    if not ends:
        return
    raise Conflict(
        "round_held",
        f"{_words(len(ends))} The last hold runs out at {ends[-1]:%H:%M} UTC, unless "
        "it is renewed by work.",
        {"under_adjudication": len(ends), "held_until": ends[-1].isoformat()},
    )


def _words(count: int) -> str:
    some = "1 pair is" if count == 1 else f"{count} pairs are"
    return f"{some} before an adjudicator now: wait for the ruling, or leave them out."


def lost_to_a_round(*, hearing: Hearing, now: datetime) -> bool:
    """Whether the hold ran out and an open round has the pair: nobody rules on it."""
    if holds(now=now).filter(hearing=hearing).exists():
        return False
    open_seats = Seat.objects.filter(round__closed_at__isnull=True)
    return open_seats.filter(pair=hearing.pair_id).exists()


def refuse_lost(*, hearing: Hearing, now: datetime) -> None:
    """Refuse a ruling on a pair that went back to be labelled."""
    if lost_to_a_round(hearing=hearing, now=now):
        raise Conflict(
            "pair_being_labelled",
            "Your hold ran out and the pair is being labelled again, so nobody rules "
            "on it until that round is closed. Your text is still here.",
        )
