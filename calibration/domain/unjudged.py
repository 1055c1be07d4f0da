"""Pairs of a set that a release run did not judge: they leave a decision open.

Whoever could leave out pairs unseen could leave out those that the candidate lost. Only
a declared panel, drawn by a seed before the run, may leave some out; and critical ones
that it left out are asked for all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calibration.domain.conditions import Condition
from calibration.domain.gates import GateResult, Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


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


def every_pair_condition(left_out: Mapping[str, Any]) -> Condition:
    """Whether the run judged every pair that it was to judge.

    ``n`` and the limit count the pairs of the set without those that a declared panel
    left out; the value is how many of them were judged.
    """
    wanted = left_out["of"] - left_out["panel"]
    judged = wanted - left_out["pairs"]
    missing = why = ""
    result = GateResult.PASS
    if not wanted:
        result, why = GateResult.TOO_FEW, "there is no such pair"
        missing = "a run with pairs"
    elif left_out["pairs"]:
        result = GateResult.NOT_SHOWN
        pairs = "pair" if left_out["pairs"] == 1 else "pairs"
        missing = f"verdicts on {left_out['pairs']} {pairs} of the set not judged"
    return Condition(
        key="everyPairJudged",
        result=result,
        value=float(judged) if wanted else None,
        numerator=judged if wanted else None,
        n=wanted,
        bound=float(judged) if wanted else None,
        limit=float(wanted) if wanted else None,
        side=Side.AT_LEAST,
        why=why,
        missing=missing,
        owner="run" if missing else "",
    )
