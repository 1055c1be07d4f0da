"""What moved between two judges on the same pairs, figure by figure (METHODS 3.5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from annotation.domain.intervals import holm_of_tests
from calibration.domain.columns import BASELINE, CANDIDATE, INVALID, TIE
from calibration.domain.paired import paired
from calibration.domain.position import flips, usable
from calibration.domain.rates import Rates

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.columns import Mask
    from calibration.domain.results import ExactTest
    from calibration.domain.samples import Sample

ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Move:
    """One rate before and after, on the pairs that count for it both times.

    ``gained`` pairs count after and not before, ``lost`` the reverse. ``difference`` is
    after less before (Tango), ``test`` exact McNemar, ``p_value`` that of the same with
    regard to clusters, ``adjusted`` this after Holm over all figures, and ``shown``
    whether that is at most 5 %. Without a test there is no p value.
    """

    figure: str
    before: Figure
    after: Figure
    gained: int
    lost: int
    difference: Figure
    test: ExactTest
    p_value: float | None
    adjusted: float | None
    shown: bool


@dataclass(frozen=True, slots=True)
class Moves:
    """The pairs that both judged, and every rate on them."""

    pairs: int
    moves: tuple[Move, ...]


def moves(before: Sample, after: Sample, level: float = 0.95) -> Moves:
    """Compare two judges pair by pair under the same gold.

    Raises ``ValueError`` where gold of a pair differs.
    """
    one, other = _shared(before, after)
    if (one.columns.gold != other.columns.gold).any():
        raise ValueError("the judges do not have the same gold")
    rates = Rates.of(one, level)
    firsts, seconds = _rates_of(one), _rates_of(other)
    found = [
        _move(
            name, (firsts[name][0], seconds[name][0]), among & seconds[name][1], rates
        )
        for name, (_, among) in firsts.items()
    ]
    adjusted = holm_of_tests([one.p_value for one in found])
    return Moves(
        pairs=len(one),
        moves=tuple(
            replace(move, adjusted=p, shown=p is not None and p <= ALPHA)
            for move, p in zip(found, adjusted, strict=True)
        ),
    )


def _shared(before: Sample, after: Sample) -> tuple[Sample, Sample]:
    known = {row.pair for row in before.rows} & {row.pair for row in after.rows}
    one, other = (
        sample.keep(np.array([row.pair in known for row in sample.rows], bool))
        for sample in (before, after)
    )
    return one, other


def _rates_of(sample: Sample) -> dict[str, tuple[Mask, Mask]]:
    """By figure: the pairs that are hits, and those that they are a share of."""
    gold, said = sample.columns.gold, sample.columns.verdict
    scored, decisive = gold <= TIE, said < TIE
    every = np.ones(len(sample), bool)
    return {
        "exact_agreement": (said == gold, scored),
        "coverage": (said <= TIE, scored),
        "false_candidate_wins": (said == CANDIDATE, gold == BASELINE),
        "false_baseline_wins": (said == BASELINE, gold == CANDIDATE),
        "missed_ties": (decisive, gold == TIE),
        "invented_ties": (said == TIE, gold < TIE),
        "position.flip_rate": (flips(sample), usable(sample)),
        "invalid_rate": (said == INVALID, every),
    }


def _move(name: str, hits: tuple[Mask, Mask], among: Mask, rates: Rates) -> Move:
    first, second = (mask[among] for mask in hits)
    part = Rates(rates.clusters[among], rates.level, rates.alone)
    every = np.ones(len(first), bool)
    found = paired(second & ~first, first & ~second, part)
    return Move(
        figure=name,
        before=part.share(first, every),
        after=part.share(second, every),
        gained=found.gains,
        lost=found.losses,
        difference=found.difference,
        test=found.test,
        p_value=found.p_value,
        adjusted=None,
        shown=False,
    )
