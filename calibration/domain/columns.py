"""The integer columns of a sample: what numpy counts."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from annotation.domain.outcomes import Order, Outcome, SlotChoice
from calibration.domain.kinds import closed
from judging.domain.terms import Consistency, InvalidReason, JudgeOutcome, TieSource

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from calibration.domain.samples import Row

Indices = npt.NDArray[np.intp]
Codes = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
SliceCodes = tuple[tuple[str, ...], Codes]

NONE = -1
BASELINE, CANDIDATE, TIE, ABSTAIN, INVALID = range(5)
NO_GOLD = 4  # shares its code with INVALID: gold is never invalid

_OUTCOMES = {member: code for code, member in enumerate(JudgeOutcome)}
_GOLD: dict[Outcome | None, int] = {
    **{member: code for code, member in enumerate(Outcome)},
    None: NO_GOLD,
}
_CLASSES = {member: code for code, member in enumerate(Consistency)}
_SOURCES: dict[TieSource | None, int] = {
    **{member: code for code, member in enumerate(TieSource)},
    None: NONE,
}
_ORDERS = {Order.BASELINE_FIRST: 0, Order.CANDIDATE_FIRST: 1}
_CHOICES: dict[SlotChoice | None, int] = {
    **{member: code for code, member in enumerate(SlotChoice)},
    None: NONE,
}
_REASONS: dict[InvalidReason | None, int] = {
    **{member: code for code, member in enumerate(InvalidReason)},
    None: NONE,
}


@dataclass(frozen=True, slots=True, eq=False)
class CallColumns:
    """One entry a call; ``row`` points into the sample's rows."""

    row: Codes
    order: Codes
    repeat: Codes
    outcome: Codes
    choice: Codes
    reason: Codes

    @classmethod
    def of(cls, rows: Sequence[Row]) -> CallColumns:
        """Flatten the calls of all rows."""
        calls = [call for row in rows for call in row.calls]
        owners = chain.from_iterable([i] * len(row.calls) for i, row in enumerate(rows))
        return cls(
            row=_ints(owners),
            order=_ints(_ORDERS[call.order] for call in calls),
            repeat=_ints(call.repeat for call in calls),
            outcome=_ints(_OUTCOMES[call.outcome] for call in calls),
            choice=_ints(_CHOICES[call.choice] for call in calls),
            reason=_ints(_REASONS[call.reason] for call in calls),
        )

    def take(self, index: Indices, size: int) -> CallColumns:
        """Keep the calls of the rows in ``index``, of ``size`` rows before."""
        moved = np.full(size, NONE, np.int64)
        moved[index] = np.arange(len(index))
        kept = moved[self.row] >= 0
        others = {f.name: getattr(self, f.name)[kept] for f in fields(self)}
        others["row"] = moved[others["row"]]
        return CallColumns(**others)


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """One entry a pair. ``label_counts`` has a column for each gold outcome.

    ``reviewer_labels`` has a column for each of ``reviewers``, ``NONE`` where one said
    nothing, and ``reviewer_orders`` the order that it was said in, where known.
    ``longer`` is candidate less baseline in characters where ``sized``, and ``length``
    that of the baseline. ``by_marks``,
    ``formatted`` and ``own_family`` are ``NONE`` where the row has none.
    """

    gold: Codes
    verdict: Codes
    baseline_first: Codes
    candidate_first: Codes
    consistency: Codes
    tie_source: Codes
    cluster: Codes
    case: Codes
    baseline: Codes
    candidate: Codes
    critical: Mask
    label_counts: Codes
    reviewers: tuple[str, ...]
    reviewer_labels: Codes
    reviewer_orders: Codes
    sized: Mask
    longer: Codes
    length: Codes
    by_marks: Codes
    formatted: Codes
    own_family: Codes
    slices: Mapping[str, SliceCodes]
    calls: CallColumns

    @classmethod
    def of(cls, rows: Sequence[Row], places: Mapping[str, int]) -> Columns:
        """Code every column of checked ``rows``."""
        reviewers = tuple(sorted(set(chain.from_iterable(r.reviewers for r in rows))))
        return cls(
            gold=_ints(_GOLD[row.gold] for row in rows),
            verdict=_ints(_OUTCOMES[row.verdict] for row in rows),
            baseline_first=_ints(_OUTCOMES[row.baseline_first] for row in rows),
            candidate_first=_ints(_OUTCOMES[row.candidate_first] for row in rows),
            consistency=_ints(_CLASSES[row.consistency] for row in rows),
            tie_source=_ints(_SOURCES[row.tie_source] for row in rows),
            cluster=_numbered(row.cluster for row in rows),
            case=_numbered(row.case for row in rows),
            baseline=_ints(places[row.systems[0]] for row in rows),
            candidate=_ints(places[row.systems[1]] for row in rows),
            critical=np.fromiter((row.critical for row in rows), bool),
            label_counts=_label_counts(rows),
            reviewers=reviewers,
            reviewer_labels=_reviewer_labels(rows, reviewers),
            reviewer_orders=_reviewer_orders(rows, reviewers),
            sized=np.fromiter((row.lengths is not None for row in rows), bool),
            longer=_ints(r.lengths[1] - r.lengths[0] if r.lengths else 0 for r in rows),
            length=_ints(r.lengths[0] if r.lengths else 0 for r in rows),
            by_marks=_sides(row.by_marks for row in rows),
            formatted=_sides(row.formatted for row in rows),
            own_family=_sides(row.own_family for row in rows),
            slices=_slices(rows),
            calls=CallColumns.of(rows),
        )

    def take(self, index: Indices) -> Columns:
        """Keep the rows in ``index``, in that order."""
        special = {"slices", "calls", "cluster", "case", "reviewers"}
        plain = [f.name for f in fields(self) if f.name not in special]
        return Columns(
            **{name: getattr(self, name).take(index, axis=0) for name in plain},
            cluster=closed(self.cluster[index]),
            case=closed(self.case[index]),
            reviewers=self.reviewers,
            slices={key: (v, codes[index]) for key, (v, codes) in self.slices.items()},
            calls=self.calls.take(index, len(self.gold)),
        )


def _ints(values: Iterable[int]) -> Codes:
    return np.fromiter(values, np.int64)


def _sides(values: Iterable[Outcome | None]) -> Codes:
    """Code outcomes, with ``NONE`` in place of what is not there."""
    return _ints(NONE if value is None else _GOLD[value] for value in values)


def _numbered(values: Iterable[Hashable]) -> Codes:
    """Give values numbers in order of first occurrence."""
    seen: dict[Hashable, int] = {}
    return _ints(seen.setdefault(value, len(seen)) for value in values)


def all_alone(codes: Codes) -> bool:
    """Whether no number occurs twice, of numbers from 0 without gaps."""
    return int(codes.max(initial=NONE)) + 1 == len(codes)


def _label_counts(rows: Sequence[Row]) -> Codes:
    counts = np.zeros((len(rows), len(Outcome)), np.int64)
    flat = [(i, _GOLD[label]) for i, row in enumerate(rows) for label in row.labels]
    if flat:
        where, what = np.array(flat).T
        np.add.at(counts, (where, what), 1)
    return counts


def _reviewer_labels(rows: Sequence[Row], reviewers: tuple[str, ...]) -> Codes:
    said = np.full((len(rows), len(reviewers)), NONE, np.int64)
    places = {name: place for place, name in enumerate(reviewers)}
    for i, row in enumerate(rows):
        for name, outcome in row.reviewers.items():
            said[i, places[name]] = _GOLD[outcome]
    return said


def _reviewer_orders(rows: Sequence[Row], reviewers: tuple[str, ...]) -> Codes:
    shown = np.full((len(rows), len(reviewers)), NONE, np.int64)
    places = {name: place for place, name in enumerate(reviewers)}
    for i, row in enumerate(rows):
        for name, order in row.reviewer_orders.items():
            shown[i, places[name]] = _ORDERS[order]
    return shown


def _slices(rows: Sequence[Row]) -> dict[str, SliceCodes]:
    return {
        name: _slice(rows, name)
        for name in sorted(set(chain.from_iterable(row.slices for row in rows)))
    }


def _slice(rows: Sequence[Row], name: str) -> SliceCodes:
    values = tuple(sorted({row.slices[name] for row in rows if name in row.slices}))
    places: dict[str | None, int] = {
        **{value: code for code, value in enumerate(values)},
        None: NONE,
    }
    return values, _ints(places[row.slices.get(name)] for row in rows)
