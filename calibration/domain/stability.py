"""What repeats say of a judge: the same question, asked again (METHODS 3.3 and 6)."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from annotation.domain.estimates import Estimate, Undefined
from calibration.domain.means import bootstrap_mean, mean_with_interval
from calibration.domain.position import NO_REPEATS
from judging.domain.terms import JudgeOutcome

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.cells import Floats
    from calibration.domain.columns import Codes, Mask
    from calibration.domain.parts import Part
    from calibration.domain.rates import Rates
    from calibration.domain.samples import Sample

_ORDERS = 2
_TWICE = 2
CONFORMAL = "conformal bound"


@dataclass(frozen=True, slots=True)
class StabilityBlock:
    """How steady the judge is when it is asked again. The pair stays the unit.

    ``pairs`` have two or more calls in both orders, ``calls`` of them together.
    ``modal_share`` is the mean over these pairs, and their two orders, of the share of
    calls that gave the order's most frequent outcome; ``unchanged`` the share of pairs
    of which all calls of an order said the same, in both orders. Invalid is an outcome
    of its own. ``bound`` is what the instability (1 - modal share) of a further pair
    stays below, at the level of the report. ``order_effect`` is the chance that two
    calls in different orders differ, less that of two calls in the same one.
    """

    pairs: int
    calls: int
    modal_share: Figure
    unchanged: Figure
    bound: Figure
    order_effect: Figure


def stability(part: Part) -> StabilityBlock:
    """Compute the block; every figure is undefined where nothing was repeated."""
    sample, rates = part.sample, part.rates
    counts, asked = _counts(sample), repeated(sample)
    counts, clusters = counts[asked], rates.clusters[asked]
    if not len(counts):
        nothing = Undefined(NO_REPEATS, None, 0)
        return StabilityBlock(0, 0, nothing, nothing, nothing, nothing)
    modal = _modal(counts)
    return StabilityBlock(
        pairs=len(counts),
        calls=int(counts.sum()),
        modal_share=mean_with_interval(modal, clusters, part.spare, rates.level),
        unchanged=rates.share(~changed(sample), asked),
        bound=conformal_bound(1 - modal, rates.level),
        order_effect=bootstrap_mean(
            _order_effect(counts), clusters, part.spare, rates.level
        ),
    )


def modal_share(sample: Sample, rates: Rates, rng: np.random.Generator) -> Figure:
    """The figure of the block alone, over the same pairs."""
    asked = repeated(sample)
    if not asked.any():
        return Undefined(NO_REPEATS, None, 0)
    found = _modal(_counts(sample)[asked])
    return mean_with_interval(found, rates.clusters[asked], rng, rates.level)


def repeated(sample: Sample) -> Mask:
    """Pairs with two or more calls in both orders."""
    found: Mask = (_counts(sample).sum(2) >= _TWICE).all(1)
    return found


def changed(sample: Sample) -> Mask:
    """Those of them on which two calls of one order differ."""
    counts = _counts(sample)
    found: Mask = repeated(sample) & (counts.max(2) < counts.sum(2)).any(1)
    return found


def _modal(counts: Codes) -> Floats:
    """Of each pair: mean over both orders of the most frequent outcome's share."""
    found: Floats = (counts.max(2) / counts.sum(2)).mean(1)
    return found


def conformal_bound(values: Floats, level: float) -> Figure:
    """What the next value stays at or below with a chance of at least ``level``.

    The ceil((n + 1) level)-th smallest of n values, if there are so many; holds for any
    distribution of exchangeable values. Source: Sage (arXiv 2512.16041), appendix A.1.
    """
    n = len(values)
    place = ceil((n + 1) * level - 1e-9)
    if place > n:
        needed = ceil(level / (1 - level) - 1e-9)
        return Undefined(f"fewer than {needed} repeated cases", None, n)
    value = float(np.sort(values)[place - 1])
    return Estimate(value, None, n, None, None, None, CONFORMAL)


def _counts(sample: Sample) -> Codes:
    """Calls of each pair by order and outcome: (pairs, 2, outcomes)."""
    calls, kinds = sample.columns.calls, len(JudgeOutcome)
    cells = (calls.row * _ORDERS + calls.order) * kinds + calls.outcome
    counts = np.bincount(cells, minlength=len(sample) * _ORDERS * kinds)
    return counts.astype(np.int64).reshape(-1, _ORDERS, kinds)


def _order_effect(counts: Codes) -> Floats:
    """Of each pair: two calls of different orders differ, less two of the same one."""
    calls = counts.sum(2)
    across = 1 - (counts[:, 0] * counts[:, 1]).sum(1) / (calls[:, 0] * calls[:, 1])
    same = (counts * (counts - 1)).sum(2) / (calls * (calls - 1))
    found: Floats = across - (1 - same).mean(1)
    return found
