"""The confusion table and what follows from it: agreement, precision, recall, kappa."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from annotation.domain.estimates import Estimate, Undefined
from calibration.domain.columns import ABSTAIN, BASELINE, CANDIDATE, NO_GOLD, TIE
from calibration.domain.position_results import OrderConfusion
from calibration.domain.rates import NO_CASES
from calibration.domain.results import (
    ClassFigures,
    Confusion,
    ConfusionRow,
    GoldAbstain,
    PerClass,
)
from judging.domain.terms import TieSource

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.columns import Codes, Mask
    from calibration.domain.rates import Rates
    from calibration.domain.samples import Sample

CLASSES = (BASELINE, CANDIDATE, TIE)
_STATED = tuple(TieSource).index(TieSource.STATED)


def table(sample: Sample) -> Codes:
    """Count pairs as (gold, verdict), 5 by 5; the last gold row is "no gold"."""
    return _against_gold(sample, sample.columns.verdict)


def confusion(sample: Sample) -> Confusion:
    """Count what the judge said about the pairs of each gold outcome."""
    return _confusion(table(sample))


def order_confusion(sample: Sample) -> OrderConfusion:
    """The same for each order alone."""
    columns = sample.columns
    return OrderConfusion(
        baseline_first=_confusion(_against_gold(sample, columns.baseline_first)),
        candidate_first=_confusion(_against_gold(sample, columns.candidate_first)),
    )


def _against_gold(sample: Sample, said: Codes) -> Codes:
    cells = sample.columns.gold * 5 + said
    return np.bincount(cells, minlength=25).reshape(5, 5)


def _confusion(counts: Codes) -> Confusion:
    rows = (ConfusionRow(*map(int, row)) for row in counts[:NO_GOLD])
    return Confusion(*rows)


def scored(sample: Sample) -> Mask:
    """Pairs whose gold is baseline, candidate or tie (METHODS: N3)."""
    return sample.columns.gold <= TIE


def answered(sample: Sample) -> Mask:
    """Pairs whose verdict is baseline, candidate or tie."""
    return sample.columns.verdict <= TIE


def agreeing(sample: Sample) -> Mask:
    """Scored pairs whose verdict is the gold outcome."""
    equal: Mask = sample.columns.gold == sample.columns.verdict
    return scored(sample) & equal


def exact_agreement(sample: Sample, rates: Rates) -> Figure:
    """Verdict equals gold, of scored pairs; abstain and invalid count as wrong."""
    return rates.share(agreeing(sample), scored(sample))


def stated_agreement(sample: Sample, rates: Rates) -> Figure:
    """As exact agreement, but a tie counts only where both orders said tie."""
    return rates.share(agreeing(sample) & stated(sample), scored(sample))


def stated(sample: Sample) -> Mask:
    """Pairs whose verdict is no tie, or a tie that both orders said."""
    verdict, source = sample.columns.verdict, sample.columns.tie_source
    found: Mask = (verdict != TIE) | (source == _STATED)
    return found


def coverage(sample: Sample, rates: Rates) -> Figure:
    """Scored pairs that the judge answered with baseline, candidate or tie."""
    return rates.share(answered(sample), scored(sample))


def answered_agreement(sample: Sample, rates: Rates) -> Figure:
    """Agreement when the judge answers: secondary, since it can choose when to."""
    return rates.share(agreeing(sample), scored(sample) & answered(sample))


def gold_abstain(sample: Sample, rates: Rates) -> GoldAbstain:
    """Show what the judge did with the pairs that reviewers abstained on."""
    gold, verdict = sample.columns.gold, sample.columns.verdict
    among = gold == ABSTAIN
    return GoldAbstain(
        n=int(among.sum()),
        abstained=rates.share(verdict == ABSTAIN, among),
        decided=rates.share(verdict <= TIE, among),
        invalid=rates.share(verdict > ABSTAIN, among),
    )


def per_class(sample: Sample, rates: Rates) -> PerClass:
    """Precision, recall and F1 of each class over scored pairs."""
    return PerClass(*(_class_figures(sample, rates, code) for code in CLASSES))


def _class_figures(sample: Sample, rates: Rates, code: int) -> ClassFigures:
    gold = sample.columns.gold == code
    said = (sample.columns.verdict == code) & scored(sample)
    return ClassFigures(
        precision=rates.share(gold & said, said),
        recall=rates.share(gold & said, gold),
        f1=_f1(rates.share(gold & said, gold | said)),
        support=int(gold.sum()),
    )


def _f1(overlap: Figure) -> Figure:
    """F1 = 2J/(1+J), J = share of pairs in either that are in both.

    J is a plain share, and the map is increasing: so the limits of F1 are those of J,
    mapped. ``denominator`` stays the number of pairs in either.
    """
    if isinstance(overlap, Undefined):
        return Undefined(overlap.reason, None, overlap.denominator)
    low, high = (_mapped(limit) for limit in (overlap.low, overlap.high))
    value, n = 2 * overlap.value / (1 + overlap.value), overlap.denominator
    method = f"{overlap.method}, transformed"
    effect = overlap.design_effect
    return Estimate(value, None, n, low, high, overlap.level, method, effect)


def _mapped(limit: float | None) -> float | None:
    return None if limit is None else 2 * limit / (1 + limit)


def balanced_accuracy(sample: Sample, rates: Rates) -> Figure:
    """Mean recall over the gold classes present (their number is ``numerator``-free).

    Interval: the squares of the distances to the Wilson limits of the recalls add up,
    as in Newcombe's method 10.
    """
    figures = (_recall(sample, rates, code) for code in CLASSES)
    recalls = [figure for figure in figures if isinstance(figure, Estimate)]
    if not recalls:
        return Undefined(NO_CASES, None, 0)
    value = sum(figure.value for figure in recalls) / len(recalls)
    down, up = (_joint(recalls, side) for side in ("low", "high"))
    return Estimate(
        value=value,
        numerator=None,
        denominator=sum(figure.denominator for figure in recalls),
        low=max(0.0, value - down),
        high=min(1.0, value + up),
        level=rates.level,
        method=f"square-and-add over {len(recalls)} classes",
        design_effect=max(figure.design_effect for figure in recalls),
    )


def _recall(sample: Sample, rates: Rates, code: int) -> Figure:
    return rates.share(sample.columns.verdict == code, sample.columns.gold == code)


def _joint(figures: list[Estimate], side: str) -> float:
    gaps = (figure.value - getattr(figure, side) for figure in figures)
    return sqrt(sum(gap**2 for gap in gaps)) / len(figures)
