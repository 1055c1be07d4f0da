"""Every two reviewers on the pairs that both labelled (METHODS 3.7)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from annotation.domain.estimates import Estimate
from calibration.domain.bootstrap import FEW_CASES, FEWEST
from calibration.domain.columns import ABSTAIN, NONE
from calibration.domain.kappa import kappa_of
from calibration.domain.rates import share

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.columns import Codes
    from calibration.domain.rates import Rates
    from calibration.domain.samples import Sample


@dataclass(frozen=True, slots=True)
class ReviewerPair:
    """Two reviewers, by anonymous names, on their ``shared`` pairs.

    ``kappa`` is Cohen's over baseline, candidate, tie and abstain. Below 20 shared
    pairs it has no interval, and ``needed`` says how many more it takes.
    """

    one: str
    other: str
    shared: int
    needed: int
    agreement: Figure
    kappa: Figure


def between_reviewers(sample: Sample, rates: Rates) -> tuple[ReviewerPair, ...]:
    """Every two reviewers who share a pair, in the order of their names."""
    columns = sample.columns
    places = range(len(columns.reviewers))
    return tuple(
        _of_two((columns.reviewers[i], columns.reviewers[j]), shared, rates)
        for i, j in combinations(places, 2)
        if len((shared := _shared(columns.reviewer_labels[:, [i, j]], rates))[0])
    )


def _shared(said: Codes, rates: Rates) -> tuple[Codes, Codes]:
    """Both labels of the pairs that have both, and the clusters of these."""
    both = (said != NONE).all(1)
    return said[both], rates.clusters[both]


def _of_two(
    names: tuple[str, str], shared: tuple[Codes, Codes], rates: Rates
) -> ReviewerPair:
    said, clusters = shared
    first, second = said.T
    kappa = kappa_of(first, second, clusters, labels=ABSTAIN + 1, level=rates.level)
    if len(said) < FEWEST and isinstance(kappa, Estimate):
        kappa = replace(kappa, low=None, high=None, level=None, method=FEW_CASES)
    return ReviewerPair(
        *names,
        shared=len(said),
        needed=max(0, FEWEST - len(said)),
        agreement=share(first == second, clusters, rates.level),
        kappa=kappa,
    )
