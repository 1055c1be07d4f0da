"""The validated sample: the only thing that a metric accepts.

One row is one pair, the unit of analysis. A sample is checked once, when it is built,
and turned into integer columns once; selections share that work.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

import numpy as np

from calibration.domain.columns import Columns
from calibration.domain.validation import check_rows, check_systems

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from annotation.domain.outcomes import Order, Outcome, SlotChoice, Split
    from calibration.domain.columns import Indices, Mask
    from judging.domain.terms import (
        Consistency,
        InvalidReason,
        JudgeOutcome,
        TieSource,
    )


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """What one call came to.

    ``choice`` is missing exactly when the call is invalid, and then there is a reason.
    """

    order: Order
    repeat: int
    outcome: JudgeOutcome
    choice: SlotChoice | None = None
    reason: InvalidReason | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One pair: what people said (``gold``), what the judge said, and how it said it.

    ``systems`` is (baseline, candidate). ``cluster`` is the pair's group, or its case
    where it has none. ``gold`` is None while nobody has ruled. ``baseline_first`` and
    ``candidate_first`` are the outcomes of the two orders, after repeats; ``verdict``
    is what the frozen combining rule made of them. ``labels`` are the reviewers'
    outcomes, in no order, and ``reviewers`` the same by anonymous name where it is
    known who said what, ``reviewer_orders`` the order that each saw, where known;
    ``lengths`` are characters of (baseline, candidate), None where they are not known.
    ``by_marks`` is what single marks of the two responses come to; ``formatted`` is the
    side that alone is more than plain text, ``own_family`` the side that alone is of
    the judge's family; each is None where there is no such thing. ``copy_of`` names the
    case whose texts a case repeats.
    """

    pair: str
    case: str
    cluster: str
    systems: tuple[str, str]
    split: Split | None
    slices: Mapping[str, str]
    critical: bool
    gold: Outcome | None
    gold_source: str
    baseline_first: JudgeOutcome
    candidate_first: JudgeOutcome
    verdict: JudgeOutcome
    consistency: Consistency
    tie_source: TieSource | None
    calls: tuple[CallOutcome, ...]
    labels: tuple[Outcome, ...] = ()
    reviewers: Mapping[str, Outcome] = field(default_factory=dict)
    reviewer_orders: Mapping[str, Order] = field(default_factory=dict)
    lengths: tuple[int, int] | None = None
    by_marks: Outcome | None = None
    formatted: Outcome | None = None
    own_family: Outcome | None = None
    copy_of: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Checked rows and their columns. Make one with :meth:`build`."""

    rows: tuple[Row, ...]
    systems: tuple[str, ...]
    columns: Columns

    @classmethod
    def build(cls, rows: Iterable[Row], systems: Sequence[str]) -> Sample:
        """Check ``rows`` against each other and against the ordered ``systems``.

        Rows are sorted by pair, so that the same rows give the same bytes.

        Raises ``ValueError``, naming the pair, when pairs repeat, when systems are
        unknown or in the wrong order, or when a verdict, a consistency class, a tie
        source or a call contradicts the outcomes it follows from.
        """
        places = check_systems(systems)
        kept = tuple(sorted(rows, key=attrgetter("pair")))
        _check_unique(kept)
        check_rows(kept, places)
        return cls(kept, tuple(systems), Columns.of(kept, places))

    def __len__(self) -> int:
        return len(self.rows)

    def where(self, *, split: Split) -> Sample:
        """Keep the pairs of one split."""
        return self._select(np.array([row.split is split for row in self.rows], bool))

    def critical(self) -> Sample:
        """Keep the pairs marked critical."""
        return self._select(self.columns.critical)

    def keep(self, mask: Mask) -> Sample:
        """Keep the rows in ``mask``."""
        return self._select(mask)

    def by_slice(self) -> dict[str, dict[str, Sample]]:
        """Split by each slice key in turn: key to value to its pairs, sorted.

        A pair without a key is in none of that key's slices.
        """
        return {
            name: {
                value: self._select(codes == code)
                for code, value in enumerate(values)
                if (codes == code).any()
            }
            for name, (values, codes) in self.columns.slices.items()
            if (codes >= 0).any()
        }

    def _select(self, mask: Mask) -> Sample:
        index = np.flatnonzero(mask)
        return Sample(_take(self.rows, index), self.systems, self.columns.take(index))


def _take(rows: tuple[Row, ...], index: Indices) -> tuple[Row, ...]:
    if len(index) == 1:
        return (rows[int(index[0])],)
    return itemgetter(*index.tolist())(rows) if len(index) else ()


def _check_unique(rows: Sequence[Row]) -> None:
    """Refuse a pair that comes twice, under one id or under two.

    Counting distinct values is faster; the walk finds which pair is to blame.
    """
    cases = {row.case for row in rows}
    if (
        len({row.pair for row in rows}) == len(rows)
        and len({(row.case, row.systems) for row in rows}) == len(rows)
        and len({(row.case, row.cluster) for row in rows}) == len(cases)
    ):
        return
    _refuse_repeats(rows)


def _refuse_repeats(rows: Sequence[Row]) -> None:
    ids: set[str] = set()
    contents: dict[tuple[str, tuple[str, str]], str] = {}
    clusters: dict[str, str] = {}
    for row in rows:
        if row.pair in ids:
            msg = f"pair {row.pair!r} occurs twice"
            raise ValueError(msg)
        ids.add(row.pair)
        other = contents.setdefault((row.case, row.systems), row.pair)
        if other != row.pair:
            msg = f"pair {row.pair!r} has the same case and systems as pair {other!r}"
            raise ValueError(msg)
        if clusters.setdefault(row.case, row.cluster) != row.cluster:
            msg = f"pair {row.pair!r}: case {row.case!r} is in two clusters"
            raise ValueError(msg)
