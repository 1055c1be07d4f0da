"""Assemble the figures of a sample into the blocks of a report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING

from annotation.domain.agreement import ONE_LABEL, without_interval
from annotation.domain.estimates import Undefined
from annotation.domain.outcomes import Split
from calibration.domain import cells, errors
from calibration.domain import confusion as tables
from calibration.domain.between import between_reviewers
from calibration.domain.coherence import coherence
from calibration.domain.columns import BASELINE, CANDIDATE, TIE
from calibration.domain.gaps import compare
from calibration.domain.human_orders import human_orders
from calibration.domain.humans import humans
from calibration.domain.intersections import intersections
from calibration.domain.kappa import kappa
from calibration.domain.length import length_block
from calibration.domain.marked import marks_block
from calibration.domain.parts import Part
from calibration.domain.position import position
from calibration.domain.preference import preference
from calibration.domain.rates import NO_CASES
from calibration.domain.results import Block, Splits
from calibration.domain.reviewers import by_consensus, single_reviewers
from calibration.domain.sides import side_block
from calibration.domain.slices import no_gold, slice_blocks
from calibration.domain.stability import stability

if TYPE_CHECKING:
    import numpy as np

    from annotation.domain.estimates import Figure
    from calibration.domain.bootstrap import Resamples
    from calibration.domain.cells import Statistic
    from calibration.domain.gaps import Comparison
    from calibration.domain.rates import Rates
    from calibration.domain.results import Preference, PreferenceBlock
    from calibration.domain.samples import Sample

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Calibration:
    """All results of a report: by split, and dev against held-out."""

    splits: Splits
    comparison: Comparison


def calibrate(
    sample: Sample, rng: np.random.Generator, level: float = LEVEL
) -> Calibration:
    """Compute the blocks of dev, held-out and all pairs, and dev against held-out.

    ``rng`` feeds the bootstrap: the same state gives the same bytes. ``level`` is
    two-sided.
    """
    dev, held_out = (Part.of(sample.where(split=s), rng, level) for s in Split)
    blocks = Splits(block(dev), block(held_out), block(Part.of(sample, rng, level)))
    return Calibration(blocks, compare(dev, blocks.dev, held_out, blocks.held_out))


def block(part: Part) -> Block:
    """Compute every figure of one part of the sample."""
    sample, rates, resamples = part.sample, part.rates, part.resamples
    agreement = tables.exact_agreement(sample, rates)
    false_wins = errors.false_candidate_wins(sample, rates)
    critical, slices = slice_blocks(
        sample, rates.level, agreement=agreement, false_wins=false_wins
    )
    reviewers, alt_test = single_reviewers(sample, rates, part.spare)
    return Block(
        n=len(sample),
        no_gold=no_gold(sample),
        scored=int(tables.scored(sample).sum()),
        coverage=tables.coverage(sample, rates),
        human=humans(sample, rates, part.spare),
        confusion=tables.confusion(sample),
        exact_agreement=agreement,
        stated_agreement=tables.stated_agreement(sample, rates),
        answered_agreement=tables.answered_agreement(sample, rates),
        kappa=resamples.interval(kappa(sample, rates), cells.kappa),
        balanced_accuracy=resamples.interval(
            tables.balanced_accuracy(sample, rates), cells.balanced_accuracy
        ),
        per_class=tables.per_class(sample, rates),
        false_candidate_wins=false_wins,
        false_baseline_wins=errors.false_baseline_wins(sample, rates),
        unearned_candidate_wins=errors.unearned_candidate_wins(sample, rates),
        wrong_candidate_verdicts=errors.wrong_candidate_verdicts(sample, rates),
        missed_ties=errors.missed_ties(sample, rates),
        missed_ties_to_candidate=errors.missed_ties_to(sample, rates, CANDIDATE),
        missed_ties_to_baseline=errors.missed_ties_to(sample, rates, BASELINE),
        invented_ties=errors.invented_ties(sample, rates),
        gold_abstain=tables.gold_abstain(sample, rates),
        missed_abstains=errors.missed_abstains(sample, rates),
        invented_abstains=errors.invented_abstains(sample, rates),
        invalid_rate=errors.invalid_rate(sample, rates),
        invalid_verdicts=errors.invalid_verdicts(sample, rates),
        invalid_call_rate=errors.invalid_call_rate(sample, rates),
        invalid_calls=errors.invalid_calls(sample),
        invalid_pairs=errors.invalid_pairs(sample),
        pairs_with_invalid_calls=errors.pairs_with_invalid_calls(sample),
        ties=errors.tie_counts(sample),
        direction=errors.direction(sample, rates),
        position=position(sample, rates, part.spare),
        preference=_preference(sample, rates, resamples),
        coherence=coherence(sample, rates, part.spare),
        by_consensus=by_consensus(sample, rates.level),
        single_reviewers=reviewers,
        alt_test=alt_test,
        between_reviewers=between_reviewers(sample, rates),
        ac1=_ac1(resamples),
        mcc=_mcc(resamples),
        length=length_block(sample, rates),
        human_orders=human_orders(sample, rates, part.spare),
        stability=stability(part),
        marks=marks_block(sample, rates),
        formatting=side_block(sample, sample.columns.formatted, rates),
        own_family=side_block(sample, sample.columns.own_family, rates),
        critical=critical,
        slices=slices,
        intersections=intersections(
            sample, rates, agreement=agreement, false_wins=false_wins
        ),
    )


def _ac1(resamples: Resamples) -> Figure:
    """Gwet's AC1 of judge and gold on answered pairs, labels B, C, T."""
    table = resamples.table[: TIE + 1, : TIE + 1]
    n = int(table.sum())
    if not n:
        return Undefined(NO_CASES, None, 0)
    value = float(cells.ac1(resamples.table))
    return resamples.interval(without_interval(value, n), cells.ac1)


def _mcc(resamples: Resamples) -> Figure:
    """Matthews correlation of judge and gold on answered pairs, for the export."""
    n = int(resamples.table[: TIE + 1, : TIE + 1].sum())
    if not n:
        return Undefined(NO_CASES, None, 0)
    value = float(cells.mcc(resamples.table))
    if not isfinite(value):
        return Undefined(ONE_LABEL, None, n)
    return resamples.interval(without_interval(value, n), cells.mcc)


def _preference(sample: Sample, rates: Rates, resamples: Resamples) -> PreferenceBlock:
    """Preference with bootstrap intervals where those can be had."""

    def bounded(found: Preference, net: Statistic) -> Preference:
        return replace(
            found,
            net=resamples.interval(found.net, net),
            half_tie=resamples.interval(found.half_tie, cells.halved(net)),
        )

    found = preference(sample, rates)
    return replace(
        found,
        judge=bounded(found.judge, cells.judge_net),
        gold=bounded(found.gold, cells.gold_net),
    )
