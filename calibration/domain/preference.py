"""Which system wins, by the judge and by gold (METHODS 3.4)."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri

from annotation.domain.clusters import floored
from annotation.domain.estimates import Estimate, Undefined
from calibration.domain.columns import (
    ABSTAIN,
    BASELINE,
    CANDIDATE,
    INVALID,
    NO_GOLD,
    TIE,
)
from calibration.domain.position import exact_sign_test
from calibration.domain.rates import NO_CASES, cluster_sums
from calibration.domain.results import Preference, PreferenceBlock

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.columns import Codes
    from calibration.domain.rates import Rates
    from calibration.domain.samples import Sample

_STEPS = 200


def preference(sample: Sample, rates: Rates) -> PreferenceBlock:
    """Preference by the judge's verdicts and by gold, each over all its pairs."""
    return PreferenceBlock(
        judge=_preference(sample.columns.verdict, rates, invalid=INVALID),
        gold=_preference(sample.columns.gold, rates, missing=NO_GOLD),
    )


def tango(
    gains: float, losses: float, n: float, level: float = 0.95
) -> tuple[float, float]:
    """Score interval of (gains - losses)/n, paired. Source: Tango (1998), SM 17:891.

    Both limits are where the score statistic equals the normal quantile. Raises
    ``ValueError`` unless 0 <= gains + losses <= n and n > 0.
    """
    if not (n > 0 and min(gains, losses) >= 0 and gains + losses <= n * (1 + 1e-12)):
        msg = f"{gains} gains and {losses} losses of {n} are no counts"
        raise ValueError(msg)
    z = float(ndtri((1 + level) / 2))
    high = _tango_upper(gains, losses, n, z)
    return -_tango_upper(losses, gains, n, z), high


def _tango_upper(gains: float, losses: float, n: float, z: float) -> float:
    """Find by bisection the gap above the estimate whose score falls to -z."""
    low, high = (gains - losses) / n, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if _score(gains, losses, n, middle) > -z:
            low = middle
        else:
            high = middle
    return high


def _score(gains: float, losses: float, n: float, gap: float) -> float:
    """Tango's statistic for a true gap, the nuisance rate at its constrained MLE."""
    b = -gains - losses + (2 * n - gains + losses) * gap
    c = -losses * gap * (1 - gap)
    rate = (sqrt(max(0.0, b * b - 8 * n * c)) - b) / (4 * n)
    variance = n * (2 * rate + gap * (1 - gap))
    distance = gains - losses - n * gap
    if variance <= 0:
        return 0.0 if distance == 0 else float("-inf")
    return distance / sqrt(variance)


def _preference(
    codes: Codes, rates: Rates, *, invalid: int = -1, missing: int = -1
) -> Preference:
    counts = np.bincount(codes, minlength=5)
    wins, losses, ties = (int(counts[code]) for code in (CANDIDATE, BASELINE, TIE))
    net = net_of(codes, rates)
    return Preference(
        candidate_wins=wins,
        baseline_wins=losses,
        ties=ties,
        abstain=int(counts[ABSTAIN]),
        invalid=int((codes == invalid).sum()),
        missing=int((codes == missing).sum()),
        decisive_share=rates.share(codes == CANDIDATE, codes < TIE),
        sign_test=exact_sign_test(wins, losses),
        net=net,
        half_tie=_half_tie(net),
    )


def net_of(codes: Codes, rates: Rates) -> Figure:
    """(W - L)/(W + L + T) with Tango's interval, on effective counts if clustered."""
    in_scope = codes <= TIE
    n = int(in_scope.sum())
    if not n:
        return Undefined(NO_CASES, None, 0)
    used = codes[in_scope]
    wins, losses = int((used == CANDIDATE).sum()), int((used == BASELINE).sum())
    effect = _net_effect(used, rates.clusters[in_scope])
    low, high = tango(wins / effect, losses / effect, n / effect, rates.level)
    method = "tango" if effect == 1 else "tango, clustered"
    value = (wins - losses) / n
    return Estimate(value, None, n, low, high, rates.level, method, effect)


def _net_effect(codes: Codes, clusters: Codes) -> float:
    """Variance of the net between clusters over that of independent pairs, floor 1."""
    scores = (codes == CANDIDATE).astype(float) - (codes == BASELINE)
    net, alone = float(scores.mean()), float(scores.var()) / len(scores)
    sizes, sums = cluster_sums(scores, clusters)
    groups = len(sizes)
    if groups == len(scores):
        return 1.0
    if groups == 1 or alone == 0:  # nothing tells how alike: each cluster counts as one
        return len(scores) / groups
    spread = float(((sums - net * sizes) ** 2).sum()) / len(scores) ** 2
    return floored(groups / (groups - 1) * spread / alone)


def _half_tie(net: Figure) -> Figure:
    """(W + T/2)/(W + L + T), which is (net + 1)/2."""
    if isinstance(net, Undefined):
        return net
    low, high = (
        None if limit is None else (limit + 1) / 2 for limit in (net.low, net.high)
    )
    value, n = (net.value + 1) / 2, net.denominator
    return Estimate(value, None, n, low, high, net.level, net.method, net.design_effect)
