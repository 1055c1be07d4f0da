"""What changed between two runs of one judge over the same pairs (METHODS 3.14)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import chdtrc

from calibration.domain.position import exact_sign_test
from calibration.domain.rates import share
from calibration.domain.results import ExactTest
from judging.domain.terms import JudgeOutcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from annotation.domain.estimates import Figure
    from annotation.domain.outcomes import Outcome

CLASSES = tuple(JudgeOutcome)[:4]  # invalid is left out of every comparison


class Change(StrEnum):
    """How a pair's verdict differs from its reference verdict."""

    SAME = "same"
    WORSE = "worse"
    BETTER = "better"
    NEUTRAL = "neutral"
    LEFT_OUT = "left_out"


@dataclass(frozen=True, slots=True)
class Twice:
    """One pair that was judged twice. ``cluster`` is its group, or its case."""

    pair: str
    cluster: str
    reference: JudgeOutcome
    verdict: JudgeOutcome
    gold: Outcome | None

    @property
    def change(self) -> Change:
        """Worse gave up the gold outcome, better found it; the rest is neutral.

        A pair that is invalid either time is left out.
        """
        old, new = self.reference.value, self.verdict.value
        if JudgeOutcome.INVALID in (self.reference, self.verdict):
            return Change.LEFT_OUT
        if old == new:
            return Change.SAME
        gold = self.gold.value if self.gold else None
        if gold is not None and old == gold:
            return Change.WORSE
        return Change.BETTER if gold is not None and new == gold else Change.NEUTRAL


@dataclass(frozen=True, slots=True)
class DriftCounts:
    """Pairs by how they changed. ``n`` were usable both times."""

    n: int
    left_out: int
    changed: int
    worse: int
    better: int
    neutral: int


@dataclass(frozen=True, slots=True)
class Drift:
    """A run beside the reference run, on the pairs that both judged.

    ``worse_groups`` and ``better_groups`` are groups of pairs that got worse or better
    on the whole: each counts once, whatever it holds. ``test`` is the exact McNemar
    test of the two, for this one look. ``shares`` asks whether the verdicts' shares
    moved (Stuart and Maxwell), with gold or without. ``lost_groups`` are groups of
    pairs whose verdicts became invalid on the whole, ``regained_groups`` the reverse.
    """

    counts: DriftCounts
    change_rate: Figure
    worse_groups: int
    better_groups: int
    test: ExactTest
    shares: ExactTest
    lost_groups: int
    regained_groups: int


def compare_runs(pairs: Sequence[Twice], level: float = 0.95) -> Drift:
    """Compare a run with its reference; raises ``ValueError`` if a pair comes twice."""
    if len({one.pair for one in pairs}) < len(pairs):
        raise ValueError("a pair occurs twice")
    worse, better = by_group(pairs)
    lost, regained = net_groups((one.cluster, _lost(one)) for one in pairs)
    used = [one for one in pairs if one.change is not Change.LEFT_OUT]
    rate = clustered_share(
        [(one.change is not Change.SAME, one.cluster) for one in used], level
    )
    return Drift(
        counts=count_changes(pairs),
        change_rate=rate,
        worse_groups=worse,
        better_groups=better,
        test=replace(exact_sign_test(worse, better), method="mcnemar, exact"),
        shares=stuart_maxwell(moves_of(used)),
        lost_groups=lost,
        regained_groups=regained,
    )


def count_changes(pairs: Iterable[Twice]) -> DriftCounts:
    """Count the pairs by how they changed."""
    found = Counter(one.change for one in pairs)
    moved = {c: found[c] for c in (Change.WORSE, Change.BETTER, Change.NEUTRAL)}
    changed = sum(moved.values())
    return DriftCounts(
        n=changed + found[Change.SAME],
        left_out=found[Change.LEFT_OUT],
        changed=changed,
        worse=moved[Change.WORSE],
        better=moved[Change.BETTER],
        neutral=moved[Change.NEUTRAL],
    )


def by_group(pairs: Iterable[Twice]) -> tuple[int, int]:
    """Groups with more pairs worse than better, and the reverse."""
    return net_groups((one.cluster, _sign(one.change)) for one in pairs)


def net_groups(signed: Iterable[tuple[str, int]]) -> tuple[int, int]:
    """Groups whose signs add up to more than 0, and to less.

    What is in one group shares its fate, so a group is one observation. Where nothing
    drifts the two runs could as well have come in the other order, which turns every
    sign: so the two kinds are equally likely, whatever the groups hold.
    """
    balance: Counter[str] = Counter()
    for cluster, sign in signed:
        balance[cluster] += sign
    signs = Counter((value > 0) - (value < 0) for value in balance.values())
    return signs[1], signs[-1]


def _sign(change: Change) -> int:
    return (change is Change.WORSE) - (change is Change.BETTER)


def _lost(one: Twice) -> int:
    """1 where a verdict became invalid, -1 where it was and is not any more."""
    now = one.verdict is JudgeOutcome.INVALID
    return now - (one.reference is JudgeOutcome.INVALID)


def moves_of(pairs: Iterable[Twice]) -> list[list[int]]:
    """For each group with a changed verdict: how much each class lost, B, C, T, A."""
    found: dict[str, Counter[JudgeOutcome]] = {}
    for one in pairs:
        if one.reference is not one.verdict:
            moved = found.setdefault(one.cluster, Counter())
            moved[one.reference] += 1
            moved[one.verdict] -= 1
    return [[moved[outcome] for outcome in CLASSES] for moved in found.values()]


def stuart_maxwell(moves: Sequence[Sequence[int]]) -> ExactTest:
    """Whether the verdicts of two runs over the same groups have the same shares.

    Each group gives what every class lost from one run to the other. Where nothing
    drifts the runs could as well have come in the other order, which turns all its
    signs: so the sum has the mean 0 and the spread of the groups' own squares. With
    one pair a group this is the test of Stuart (1955) and Maxwell (1970), chi-squared.
    ``n`` counts the groups with a changed verdict; undefined where there is none.
    """
    method = "stuart-maxwell, chi-squared"
    if not len(moves):
        return ExactTest(None, 0, method, "no pair changed")
    lost = np.array(moves, np.float64)
    gaps, spread = lost.sum(0), lost.T @ lost
    rank = int(np.linalg.matrix_rank(spread, hermitian=True))
    if rank == 0:  # within each group what one pair lost another found
        return ExactTest(1.0, len(moves), method)
    statistic = float(gaps @ np.linalg.pinv(spread, hermitian=True) @ gaps)
    return ExactTest(float(chdtrc(rank, statistic)), len(moves), method)


def clustered_share(hits: Sequence[tuple[bool, str]], level: float = 0.95) -> Figure:
    """Share of hits, with the group of each: Wilson, widened where groups hold many."""
    codes = {
        name: i for i, name in enumerate(dict.fromkeys(group for _, group in hits))
    }
    return share(
        np.array([hit for hit, _ in hits], bool),
        np.array([codes[group] for _, group in hits], np.int64),
        level,
    )
