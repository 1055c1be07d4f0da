"""Stability under swapping the slots and under repetition (METHODS 3.3 and 3.9)."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from annotation.domain.estimates import Undefined
from annotation.domain.intervals import sign_test
from calibration.domain.columns import BASELINE, CANDIDATE, NO_GOLD, TIE
from calibration.domain.confusion import order_confusion, scored
from calibration.domain.means import mean_part, sums_of
from calibration.domain.position_results import (
    Classes,
    ClassesByGold,
    OrderAccuracy,
    PositionBlock,
    SlotBalance,
)
from calibration.domain.rates import cluster_sums, mean_share, share
from calibration.domain.results import ExactTest
from judging.domain.terms import Consistency, JudgeOutcome

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.columns import Codes, Mask
    from calibration.domain.rates import Rates
    from calibration.domain.samples import Sample

_CLASS = {member: code for code, member in enumerate(Consistency)}
_FIRST, _SECOND = 0, 1
NO_REPEATS = "no repeated calls"


def exact_sign_test(wins: int, losses: int) -> ExactTest:
    """Exact two-sided sign test as a result field; undefined without decisive cases."""
    test = sign_test(wins, losses)
    if isinstance(test, Undefined):
        return ExactTest(None, 0, "sign test, exact", test.reason)
    return ExactTest(test.p_value, test.n, "sign test, exact")


def usable(sample: Sample) -> Mask:
    """Pairs with a baseline, candidate or tie outcome in both orders."""
    columns = sample.columns
    return (columns.baseline_first <= TIE) & (columns.candidate_first <= TIE)


def flips(sample: Sample) -> Mask:
    """Pairs decided one way in one order and the other way in the other."""
    return _is(sample, Consistency.FLIP)


def flip_rate(sample: Sample, rates: Rates) -> Figure:
    """Flips, of pairs usable in both orders."""
    return rates.share(flips(sample), usable(sample))


def position(sample: Sample, rates: Rates, rng: np.random.Generator) -> PositionBlock:
    """Compute the whole position block; ``rng`` feeds the bootstrap of repeats."""
    counts = asdict(classes(sample))
    used, flipped = usable(sample), flips(sample)
    first, second = flips_by_slot(sample)
    return PositionBlock(
        **counts,
        usable=int(used.sum()),
        excluded=int((~used).sum()),
        flip_rate=flip_rate(sample, rates),
        tie_transition_rate=rates.share(_is(sample, Consistency.TIE_TRANSITION), used),
        decisive_flip_rate=rates.share(flipped, _both_decisive(sample)),
        consistency_rate=_consistency_rate(sample, rates),
        first_slot_flips=int(first.sum()),
        second_slot_flips=int(second.sum()),
        first_slot_flip_share=rates.share(first, flipped),
        slot_test=exact_sign_test(int(first.sum()), int(second.sum())),
        first_slot_choices=_first_slot_choices(sample, rates),
        order_accuracy=_order_accuracy(sample, rates),
        order_confusion=order_confusion(sample),
        classes_by_gold=_classes_by_gold(sample),
        slot_balance=_slot_balance(sample),
        repeat_instability=_repeat_instability(sample, rates, rng),
    )


def classes(sample: Sample) -> Classes:
    """Pairs by consistency class."""
    return _classes(sample.columns.consistency)


def _classes(codes: Codes) -> Classes:
    counts = np.bincount(codes, minlength=len(Consistency))
    return Classes(**{c.value: int(counts[_CLASS[c]]) for c in Consistency})


def _classes_by_gold(sample: Sample) -> ClassesByGold:
    gold, codes = sample.columns.gold, sample.columns.consistency
    return ClassesByGold(
        *(_classes(codes[gold == code]) for code in range(NO_GOLD + 1))
    )


def _is(sample: Sample, member: Consistency) -> Mask:
    found: Mask = sample.columns.consistency == _CLASS[member]
    return found


def _both_decisive(sample: Sample) -> Mask:
    columns = sample.columns
    return (columns.baseline_first < TIE) & (columns.candidate_first < TIE)


def _consistency_rate(sample: Sample, rates: Rates) -> Figure:
    """Both orders said the same, abstain included, of pairs valid in both."""
    valid = ~_is(sample, Consistency.INVALID)
    return rates.share(_is(sample, Consistency.CONSISTENT), valid)


def flips_by_slot(sample: Sample) -> tuple[Mask, Mask]:
    """Flips that chose the first slot both times, and those that chose the second."""
    flipped = flips(sample)
    first = flipped & (sample.columns.baseline_first == BASELINE)
    return first, flipped & (sample.columns.baseline_first == CANDIDATE)


def _first_slot_choices(sample: Sample, rates: Rates) -> Figure:
    """Share of the first slot among decisive calls; calls of a cluster go together."""
    calls = sample.columns.calls
    decisive = (calls.choice == _FIRST) | (calls.choice == _SECOND)
    clusters = sample.columns.cluster[calls.row[decisive]]
    return share(calls.choice[decisive] == _FIRST, clusters, rates.level)


def _order_accuracy(sample: Sample, rates: Rates) -> OrderAccuracy:
    columns, among = sample.columns, scored(sample)
    return OrderAccuracy(
        baseline_first=rates.share(columns.baseline_first == columns.gold, among),
        candidate_first=rates.share(columns.candidate_first == columns.gold, among),
    )


def _slot_balance(sample: Sample) -> SlotBalance:
    there, back = _calls_by_order(sample)
    return SlotBalance(
        baseline_first_calls=int(there.sum()),
        candidate_first_calls=int(back.sum()),
        unequal_pairs=int((there != back).sum()),
        test=exact_sign_test(int(there.sum()), int(back.sum())),
    )


def _calls_by_order(sample: Sample) -> tuple[Codes, Codes]:
    calls, n = sample.columns.calls, len(sample)
    there = np.bincount(calls.row[calls.order == 0], minlength=n)
    return there, np.bincount(calls.row[calls.order == 1], minlength=n)


def unequal(sample: Sample) -> Mask:
    """Pairs that were asked more often in one order than in the other."""
    there, back = _calls_by_order(sample)
    found: Mask = there != back
    return found


def _repeat_instability(
    sample: Sample, rates: Rates, rng: np.random.Generator
) -> Figure:
    """Mean over (pair, order) of 1 - sum n_k(n_k - 1)/(r(r - 1)), where r >= 2.

    Invalid counts as an outcome of its own: it is as unstable as any other change.
    """
    calls = sample.columns.calls
    kinds = len(JudgeOutcome)
    places = calls.row * 2 + calls.order
    repeats = np.bincount(places, minlength=len(sample) * 2)
    many = repeats > 1
    if not many.any():
        return Undefined(NO_REPEATS, None, 0)
    cells = np.bincount(
        places * kinds + calls.outcome, minlength=len(repeats) * kinds
    ).reshape(-1, kinds)
    r = repeats[many]
    same = (cells[many] * (cells[many] - 1)).sum(1) / (r * (r - 1))
    clusters = np.repeat(sample.columns.cluster, 2)[many]
    plain = mean_share(1 - same, clusters, rates.level)
    pair = np.flatnonzero(many) // 2  # whose two orders are drawn together
    orders, sums = cluster_sums(1 - same, pair)
    parts = [sums, orders.astype(np.float64)]
    drawn = sums_of(parts, rates.clusters[np.unique(pair)], rng, rates.level)
    return drawn.interval(plain, mean_part(0, 1))
