"""Errors by kind and direction (METHODS 3.2). Denominators are whole gold classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaln

from annotation.domain.estimates import Estimate, Undefined
from annotation.domain.intervals import newcombe, wilson
from calibration.domain.columns import ABSTAIN, BASELINE, CANDIDATE, INVALID, TIE
from calibration.domain.confusion import scored
from calibration.domain.rates import share
from calibration.domain.results import Direction, ExactTest, Ties
from judging.domain.terms import InvalidReason, TieSource

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from annotation.domain.intervals import Interval
    from calibration.domain.columns import Codes, Mask
    from calibration.domain.rates import Rates
    from calibration.domain.samples import Sample

_FISHER = "fisher exact"
_SAME_WITHIN = 1e-7  # tables whose chances are equal but for rounding count as ties


def false_candidate_wins(
    sample: Sample, rates: Rates, within: Mask | None = None
) -> Figure:
    """Gold baseline called candidate, of all rows or ``within`` some."""
    if within is None:
        return _called(sample, rates, (BASELINE,), (CANDIDATE,))
    columns = sample.columns
    return rates.share(
        columns.verdict == CANDIDATE, (columns.gold == BASELINE) & within
    )


def false_baseline_wins(sample: Sample, rates: Rates) -> Figure:
    """Gold candidate called baseline."""
    return _called(sample, rates, (CANDIDATE,), (BASELINE,))


def unearned_candidate_wins(sample: Sample, rates: Rates) -> Figure:
    """Gold baseline or tie called candidate."""
    return _called(sample, rates, (BASELINE, TIE), (CANDIDATE,))


def missed_ties(sample: Sample, rates: Rates) -> Figure:
    """Gold tie called baseline or candidate."""
    return _called(sample, rates, (TIE,), (BASELINE, CANDIDATE))


def missed_ties_to(sample: Sample, rates: Rates, code: int) -> Figure:
    """Gold tie called ``code``: BASELINE or CANDIDATE."""
    return _called(sample, rates, (TIE,), (code,))


def invented_ties(sample: Sample, rates: Rates) -> Figure:
    """Gold baseline or candidate called tie."""
    return _called(sample, rates, (BASELINE, CANDIDATE), (TIE,))


def missed_abstains(sample: Sample, rates: Rates) -> Figure:
    """Gold abstain called baseline, candidate or tie."""
    return _called(sample, rates, (ABSTAIN,), (BASELINE, CANDIDATE, TIE))


def invented_abstains(sample: Sample, rates: Rates) -> Figure:
    """Scored pairs on which the judge abstained."""
    return _called(sample, rates, (BASELINE, CANDIDATE, TIE), (ABSTAIN,))


def wrong_candidate_verdicts(sample: Sample, rates: Rates) -> Figure:
    """Candidate verdicts on scored pairs whose gold is something else."""
    said = scored(sample) & (sample.columns.verdict == CANDIDATE)
    return rates.share(sample.columns.gold != CANDIDATE, said)


def invalid_rate(sample: Sample, rates: Rates) -> Figure:
    """Invalid verdicts, of all pairs: it needs no gold."""
    everything = np.ones(len(sample), bool)
    return rates.share(sample.columns.verdict == INVALID, everything)


def invalid_verdicts(sample: Sample, rates: Rates) -> Figure:
    """Invalid verdicts, of scored pairs: with coverage and abstains this makes 1."""
    return rates.share(sample.columns.verdict == INVALID, scored(sample))


def invalid_call_rate(sample: Sample, rates: Rates) -> Figure:
    """Invalid calls, of all calls."""
    calls = sample.columns.calls
    clusters = sample.columns.cluster[calls.row]
    return share(calls.outcome == INVALID, clusters, rates.level)


def invalid_calls(sample: Sample) -> dict[str, int]:
    """Count invalid calls by reason; reasons that did not occur count 0."""
    reasons = sample.columns.calls.reason
    counts = np.bincount(reasons[reasons >= 0], minlength=len(InvalidReason))
    return {r.value: int(n) for r, n in zip(InvalidReason, counts, strict=True)}


def invalid_pairs(sample: Sample) -> dict[str, int]:
    """Count pairs with an invalid call by reason; one with several is in each."""
    calls = sample.columns.calls
    bad = calls.reason >= 0
    seen = np.unique(calls.row[bad] * len(InvalidReason) + calls.reason[bad])
    counts = np.bincount(seen % len(InvalidReason), minlength=len(InvalidReason))
    return {r.value: int(n) for r, n in zip(InvalidReason, counts, strict=True)}


def pairs_with_invalid_calls(sample: Sample) -> int:
    """How many pairs have an invalid call, whatever the reason."""
    calls = sample.columns.calls
    return len(np.unique(calls.row[calls.outcome == INVALID]))


def tie_counts(sample: Sample) -> Ties:
    """Count tie verdicts by source, over all pairs."""
    sources = sample.columns.tie_source
    counts = np.bincount(sources[sources >= 0], minlength=len(TieSource))
    return Ties(*map(int, counts))


def direction(sample: Sample, rates: Rates) -> Direction:
    """Compare false candidate wins with false baseline wins: Newcombe, Fisher."""
    up = false_candidate_wins(sample, rates)
    down = false_baseline_wins(sample, rates)
    return direction_of(up, down)


def direction_of(up: Figure, down: Figure) -> Direction:
    """Compare two rates of errors on different pairs: Newcombe, Fisher."""
    if isinstance(up, Undefined) or isinstance(down, Undefined):
        reason = "a gold class has 0 cases"
        return Direction(
            Undefined(reason, None, 0), ExactTest(None, 0, _FISHER, reason)
        )
    return Direction(gap_of(up, down), _fisher_test(up, down))


def fisher_exact(x: int, n: int, other_x: int, other_n: int) -> float:
    """Two-sided Fisher exact p value of x/n against other_x/other_n.

    The chance, given the margins, of a table no likelier than the one seen.
    """
    total, hits = n + other_n, x + other_x
    k = np.arange(max(0, hits - other_n), min(n, hits) + 1)
    log = _log_choose(n, k) + _log_choose(other_n, hits - k)
    chance = np.exp(log - _log_choose(total, np.array(hits)))
    seen = chance[x - k[0]]
    return min(1.0, float(chance[chance <= seen * (1 + _SAME_WITHIN)].sum()))


def _called(
    sample: Sample, rates: Rates, gold: tuple[int, ...], said: tuple[int, ...]
) -> Figure:
    columns = sample.columns
    return rates.share(_any_of(columns.verdict, said), _any_of(columns.gold, gold))


def _any_of(codes: Codes, wanted: tuple[int, ...]) -> Mask:
    """Faster than ``np.isin`` for the one or two codes that are asked for."""
    found: Mask = codes == wanted[0]
    for code in wanted[1:]:
        found = found | (codes == code)
    return found


def gap_of(up: Estimate, down: Estimate) -> Estimate:
    """Difference of two independent shares with its Newcombe interval."""
    first, second = _interval(up), _interval(down)
    gap = newcombe(first, up.value, second, down.value)
    effect = max(up.design_effect, down.design_effect)
    return Estimate(
        value=up.value - down.value,
        numerator=None,
        denominator=up.denominator + down.denominator,
        low=gap.low,
        high=gap.high,
        level=gap.level,
        method=gap.method if effect == 1 else f"{gap.method}, clustered",
        design_effect=effect,
    )


def _interval(figure: Estimate) -> Interval:
    count, level = figure.numerator or 0, figure.level or 0.0
    return wilson(count, figure.denominator, level, figure.design_effect)


def _fisher_test(up: Estimate, down: Estimate) -> ExactTest:
    x, n = up.numerator or 0, up.denominator
    other, m = down.numerator or 0, down.denominator
    return ExactTest(fisher_exact(x, n, other, m), n + m, _FISHER)


def _log_choose(n: int, k: np.ndarray) -> np.ndarray:
    return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))
