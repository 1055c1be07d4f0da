"""Two slices at once: where they meet may be worse than either (METHODS 3.8).

For the export alone: there are too many to read on a page.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from calibration.domain.confusion import agreeing, scored
from calibration.domain.errors import false_candidate_wins
from calibration.domain.flags import UNTESTED, flags
from calibration.domain.slices import SMALL_SLICE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from annotation.domain.estimates import Figure
    from calibration.domain.columns import Mask
    from calibration.domain.flags import Flag
    from calibration.domain.rates import Rates
    from calibration.domain.samples import Sample

CRITICAL, YES = "critical", "yes"
MOST = 500


@dataclass(frozen=True, slots=True)
class Intersection:
    """The pairs of two slices at once; ``slices`` names them, critical pairs as one.

    Flagged as slices are, but with Holm over the intersections of 20 or more.
    """

    slices: Mapping[str, str]
    n: int
    scored: int
    small: bool
    exact_agreement: Figure
    false_candidate_wins: Figure
    agreement_flag: Flag
    false_candidate_flag: Flag


@dataclass(frozen=True, slots=True)
class Intersections:
    """All that have pairs, largest first; ``left_out`` counts those beyond 500."""

    left_out: int
    found: tuple[Intersection, ...]


def intersections(
    sample: Sample, rates: Rates, *, agreement: Figure, false_wins: Figure
) -> Intersections:
    """Every two values of different slice keys, and every value with critical."""
    every = [(names, mask, int(mask.sum())) for names, mask in _masks(sample)]
    ranked = sorted(every, key=lambda one: (-one[2], sorted(one[0].items())))
    plain = [_one(sample, rates, names, mask) for names, mask, _ in ranked[:MOST]]
    wrong = flags([one.exact_agreement for one in plain], agreement, turned=True)
    false = flags([one.false_candidate_wins for one in plain], false_wins)
    return Intersections(
        left_out=max(0, len(ranked) - MOST),
        found=tuple(
            replace(one, agreement_flag=first, false_candidate_flag=second)
            for one, first, second in zip(plain, wrong, false, strict=True)
        ),
    )


def _masks(sample: Sample) -> Iterator[tuple[dict[str, str], Mask]]:
    """The names and rows of the intersections that have any."""
    slices = sample.columns.slices
    for key, (values, codes) in slices.items():
        for place, value in enumerate(values):
            mask = (codes == place) & sample.columns.critical
            if key != CRITICAL and mask.any():
                yield {key: value, CRITICAL: YES}, mask
    for one, other in combinations(slices, 2):
        (values, codes), (others, more) = slices[one], slices[other]
        known = (codes >= 0) & (more >= 0)
        joint = np.where(known, codes * len(others) + more, -1)
        for place in np.flatnonzero(np.bincount(joint[known])).tolist():
            first, second = divmod(place, len(others))
            yield {one: values[first], other: others[second]}, joint == place


def _one(
    sample: Sample, rates: Rates, names: dict[str, str], mask: Mask
) -> Intersection:
    """Nothing but counts is asked, so no part of the sample is taken."""
    n = int(mask.sum())
    among = scored(sample) & mask
    return Intersection(
        slices=dict(sorted(names.items())),
        n=n,
        scored=int(among.sum()),
        small=n < SMALL_SLICE,
        exact_agreement=rates.share(agreeing(sample), among),
        false_candidate_wins=false_candidate_wins(sample, rates, mask),
        agreement_flag=UNTESTED,
        false_candidate_flag=UNTESTED,
    )
