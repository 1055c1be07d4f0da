"""Assemble the figures of a sample into the blocks of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.outcomes import Split
from calibration.domain import confusion as tables
from calibration.domain import errors
from calibration.domain.coherence import coherence
from calibration.domain.columns import BASELINE, CANDIDATE, NO_GOLD
from calibration.domain.humans import humans
from calibration.domain.kappa import kappa
from calibration.domain.position import flip_rate, position
from calibration.domain.preference import preference
from calibration.domain.rates import Rates
from calibration.domain.results import Block, SliceBlock, Splits

if TYPE_CHECKING:
    from calibration.domain.samples import Sample

LEVEL = 0.95
SMALL_SLICE = 20


def report_splits(sample: Sample, level: float = LEVEL) -> Splits:
    """Compute the blocks of dev, held-out and all pairs."""
    return Splits(
        dev=block(sample.where(split=Split.DEV), level),
        held_out=block(sample.where(split=Split.HELD_OUT), level),
        all=block(sample, level),
    )


def block(sample: Sample, level: float = LEVEL) -> Block:
    """Compute every figure of one sample; ``level`` is two-sided."""
    rates = Rates.of(sample, level)
    return Block(
        n=len(sample),
        no_gold=_no_gold(sample),
        scored=int(tables.scored(sample).sum()),
        coverage=tables.coverage(sample, rates),
        human=humans(sample, rates),
        confusion=tables.confusion(sample),
        exact_agreement=tables.exact_agreement(sample, rates),
        stated_agreement=tables.stated_agreement(sample, rates),
        answered_agreement=tables.answered_agreement(sample, rates),
        kappa=kappa(sample, rates),
        balanced_accuracy=tables.balanced_accuracy(sample, rates),
        per_class=tables.per_class(sample, rates),
        false_candidate_wins=errors.false_candidate_wins(sample, rates),
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
        ties=errors.tie_counts(sample),
        direction=errors.direction(sample, rates),
        position=position(sample, rates),
        preference=preference(sample, rates),
        coherence=coherence(sample, rates),
        critical=slice_block(sample.critical(), level),
        slices=_slices(sample, level),
    )


def slice_block(sample: Sample, level: float = LEVEL) -> SliceBlock:
    """Compute the short block of one slice."""
    rates = Rates.of(sample, level)
    return SliceBlock(
        n=len(sample),
        no_gold=_no_gold(sample),
        scored=int(tables.scored(sample).sum()),
        small=len(sample) < SMALL_SLICE,
        coverage=tables.coverage(sample, rates),
        confusion=tables.confusion(sample),
        exact_agreement=tables.exact_agreement(sample, rates),
        stated_agreement=tables.stated_agreement(sample, rates),
        false_candidate_wins=errors.false_candidate_wins(sample, rates),
        false_baseline_wins=errors.false_baseline_wins(sample, rates),
        unearned_candidate_wins=errors.unearned_candidate_wins(sample, rates),
        missed_ties=errors.missed_ties(sample, rates),
        invented_ties=errors.invented_ties(sample, rates),
        flip_rate=flip_rate(sample, rates),
        invalid_rate=errors.invalid_rate(sample, rates),
    )


def _no_gold(sample: Sample) -> int:
    return int((sample.columns.gold == NO_GOLD).sum())


def _slices(sample: Sample, level: float) -> dict[str, dict[str, SliceBlock]]:
    return {
        name: {value: slice_block(part, level) for value, part in parts.items()}
        for name, parts in sample.by_slice().items()
    }
