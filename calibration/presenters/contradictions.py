"""Contradictions in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calibration.presenters.figures import count_text

if TYPE_CHECKING:
    from calibration.domain.contradictions import Contradiction, Said


@dataclass(frozen=True, slots=True)
class ContradictionRow:
    """One case: what must change for a ranking, and why."""

    case: str
    tov: int
    excess: int
    unsteady: tuple[str, ...]
    cycles: tuple[str, ...]


def contradiction_rows(
    found: tuple[Contradiction, ...],
) -> tuple[ContradictionRow, ...]:
    """Every case in words."""
    return tuple(
        ContradictionRow(
            one.case,
            one.tov,
            one.excess,
            tuple(map(_unsteady, one.unsteady)),
            tuple("; ".join(map(said_text, cycle)) for cycle in one.cycles),
        )
        for one in found
    )


def said_text(said: Said) -> str:
    """What both orders together say of two systems."""
    if said.steady:
        return _one(said, said.there)
    return f"{_one(said, said.there)} or {_one(said, said.back)}, by the order"


def _unsteady(said: Said) -> str:
    return (
        f"{_one(said, said.there)} with {said.first} first, "
        f"{_one(said, said.back)} with {said.second} first"
    )


def _one(said: Said, towards: int) -> str:
    if towards == 0:
        return f"{said.first} and {said.second} tie"
    better, worse = (said.first, said.second)[:: 1 if towards > 0 else -1]
    return f"{better} beats {worse}"


def counted_text(shown: int, total: int) -> str:
    """How many cases there are, and how many of them are listed."""
    text = count_text(total, "case")
    return f"{text}, of which the worst {shown:,} are listed" if shown < total else text
