"""Cohen's kappa of judge and gold, with an interval that knows about clusters."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from annotation.domain.clusters import floored
from annotation.domain.estimates import Undefined
from annotation.domain.kappa import cohen_kappa
from calibration.domain.columns import TIE
from calibration.domain.confusion import answered, scored
from calibration.domain.rates import cluster_sums

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.columns import Codes
    from calibration.domain.rates import Rates
    from calibration.domain.samples import Sample


def kappa(sample: Sample, rates: Rates) -> Figure:
    """Kappa of the 3 by 3 table of answered pairs, gold down.

    The Fleiss-Cohen-Everitt standard error, times the root of the design effect of
    kappa's influence values where clusters hold several pairs.
    """
    kept = scored(sample) & answered(sample)
    gold, said = sample.columns.gold[kept], sample.columns.verdict[kept]
    clusters = rates.clusters[kept]
    return kappa_of(gold, said, clusters, labels=TIE + 1, level=rates.level)


def kappa_of(
    gold: Codes, said: Codes, clusters: Codes, *, labels: int, level: float
) -> Figure:
    """Kappa of any two codings of the same pairs, codes below ``labels``."""
    cells = np.bincount(gold * labels + said, minlength=labels**2)
    table = cells.reshape(labels, labels)
    plain = cohen_kappa(table.tolist(), level=level)
    if isinstance(plain, Undefined) or plain.low is None or plain.high is None:
        return plain
    effect = _effect(table / len(gold), gold, said, clusters)
    if effect == 1:
        return plain
    grown = sqrt(effect)
    return replace(
        plain,
        low=max(-1.0, plain.value - grown * (plain.value - plain.low)),
        high=min(1.0, plain.value + grown * (plain.high - plain.value)),
        method=f"{plain.method}, clustered",
        design_effect=effect,
    )


def _effect(shares: np.ndarray, gold: Codes, said: Codes, clusters: Codes) -> float:
    """Variance of kappa between clusters over that of independent pairs, floor 1."""
    rows, columns = shares.sum(1), shares.sum(0)
    observed, chance = float(np.trace(shares)), float(rows @ columns)
    agree = (gold == said) - observed
    margins = columns[gold] + rows[said] - 2 * chance
    influence = agree * (1 - chance) - (1 - observed) * margins
    sizes, sums = cluster_sums(influence, clusters)
    groups, alone = len(sizes), float((influence**2).sum())
    if groups == len(gold) or alone == 0:
        return 1.0
    if groups == 1:
        return float(len(gold))
    return floored(groups / (groups - 1) * float((sums**2).sum()) / alone)
