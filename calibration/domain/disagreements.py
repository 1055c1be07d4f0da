"""In which order disagreements of judge and gold are worth looking at.

Worst slices first, and within a slice flips first: a judge that changes its mind with
the order has failed whatever the gold is.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.domain.intervals import wilson
from annotation.domain.outcomes import Split
from judging.domain.terms import Consistency

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from calibration.domain.samples import Row

Slice = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Placed:
    """One pair, and the worst slice that it is in; ``rank`` is None of no disagreement.

    Ranks begin at 1, for held-out pairs after all others.
    """

    row: Row
    worst: str
    rank: int | None


def disagrees(row: Row) -> bool:
    """Whether there is gold and the verdict is another; an invalid one always is."""
    return row.gold is not None and row.verdict.value != row.gold.value


def placed(rows: Iterable[Row]) -> tuple[Placed, ...]:
    """Rank the disagreements among ``rows``, dev and held-out pairs each on their own.

    A slice is as bad as the lower Wilson limit of its rate of disagreement, so that one
    bad pair of two does not come before twenty of a hundred.
    """
    rows = list(rows)
    held_out = [row for row in rows if row.split is Split.HELD_OUT]
    others = [row for row in rows if row.split is not Split.HELD_OUT]
    found: list[Placed] = []
    for part in (others, held_out):
        found += _ranked(part, sum(one.rank is not None for one in found))
    return tuple(found)


def _ranked(rows: Sequence[Row], before: int) -> list[Placed]:
    badness = _badness(rows)
    worst = {row.pair: _worst(row, badness) for row in rows}
    wrong = sorted(
        (row for row in rows if disagrees(row)),
        key=lambda row: (
            -worst[row.pair][0],
            worst[row.pair][1],
            row.consistency is not Consistency.FLIP,
            row.case,
            row.pair,
        ),
    )
    ranks = {row.pair: before + place for place, row in enumerate(wrong, start=1)}
    return [Placed(row, worst[row.pair][1], ranks.get(row.pair)) for row in rows]


def _badness(rows: Sequence[Row]) -> Mapping[Slice, float]:
    total: defaultdict[Slice, int] = defaultdict(int)
    wrong: defaultdict[Slice, int] = defaultdict(int)
    for row in rows:
        if row.gold is None:
            continue
        for named in row.slices.items():
            total[named] += 1
            wrong[named] += disagrees(row)
    return {named: wilson(wrong[named], n).low for named, n in total.items()}


def _worst(row: Row, badness: Mapping[Slice, float]) -> tuple[float, str]:
    """The worst slice of a pair and how bad it is; the first by name of equal ones."""
    mine = [(-badness.get(named, 0.0), named) for named in row.slices.items()]
    if not mine:
        return 0.0, ""
    low, (key, value) = min(mine)
    return -low, f"{key} = {value}"
