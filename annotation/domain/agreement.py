"""How far labellers agree: shares and coefficients (METHODS 3.6, 3.7).

Ratings are one row a case, holding the labels given to it; ``None`` stands for a
missing label and rows may differ in length. The label set is fixed by the caller, never
"those observed", because the coefficients depend on its size.
"""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from scipy.special import stdtrit

from annotation.domain.clusters import cluster_counts, design_effect
from annotation.domain.estimates import Estimate, Figure, Undefined
from annotation.domain.intervals import share, wilson

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    Ratings = Sequence[Sequence[Hashable | None]]

NO_OVERLAP = "no case has two labels"
ONE_LABEL = "only one label used"


class _CaseCounts(NamedTuple):
    """How often each label of the set was given to one case."""

    counts: tuple[int, ...]
    total: int

    @property
    def agreement(self) -> float:
        """Share of this case's label pairs that agree; needs two labels."""
        same = sum(count * (count - 1) for count in self.counts)
        return same / (self.total * (self.total - 1))


def pair_agreement(labels: Sequence[Hashable]) -> float | None:
    """Share of one case's pairs of labels that agree, ``None`` below two labels."""
    if len(labels) < 2:  # noqa: PLR2004 - a pair of labels
        return None
    counts = tuple(Counter(labels).values())
    return _CaseCounts(counts, len(labels)).agreement


def percent_agreement(
    ratings: Ratings,
    labels: Sequence[Hashable],
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Figure:
    """Mean over cases with two or more labels of the share of agreeing label pairs.

    A case counts once however many labels it has. The interval is Wilson's on that
    share of the cases, which is wide enough because a mean of shares never varies more
    than a rate. ``clusters`` names the prompt of each row of ``ratings``.
    """
    rows = _counted(ratings, labels)
    shares = [row.agreement if row.total > 1 else None for row in rows]
    used = [value for value in shares if value is not None]
    if not used:
        return Undefined(NO_OVERLAP, None, 0)
    effect = 1.0
    if clusters is not None:
        named = zip(shares, clusters, strict=True)
        kept = [(value, name) for value, name in named if value is not None]
        effect = design_effect(cluster_counts(*zip(*kept, strict=True)))
    total = min(sum(used), float(len(used)))
    interval = wilson(total, len(used), level, effect)
    return Estimate(
        value=total / len(used),
        numerator=None,
        denominator=len(used),
        low=interval.low,
        high=interval.high,
        level=level,
        method=interval.method,
        design_effect=effect,
    )


def unanimous_share(
    ratings: Ratings, labels: Sequence[Hashable], *, level: float = 0.95
) -> Figure:
    """Share of the cases with two or more labels whose labels are all the same."""
    rows = [row for row in _counted(ratings, labels) if row.total > 1]
    same = sum(max(row.counts) == row.total for row in rows)
    return share(same, len(rows), level=level, reason=NO_OVERLAP)


def krippendorff_alpha(ratings: Ratings, labels: Sequence[Hashable]) -> Figure:
    """Krippendorff's alpha for nominal labels; missing labels allowed.

    Source: Krippendorff (2011), "Computing Krippendorff's alpha-reliability". Cases
    with fewer than two labels do not count. Comes without an interval: its interval is
    a bootstrap over cases (:func:`annotation.domain.resampling.alpha_interval`).
    """
    rows = [row for row in _counted(ratings, labels) if row.total > 1]
    if not rows:
        return Undefined(NO_OVERLAP, None, 0)
    value = alpha_of([(row.counts, 1) for row in rows])
    if value is None:
        return Undefined(ONE_LABEL, None, len(rows))
    return without_interval(value, len(rows))


def alpha_of(rows: Sequence[tuple[tuple[int, ...], int]]) -> float | None:
    """Alpha of label counts per case, each with how often it occurs.

    ``None`` where only one label was used, since no disagreement was possible. Every
    case must have two or more labels.
    """
    differing = 0.0
    totals = [0] * len(rows[0][0])
    for counts, times in rows:
        labels = sum(counts)
        same = sum(count * count for count in counts)
        differing += times * (labels * labels - same) / (labels - 1)
        totals = [a + times * b for a, b in zip(totals, counts, strict=True)]
    n = sum(totals)
    possible = n * n - sum(total * total for total in totals)
    return None if possible == 0 else 1 - (n - 1) * differing / possible


def gwet_ac1(
    ratings: Ratings, labels: Sequence[Hashable], *, level: float = 0.95
) -> Figure:
    """Gwet's AC1 with its linearised standard error; missing labels allowed.

    Source: Gwet (2014), Handbook of Inter-Rater Reliability, chapters 4 and 5. Unlike
    kappa it does not collapse when one label dominates. Interval: Student's t with
    (cases - 1) degrees of freedom; none where the standard error is 0.
    """
    rows = [row for row in _counted(ratings, labels) if row.total > 0]
    if not any(row.total > 1 for row in rows):
        return Undefined(NO_OVERLAP, None, 0)
    if len(labels) < 2:  # noqa: PLR2004 - chance agreement needs two labels
        return Undefined("the label set has fewer than two labels", None, len(rows))
    value, se = _ac1_and_se(rows, len(labels))
    if se == 0:
        return without_interval(value, len(rows))
    half = float(stdtrit(len(rows) - 1, (1 + level) / 2)) * se
    return with_half_width(value, half, len(rows), level, "linearised, t")


def ac1_se(ratings: Ratings, labels: Sequence[Hashable]) -> float:
    """Give the standard error that :func:`gwet_ac1` uses; AC1 must be defined."""
    rows = [row for row in _counted(ratings, labels) if row.total > 0]
    return _ac1_and_se(rows, len(labels))[1]


def _ac1_and_se(rows: list[_CaseCounts], labels: int) -> tuple[float, float]:
    n = len(rows)
    used = sum(row.total > 1 for row in rows)
    prevalence = [
        sum(row.counts[k] / row.total for row in rows) / n for k in range(labels)
    ]
    chance = sum(p * (1 - p) for p in prevalence) / (labels - 1)
    observed = sum(row.agreement for row in rows if row.total > 1) / used
    ac1 = (observed - chance) / (1 - chance)
    if n == 1:
        return ac1, 0.0
    squares = 0.0
    for row in rows:
        own = n / used * (row.agreement - chance) if row.total > 1 else 0.0
        own_chance = _chance_share(row, prevalence)
        shift = 2 * (1 - ac1) * (own_chance - chance)
        squares += ((own - shift) / (1 - chance) - ac1) ** 2
    return ac1, rounded_se(sqrt(squares / (n * (n - 1))))


def _chance_share(row: _CaseCounts, prevalence: list[float]) -> float:
    expected = sum(
        count * (1 - p) for count, p in zip(row.counts, prevalence, strict=True)
    )
    return expected / row.total / (len(prevalence) - 1)


def _counted(ratings: Ratings, labels: Sequence[Hashable]) -> list[_CaseCounts]:
    known = set(labels)
    rows = []
    for given in ratings:
        counted = Counter(label for label in given if label is not None)
        if not known.issuperset(counted):
            unknown = sorted(map(repr, set(counted) - known))
            msg = f"labels outside the label set: {', '.join(unknown)}"
            raise ValueError(msg)
        counts = tuple(counted[label] for label in labels)
        rows.append(_CaseCounts(counts, sum(counts)))
    return rows


def rounded_se(se: float) -> float:
    """Take float dust for the zero that it is."""
    return 0.0 if se < 1e-12 else se  # noqa: PLR2004 - far below any real SE


def with_half_width(
    value: float, half: float, cases: int, level: float, method: str
) -> Estimate:
    """Put a coefficient with its symmetric interval, kept within -1 to 1."""
    low, high = max(-1.0, value - half), min(1.0, value + half)
    return Estimate(value, None, cases, low, high, level, method)


def without_interval(value: float, cases: int) -> Estimate:
    """Give a value alone: an interval of zero width would claim certainty."""
    return Estimate(value, None, cases, None, None, None, None)
