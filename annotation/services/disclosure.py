"""A round whose labels were shown to anyone but their author can't be reopened.

Nobody shows labels of an open round (DESIGN rule 6), and who would be the first to show
those of a closed one is told its name before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import ExposureKind, Round, Seat
from config.errors import Conflict

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

    from annotation.models import Pair

# Labels one by one, or the consensus that follows from them. Systems and verdicts are
# no results of a round: they keep a person from a pair, and the round as it is.
RESULTS = (ExposureKind.LABELS, ExposureKind.RULING)
CHUNK = 500
EXAMPLES = 5
LONGEST_ID = 19


class WouldDisclose(Conflict):
    """Labels of closed rounds would be shown for the first time: ``rounds`` say which.

    Whoever goes on names these rounds.
    """

    def __init__(self, rounds: tuple[Round, ...]) -> None:
        names = [{"id": round_.pk, "name": round_.name} for round_ in rounds]
        super().__init__(
            "would_disclose",
            f"This shows labels of {round_names(rounds)} for the first time. After it "
            "no more labels can be taken there: a round that was disclosed is not "
            "reopened.",
            {"rounds": names},
        )
        self.rounds = rounds


@dataclass(frozen=True, slots=True)
class AtStake:
    """The rounds with a label on some pairs: open ones, and those nobody was shown."""

    open: tuple[Round, ...]
    undisclosed: tuple[Round, ...]


def at_stake(pair_ids: Iterable[int]) -> AtStake:
    """What showing these pairs' labels would disclose."""
    ids, found = sorted(set(pair_ids)), dict[int, Round]()
    for start in range(0, len(ids), CHUNK):
        seats = _labelled().filter(pair__in=ids[start : start + CHUNK])
        found |= Round.objects.in_bulk(list(seats.values_list("round", flat=True)))
    rounds = sorted(found.values(), key=lambda round_: round_.pk)
    return AtStake(
        open=tuple(r for r in rounds if r.is_open),
        undisclosed=tuple(
            r for r in rounds if not r.is_open and r.disclosed_at is None
        ),
    )


def refuse_unsaid(
    pairs: QuerySet[Pair] | Iterable[int], *, disclosing: Collection[int]
) -> None:
    """Raise ``WouldDisclose`` unless each round that these pairs disclose is named."""
    if isinstance(pairs, QuerySet):
        found = _undisclosed(pairs)
    else:
        found = at_stake(pairs).undisclosed
    if any(round_.pk not in disclosing for round_ in found):
        raise WouldDisclose(found)


def rounds_agreed(sent: Iterable[str]) -> set[int]:
    """The rounds that somebody said may be disclosed; what is no number is none."""
    words = (word for word in sent if word.isascii() and word.isdecimal())
    return {int(word) for word in words if len(word) <= LONGEST_ID}


def _undisclosed(pairs: QuerySet[Pair]) -> tuple[Round, ...]:
    mine = _labelled().filter(round=OuterRef("pk"), pair__in=pairs.order_by())
    closed = Round.objects.filter(closed_at__isnull=False, disclosed_at__isnull=True)
    sets = pairs.order_by().values("gold_set")
    return tuple(closed.filter(Exists(mine), gold_set__in=sets).order_by("pk"))


def being_labelled(gold_set_id: int) -> QuerySet[Round]:
    """The open rounds of a set that have labels."""
    open_ones = Round.objects.filter(gold_set=gold_set_id, closed_at__isnull=True)
    return open_ones.filter(Exists(_labelled().filter(round=OuterRef("pk")))).order_by(
        "pk"
    )


def refuse_open_rounds(gold_set_id: int, *, to: str) -> None:
    """Refuse what takes labels from rounds in which people still label blind."""
    rounds = tuple(being_labelled(gold_set_id))
    if not rounds:
        return
    raise Conflict(
        "rounds_open",
        f"People still label in {round_names(rounds)}: close it before you {to}, so "
        "that nothing of it is shown while they do.",
        {"rounds": [{"id": round_.pk, "name": round_.name} for round_ in rounds]},
    )


def round_names(rounds: tuple[Round, ...]) -> str:
    """The rounds by name, for a sentence."""
    shown = ", ".join(f"“{round_.name}”" for round_ in rounds[:EXAMPLES])
    more = len(rounds) - EXAMPLES
    return f"{shown} and {more} more" if more > 0 else shown


def _labelled() -> QuerySet[Seat]:
    return Seat.objects.filter(available_at__isnull=True)


def note_disclosed(*, pairs: QuerySet[Pair] | Iterable[int], now: datetime) -> None:
    """Mark the rounds that have a label on any of these pairs; the first time is kept.

    Called wherever an exposure to labels is recorded: adjudication, chains of rulings,
    gold versions and their differences, exports.
    """
    labelled = _labelled()
    if isinstance(pairs, QuerySet):
        of_these = pairs.order_by().filter(pk=OuterRef("pair_id"))
        _mark(labelled.filter(Exists(of_these)), now)
        return
    ids = sorted(set(pairs))
    for start in range(0, len(ids), CHUNK):
        _mark(labelled.filter(pair__in=ids[start : start + CHUNK]), now)


def _mark(seats: QuerySet[Seat], now: datetime) -> None:
    Round.objects.filter(
        pk__in=seats.values("round"), disclosed_at__isnull=True
    ).update(disclosed_at=now)
