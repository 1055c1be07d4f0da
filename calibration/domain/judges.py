"""Several judges on the same pairs, two at a time (METHODS 3.5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from annotation.domain.intervals import holm_of_tests
from calibration.domain import confusion as tables
from calibration.domain import errors
from calibration.domain.coherence import coherence
from calibration.domain.columns import TIE
from calibration.domain.paired import paired
from calibration.domain.position import flip_rate
from calibration.domain.rates import Rates
from calibration.domain.stability import modal_share
from judging.domain.panels import effective_votes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from annotation.domain.estimates import Figure, Undefined
    from calibration.domain.columns import Codes
    from calibration.domain.results import ExactTest
    from calibration.domain.samples import Sample
    from judging.domain.panels import EffectiveVotes

ALPHA = 0.05
SEED = 20_514  # of the bootstraps: every judge is drawn alike


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """One judge on the shared pairs, and the judges that it can't be told from.

    ``not_separable`` names those against whom the corrected test finds nothing.
    """

    judge: str
    exact_agreement: Figure
    false_candidate_wins: Figure
    flip_rate: Figure
    ipi: Figure
    tov: Figure
    modal_share: Figure
    invalid_rate: Figure
    not_separable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Versus:
    """Two judges on the same pairs.

    ``difference`` is agreement of the first less that of the second (Tango). ``test``
    is the exact McNemar test of ``first_only`` against ``second_only``, pairs that one
    alone got right, and ``p_value`` that of the same with regard to clusters, by which
    they are separable; ``adjusted`` is this after Holm over all twos. They are ``None``
    without a test.
    ``both_wrong`` pairs are shared errors, on ``same_wrong`` of which the two even gave
    the same verdict.
    """

    first: str
    second: str
    first_only: int
    second_only: int
    both_wrong: int
    same_wrong: int
    difference: Figure
    test: ExactTest
    p_value: float | None
    adjusted: float | None
    separable: bool


@dataclass(frozen=True, slots=True)
class JudgeComparison:
    """Judges by agreement, best first, and every two of them.

    ``pairs`` have gold baseline, candidate or tie and were judged by all.
    ``all_wrong`` names the cases of those of them that no judge got right,
    ``all_wrong_systems`` the (baseline, candidate) and ``all_wrong_pairs`` the keys of
    these pairs, and ``shared_wrong`` counts them. ``effective_votes``
    is how many independent judges all of them together are worth (METHODS 3.11).
    """

    pairs: int
    judges: tuple[JudgeRow, ...]
    versus: tuple[Versus, ...]
    all_wrong: tuple[str, ...]
    all_wrong_systems: tuple[tuple[str, str], ...]
    all_wrong_pairs: tuple[str, ...]
    shared_wrong: int
    effective_votes: EffectiveVotes | Undefined


def compare_judges(
    samples: Mapping[str, Sample], level: float = 0.95
) -> JudgeComparison:
    """Compare judges on the scored pairs that all of them judged.

    ``samples`` holds one sample a judge, by name, under the same gold. Raises
    ``ValueError`` for fewer than two judges, or where gold of a pair differs.
    """
    if len(samples) < 2:  # noqa: PLR2004 - nothing to compare
        raise ValueError("a comparison needs two judges")
    shared = _shared(samples)
    base = next(iter(shared.values()))
    gold = base.columns.gold
    if any((one.columns.gold != gold).any() for one in shared.values()):
        raise ValueError("the judges do not have the same gold")
    rates = Rates.of(base, level)
    said = {name: one.columns.verdict for name, one in shared.items()}
    versus = _every_two(said, gold, rates)
    rows = [_judge_row(name, one, rates, versus) for name, one in shared.items()]
    missed = [v != gold for v in said.values()]
    wrong = np.flatnonzero(np.all(missed, axis=0))
    return JudgeComparison(
        pairs=len(base),
        judges=tuple(sorted(rows, key=_rank)),
        versus=versus,
        all_wrong=tuple(base.rows[i].case for i in wrong),
        all_wrong_systems=tuple(base.rows[i].systems for i in wrong),
        all_wrong_pairs=tuple(base.rows[i].pair for i in wrong),
        shared_wrong=len(wrong),
        effective_votes=effective_votes([one.astype(int).tolist() for one in missed]),
    )


def _judge_row(
    name: str, sample: Sample, rates: Rates, versus: tuple[Versus, ...]
) -> JudgeRow:
    near = [
        one.second if one.first == name else one.first
        for one in versus
        if name in (one.first, one.second) and not one.separable
    ]
    rng = np.random.default_rng(SEED)
    order = coherence(sample, rates, rng)
    return JudgeRow(
        judge=name,
        exact_agreement=tables.exact_agreement(sample, rates),
        false_candidate_wins=errors.false_candidate_wins(sample, rates),
        flip_rate=flip_rate(sample, rates),
        ipi=order.ipi,
        tov=order.tov,
        modal_share=modal_share(sample, rates, rng),
        invalid_rate=errors.invalid_rate(sample, rates),
        not_separable=tuple(sorted(near)),
    )


def _shared(samples: Mapping[str, Sample]) -> dict[str, Sample]:
    known = set.intersection(
        *({row.pair for row in one.rows} for one in samples.values())
    )
    return {
        name: one.keep(
            np.array([row.pair in known for row in one.rows], bool)
            & (one.columns.gold <= TIE)
        )
        for name, one in samples.items()
    }


def _rank(row: JudgeRow) -> tuple[float, str]:
    return -float(row.exact_agreement.numerator or 0), row.judge


def _every_two(
    said: Mapping[str, Codes], gold: Codes, rates: Rates
) -> tuple[Versus, ...]:
    found = [
        _versus((one, said[one]), (other, said[other]), gold, rates)
        for one, other in combinations(said, 2)
    ]
    adjusted = holm_of_tests([one.p_value for one in found])
    return tuple(
        replace(one, adjusted=p, separable=p is not None and p <= ALPHA)
        for one, p in zip(found, adjusted, strict=True)
    )


def _versus(
    first: tuple[str, Codes], second: tuple[str, Codes], gold: Codes, rates: Rates
) -> Versus:
    (name, mine), (other, theirs) = first, second
    right, other_right = mine == gold, theirs == gold
    wrong = ~right & ~other_right
    found = paired(right & ~other_right, other_right & ~right, rates)
    return Versus(
        first=name,
        second=other,
        first_only=found.gains,
        second_only=found.losses,
        both_wrong=int(wrong.sum()),
        same_wrong=int((wrong & (mine == theirs)).sum()),
        difference=found.difference,
        test=found.test,
        p_value=found.p_value,
        adjusted=None,
        separable=False,
    )
