"""What order does to people, by the judge's own measures (METHODS 3.10)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from annotation.domain.estimates import Undefined
from annotation.domain.team import NOT_BOTH_ORDERS, NOT_TWICE, HumanIpi
from calibration.domain.coherence import coherence_of
from calibration.domain.columns import ABSTAIN, BASELINE, CANDIDATE, TIE
from calibration.domain.means import mean_with_interval

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.columns import Codes, Mask
    from calibration.domain.position_results import CoherenceBlock
    from calibration.domain.rates import Rates
    from calibration.domain.samples import Sample

_ORDERS = 2


@dataclass(frozen=True, slots=True)
class HumanOrders:
    """Human IPI (:class:`HumanIpi`), and IPI and TOV of people's order outcomes.

    In ``coherence`` an order's outcome of a pair is what most of the labels given in
    that order say, abstains left out; where two outcomes lead together there is none,
    and the case is incomplete.
    """

    ipi: HumanIpi
    coherence: CoherenceBlock


def human_orders(sample: Sample, rates: Rates, rng: np.random.Generator) -> HumanOrders:
    """Compute both from labels of which the order they were shown in is known."""
    known: Mask = np.asarray((sample.columns.reviewer_orders >= 0).any(1), bool)
    counts = _counts(sample, known)
    outcomes = [_leading_of_all(counts, known)] if known.any() else []
    return HumanOrders(
        ipi=_ipi(counts, replace(rates, clusters=rates.clusters[known]), rng),
        coherence=coherence_of(sample, rates, outcomes, rng),
    )


def _counts(sample: Sample, known: Mask) -> Codes:
    """Labels by order and outcome of each pair in ``known``: (pairs, 2, 4)."""
    said = sample.columns.reviewer_labels[known]
    shown = sample.columns.reviewer_orders[known]
    counts = np.zeros((len(said), _ORDERS, ABSTAIN + 1), np.int64)
    for order in range(_ORDERS):
        for outcome in range(ABSTAIN + 1):
            here = (shown == order) & (said == outcome)
            counts[:, order, outcome] = here.sum(1)
    return counts


def _leading_of_all(counts: Codes, known: Mask) -> tuple[Codes, Codes]:
    """The leading outcome of every row in both orders, none where none is known."""
    found = np.full((_ORDERS, len(known)), ABSTAIN, np.int64)
    for order in range(_ORDERS):
        found[order, known] = _leading(counts[:, order])
    return found[0], found[1]


def _leading(counts: Codes) -> Codes:
    """The outcome that most labels gave; abstain's code, which is none, if none led."""
    usable = counts[:, : TIE + 1]
    most = usable.max(1, initial=0)
    alone = (usable == most[:, None]).sum(1) == 1
    found: Codes = np.where((most > 0) & alone, usable.argmax(1), ABSTAIN)
    return found


def compared(sample: Sample) -> Mask:
    """Pairs that different people labelled in the two orders, abstains left out."""
    counts = _counts(sample, np.ones(len(sample), bool))[:, :, : TIE + 1]
    found: Mask = (counts.sum(2) > 0).all(1)
    return found


def _ipi(counts: Codes, rates: Rates, rng: np.random.Generator) -> HumanIpi:
    """The figures of ``annotation.domain.team.human_ipi`` from counts of labels."""
    there, back = counts[:, 0, : TIE + 1], counts[:, 1, : TIE + 1]
    across = there.sum(1) * back.sum(1)
    differing = across - (there * back).sum(1)
    flips = there[:, BASELINE] * back[:, CANDIDATE]
    flips = flips + there[:, CANDIDATE] * back[:, BASELINE]
    within = _twos(there.sum(1)) + _twos(back.sum(1))
    apart = within - (_twos(there) + _twos(back)).sum(1)

    def mean(part: Codes, whole: Codes, reason: str) -> Figure:
        return _mean((part, whole), rates, rng, reason)

    return HumanIpi(
        pairs=int((counts.sum((1, 2)) > 0).sum()),
        abstains=int(counts[:, :, ABSTAIN].sum()),
        instability=mean(differing, across, NOT_BOTH_ORDERS),
        flips=mean(flips, across, NOT_BOTH_ORDERS),
        differing=int(differing.sum()),
        comparisons=int(across.sum()),
        same_order_disagreement=mean(apart, within, NOT_TWICE),
        same_order_differing=int(apart.sum()),
        same_order_comparisons=int(within.sum()),
    )


def _twos(counts: Codes) -> Codes:
    """How many twos can be made of so many labels."""
    return counts * (counts - 1) // 2


def _mean(
    counts: tuple[Codes, Codes], rates: Rates, rng: np.random.Generator, reason: str
) -> Figure:
    """Mean over pairs with a comparison of the share of theirs that counts."""
    part, whole = counts
    there: Mask = whole > 0
    if not there.any():
        return Undefined(reason, None, 0)
    shares, clusters = part[there] / whole[there], rates.clusters[there]
    return mean_with_interval(shares, clusters, rng, rates.level)
