"""What one check of a sentinel came to: verdicts beside gold, or marks by system."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from annotation.domain.outcomes import Outcome
from calibration.domain.drift import clustered_share, net_groups
from calibration.domain.means import bootstrap_mean
from calibration.domain.position import exact_sign_test
from judging.domain.marks import MarkState
from judging.domain.terms import JudgeOutcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    from annotation.domain.estimates import Figure
    from calibration.domain.results import ExactTest

SEED = 3_141  # of the bootstrap of mean marks: stored with the result
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Judged:
    """One pair of a check with its gold and its verdict."""

    pair: str
    case: str
    cluster: str
    gold: Outcome | None
    verdict: JudgeOutcome


@dataclass(frozen=True, slots=True)
class VerdictBlock:
    """A check of a judge of pairs.

    ``agreement`` is of pairs with gold baseline, candidate or tie; abstain and invalid
    count as wrong. ``wrong_groups`` adds up the share of wrong pairs of each of
    ``groups``, which is what is watched over time; ``invalid_groups`` adds up the share
    of invalid verdicts of each of ``judged_groups``, with gold or without.
    """

    pairs: int
    verdicts: dict[str, int]
    agreement: Figure
    invalid_rate: Figure
    wrong_groups: float
    groups: int
    invalid_groups: float
    judged_groups: int


def verdict_block(judged: Sequence[Judged]) -> VerdictBlock:
    """Sum up the verdicts of a check."""
    found = Counter(one.verdict for one in judged)
    scored = [one for one in judged if one.gold not in (None, Outcome.ABSTAIN)]
    right = [(_agrees(one), one.cluster) for one in scored]
    invalid = [(one.verdict is JudgeOutcome.INVALID, one.cluster) for one in judged]
    wrong_groups, groups = group_shares((not agrees, name) for agrees, name in right)
    invalid_groups, judged_groups = group_shares(invalid)
    return VerdictBlock(
        pairs=len(judged),
        verdicts={outcome.value: found[outcome] for outcome in JudgeOutcome},
        agreement=clustered_share(right, LEVEL),
        invalid_rate=clustered_share(invalid, LEVEL),
        wrong_groups=wrong_groups,
        groups=groups,
        invalid_groups=invalid_groups,
        judged_groups=judged_groups,
    )


def group_shares(hits: Iterable[tuple[bool, str]]) -> tuple[float, int]:
    """The shares of hits of each group added up, and how many groups there are."""
    found: dict[str, list[bool]] = defaultdict(list)
    for hit, cluster in hits:
        found[cluster].append(hit)
    return float(sum(sum(each) / len(each) for each in found.values())), len(found)


def _agrees(one: Judged) -> bool:
    return one.gold is not None and one.verdict.value == one.gold.value


@dataclass(frozen=True, slots=True)
class Marked:
    """The mark of one response in a check."""

    response: str
    system: str
    case: str
    cluster: str
    state: MarkState
    score: Fraction | None
    passed: bool | None


@dataclass(frozen=True, slots=True)
class SystemBlock:
    """The marks of one system's responses.

    ``pass_rate`` is of the responses that were passed or failed; ``None`` where the
    scale has no pass mark. ``mean`` is of the marked ones.
    """

    system: str
    responses: int
    marked: int
    abstained: int
    invalid: int
    pass_rate: Figure | None
    mean: Figure
    invalid_rate: Figure


def system_blocks(marked: Sequence[Marked]) -> tuple[SystemBlock, ...]:
    """Sum up the marks of a check by system, in the order that systems come in."""
    groups: dict[str, list[Marked]] = defaultdict(list)
    for one in marked:
        groups[one.system].append(one)
    return tuple(_system(name, rows) for name, rows in groups.items())


def _system(name: str, rows: Sequence[Marked]) -> SystemBlock:
    states = Counter(one.state for one in rows)
    told = [(one.passed, one.cluster) for one in rows if one.passed is not None]
    scored = [one for one in rows if one.score is not None]
    codes = {c: i for i, c in enumerate(dict.fromkeys(one.cluster for one in scored))}
    return SystemBlock(
        system=name,
        responses=len(rows),
        marked=states[MarkState.MARKED],
        abstained=states[MarkState.ABSTAIN],
        invalid=states[MarkState.INVALID],
        pass_rate=clustered_share(told, LEVEL) if told else None,
        mean=bootstrap_mean(
            np.array([float(one.score or 0) for one in scored], np.float64),
            np.array([codes[one.cluster] for one in scored], np.int64),
            np.random.default_rng(SEED),
            LEVEL,
        ),
        invalid_rate=clustered_share(
            [(one.state is MarkState.INVALID, one.cluster) for one in rows], LEVEL
        ),
    )


@dataclass(frozen=True, slots=True)
class MarkBlock:
    """All responses of a check together: how many have no usable mark, by groups."""

    invalid_groups: float
    judged_groups: int


def mark_block(marked: Sequence[Marked]) -> MarkBlock:
    """Sum up invalid marks by group."""
    return MarkBlock(*group_shares((_invalid(one), one.cluster) for one in marked))


def _invalid(one: Marked | Given) -> bool:
    return one.state is MarkState.INVALID


@dataclass(frozen=True, slots=True)
class Given:
    """The mark that a response had in a reference."""

    state: MarkState
    score: Fraction | None


@dataclass(frozen=True, slots=True)
class MarkDrift:
    """Marks beside reference marks of the same responses, where both were given.

    ``lower_groups`` and ``higher_groups`` are groups of responses whose marks fell or
    rose on the whole; ``test`` is the exact sign test of the two, for this one look.
    ``lost_groups`` and ``regained_groups`` are groups whose marks became invalid, and
    the reverse.
    """

    n: int
    left_out: int
    lower: int
    higher: int
    lower_groups: int
    higher_groups: int
    change_rate: Figure
    test: ExactTest
    lost_groups: int
    regained_groups: int


def compare_marks(
    reference: Mapping[str, Given], marked: Sequence[Marked]
) -> MarkDrift:
    """Compare the marks of a check with those of a reference, response by response."""
    both = [(reference[m.response], m) for m in marked if m.response in reference]
    signs = [(now.cluster, _fall(old.score, now.score)) for old, now in both]
    used = [(cluster, sign) for cluster, sign in signs if sign is not None]
    lower, higher = net_groups(used)
    lost, regained = net_groups(
        (now.cluster, _invalid(now) - _invalid(old)) for old, now in both
    )
    return MarkDrift(
        n=len(used),
        left_out=len(signs) - len(used),
        lower=sum(sign > 0 for _, sign in used),
        higher=sum(sign < 0 for _, sign in used),
        lower_groups=lower,
        higher_groups=higher,
        change_rate=clustered_share([(sign != 0, name) for name, sign in used], LEVEL),
        test=replace(exact_sign_test(lower, higher), method="sign test, exact"),
        lost_groups=lost,
        regained_groups=regained,
    )


def _fall(before: Fraction | None, after: Fraction | None) -> int | None:
    """1 where a mark fell, -1 where it rose; ``None`` unless both were given."""
    if before is None or after is None:
        return None
    return (after < before) - (after > before)
