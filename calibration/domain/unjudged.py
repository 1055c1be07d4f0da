"""Pairs of a set that a release run did not judge: counted, and critical ones named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class SetPair:
    """A pair of the set: its number, and the case that it is of."""

    number: int
    case: str
    critical: bool
    systems: tuple[str, str]


def not_judged(
    pairs: Iterable[SetPair], judged: Sequence[dict[str, Any]], drawn_of: int | None
) -> dict[str, Any]:
    """What evidence says of the pairs that the run left out.

    ``of`` is how many pairs of these systems the set had, in the order they came to
    it; ``pairs`` how many of them were not judged; ``panel`` how many more a declared
    panel, drawn of the first ``drawn_of``, left out; ``critical_cases`` are those
    without a judged pair, whatever the reason.
    """
    numbers = {int(row["pair"]) for row in judged}
    systems = {tuple(row["systems"]) for row in judged}
    own = sorted(
        (pair for pair in pairs if not systems or pair.systems in systems),
        key=lambda pair: pair.number,
    )
    left = [place for place, pair in enumerate(own) if pair.number not in numbers]
    by_panel = [place for place in left if place < (drawn_of or 0)]
    known = {pair.case for pair in own if pair.number in numbers}
    critical = {own[place].case for place in left if own[place].critical}
    return {
        "of": len(own),
        "pairs": len(left) - len(by_panel),
        "panel": len(by_panel),
        "critical_cases": sorted(critical - known),
    }
