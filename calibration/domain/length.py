"""Whether the judge prefers the longer response, in three steps (METHODS 3.9)."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit, ndtri

from annotation.domain.estimates import Estimate, Undefined
from calibration.domain.columns import BASELINE, CANDIDATE, TIE
from calibration.domain.confusion import agreeing, scored
from calibration.domain.position import exact_sign_test

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.cells import Floats
    from calibration.domain.columns import Codes, Mask
    from calibration.domain.rates import Rates
    from calibration.domain.results import ExactTest
    from calibration.domain.samples import Sample

FEWEST_OF_A_KIND = 10
SIMILAR = 1.2
LARGEST = 12.0  # beyond it a fitted chance is 0 or 1 to five digits
NOT_ESTIMABLE = "not estimable: fewer than 10 verdicts for either system"
NOT_SEPARABLE = "not estimable: length and gold tell the verdict apart"
NO_SPREAD = "not estimable: lengths do not differ"
METHOD = "logistic, cluster-robust"


@dataclass(frozen=True, slots=True)
class LengthBlock:
    """Pairs whose two lengths are known and differ; length is in characters.

    ``judge_longer`` and ``gold_longer`` are shares of decisive outcomes that went to
    the longer response. ``ties_longer`` is the cleanest: of gold ties on which the
    judge was decisive. ``wrong_longer`` is of wrong decisive verdicts.
    ``coefficient`` is b1 of
    logit P(verdict candidate) = b0 + b1 tanh(gap / sd) + b2 gold, which is preference
    for length beyond the reviewers'; ``adjusted_share`` the mean chance of a candidate
    verdict at equal length. ``similar_pairs`` are those of all with known lengths that
    differ by a fifth at most, and ``similar_agreement`` is exact agreement on them.
    """

    pairs: int
    unknown: int
    judge_longer: Figure
    gold_longer: Figure
    ties_longer: Figure
    ties_test: ExactTest
    wrong_longer: Figure
    wrong_test: ExactTest
    coefficient: Figure
    adjusted_share: Figure
    similar_pairs: Figure
    similar_agreement: Figure


def length_block(sample: Sample, rates: Rates) -> LengthBlock:
    """Compute the three steps."""
    columns = sample.columns
    gold, said, differ = columns.gold, columns.verdict, columns.longer != 0
    used = columns.sized & differ
    decisive = used & (said < TIE)
    longer = (said == CANDIDATE) == (columns.longer > 0)
    gold_longer = (gold == CANDIDATE) == (columns.longer > 0)
    ties = decisive & (gold == TIE)
    wrong = decisive & (gold <= TIE) & (said != gold)
    coefficient, adjusted = _model(sample, rates)
    return LengthBlock(
        pairs=int(used.sum()),
        unknown=int((~columns.sized).sum()),
        judge_longer=rates.share(longer, decisive),
        gold_longer=rates.share(gold_longer, used & (gold < TIE)),
        ties_longer=rates.share(longer, ties),
        ties_test=_test(longer, ties),
        wrong_longer=rates.share(longer, wrong),
        wrong_test=_test(longer, wrong),
        coefficient=coefficient,
        adjusted_share=adjusted,
        similar_pairs=rates.share(similar(sample), columns.sized),
        similar_agreement=rates.share(
            agreeing(sample), scored(sample) & similar(sample)
        ),
    )


def similar(sample: Sample) -> Mask:
    """Pairs of similar length: the log of the ratio is at most that of 1.2.

    Both empty is similar; one empty beside one that is not, is not (METHODS 6).
    """
    columns = sample.columns
    one, other = columns.length, columns.length + columns.longer
    shorter, longer = np.minimum(one, other), np.maximum(one, other)
    found: Mask = columns.sized & (longer <= shorter * SIMILAR * (1 + 1e-12))
    return found


def _test(longer: Mask, among: Mask) -> ExactTest:
    return exact_sign_test(int((longer & among).sum()), int((~longer & among).sum()))


def _model(sample: Sample, rates: Rates) -> tuple[Figure, Figure]:
    """b1 and the mean prediction at equal length, each with a normal interval."""
    columns = sample.columns
    kept = columns.sized & (columns.verdict < TIE) & (columns.gold <= TIE)
    n, won = int(kept.sum()), columns.verdict[kept] == CANDIDATE
    if min(int(won.sum()), int((~won).sum())) < FEWEST_OF_A_KIND:
        return _neither(NOT_ESTIMABLE, n)
    gap = columns.longer[kept].astype(np.float64)
    if gap.std() == 0:
        return _neither(NO_SPREAD, n)
    towards = _towards(columns.gold[kept])
    inputs = np.column_stack([np.ones(n), np.tanh(gap / gap.std()), towards])
    kept_columns = np.array([True, True, bool(towards.std() > 0)])
    inputs = inputs[:, kept_columns]
    weights = _fitted(inputs, won)
    if weights is None:
        return _neither(NOT_SEPARABLE, n)
    spread = _sandwich(inputs, won, weights, rates.clusters[kept])
    level = rates.level
    even = inputs.copy()
    even[:, 1] = 0
    chance = expit(even @ weights)
    slope = (even * (chance * (1 - chance))[:, None]).mean(0)
    share_se = sqrt(max(0.0, float(slope @ spread @ slope)))
    return (
        _normal(float(weights[1]), sqrt(float(spread[1, 1])), n, level),
        _normal(float(chance.mean()), share_se, n, level),
    )


def _neither(reason: str, n: int) -> tuple[Figure, Figure]:
    return Undefined(reason, None, n), Undefined(reason, None, n)


def _towards(gold: Codes) -> Floats:
    """Gold as -1 for baseline, 0 for tie, 1 for candidate."""
    found: Floats = (gold == CANDIDATE).astype(np.float64) - (gold == BASELINE)
    return found


def _fitted(inputs: Floats, won: Mask) -> Floats | None:
    """Unpenalised weights; None where they run away (separation)."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - heavy

    model = LogisticRegression(
        C=np.inf, fit_intercept=False, solver="newton-cholesky", tol=1e-8, max_iter=100
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            model.fit(inputs, won)
        except Warning:  # no convergence, or no curvature left: both are separation
            return None
    weights: Floats = model.coef_[0].astype(np.float64)
    return None if np.abs(weights).max() > LARGEST else weights


def _sandwich(inputs: Floats, won: Mask, weights: Floats, clusters: Codes) -> Floats:
    """Covariance of the weights that allows for clusters (Liang and Zeger 1986)."""
    chance = expit(inputs @ weights)
    bread = np.linalg.inv((inputs * (chance * (1 - chance))[:, None]).T @ inputs)
    scores = inputs * (won - chance)[:, None]
    sums = np.stack([np.bincount(clusters, column) for column in scores.T], axis=1)
    groups = int(np.count_nonzero(np.bincount(clusters)))
    found: Floats = bread @ (sums.T @ sums) @ bread * groups / max(1, groups - 1)
    return found


def _normal(value: float, se: float, n: int, level: float) -> Estimate:
    half = float(ndtri((1 + level) / 2)) * se
    return Estimate(value, None, n, value - half, value + half, level, METHOD)
