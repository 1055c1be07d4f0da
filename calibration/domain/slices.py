"""The short blocks of slices and of critical pairs, flagged together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from calibration.domain import confusion as tables
from calibration.domain import errors
from calibration.domain.columns import NO_GOLD
from calibration.domain.flags import UNTESTED, flags
from calibration.domain.position import classes, flip_rate
from calibration.domain.rates import Rates
from calibration.domain.results import SliceBlock

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.samples import Sample

SMALL_SLICE = 20
Slices = dict[str, dict[str, SliceBlock]]


def slice_blocks(
    sample: Sample, level: float, *, agreement: Figure, false_wins: Figure
) -> tuple[SliceBlock, Slices]:
    """The block of critical pairs, and that of every value of every slice key.

    All of them are tested together against the rates of the whole sample.
    """
    parts = {
        (name, value): part
        for name, values in sample.by_slice().items()
        for value, part in values.items()
    }
    plain = [_slice_block(part, level) for part in (sample.critical(), *parts.values())]
    wrong = flags([one.exact_agreement for one in plain], agreement, turned=True)
    false = flags([one.false_candidate_wins for one in plain], false_wins)
    critical, *found = (
        replace(one, agreement_flag=first, false_candidate_flag=second)
        for one, first, second in zip(plain, wrong, false, strict=True)
    )
    slices: Slices = {}
    for (name, value), one in zip(parts, found, strict=True):
        slices.setdefault(name, {})[value] = one
    return critical, slices


def no_gold(sample: Sample) -> int:
    """How many pairs have no gold."""
    return int((sample.columns.gold == NO_GOLD).sum())


def _slice_block(sample: Sample, level: float) -> SliceBlock:
    rates = Rates.of(sample, level)
    return SliceBlock(
        n=len(sample),
        no_gold=no_gold(sample),
        scored=int(tables.scored(sample).sum()),
        small=len(sample) < SMALL_SLICE,
        coverage=tables.coverage(sample, rates),
        confusion=tables.confusion(sample),
        consistency=classes(sample),
        exact_agreement=tables.exact_agreement(sample, rates),
        stated_agreement=tables.stated_agreement(sample, rates),
        false_candidate_wins=errors.false_candidate_wins(sample, rates),
        false_baseline_wins=errors.false_baseline_wins(sample, rates),
        unearned_candidate_wins=errors.unearned_candidate_wins(sample, rates),
        missed_ties=errors.missed_ties(sample, rates),
        invented_ties=errors.invented_ties(sample, rates),
        flip_rate=flip_rate(sample, rates),
        invalid_rate=errors.invalid_rate(sample, rates),
        agreement_flag=UNTESTED,
        false_candidate_flag=UNTESTED,
    )
