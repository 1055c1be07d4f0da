"""Dev against held-out: what tuning on dev may have gained that does not last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.domain.estimates import Undefined
from calibration.domain import cells
from calibration.domain.bootstrap import difference
from calibration.domain.errors import gap_of

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.parts import Part
    from calibration.domain.results import Block


@dataclass(frozen=True, slots=True)
class Comparison:
    """Each figure on dev less the same on held-out.

    Newcombe for rates, bootstrap for kappa and balanced accuracy. No cluster is in both
    splits, so the two are independent.
    """

    exact_agreement: Figure
    kappa: Figure
    balanced_accuracy: Figure
    false_candidate_wins: Figure
    false_baseline_wins: Figure
    missed_ties: Figure
    invented_ties: Figure
    flip_rate: Figure
    invalid_rate: Figure


def compare(
    dev: Part, dev_block: Block, held_out: Part, held_block: Block
) -> Comparison:
    """Take held-out from dev; undefined where either figure is."""
    mine, theirs = dev_block, held_block
    return Comparison(
        exact_agreement=rate_gap(mine.exact_agreement, theirs.exact_agreement),
        kappa=difference(
            (mine.kappa, dev.resamples), (theirs.kappa, held_out.resamples), cells.kappa
        ),
        balanced_accuracy=difference(
            (mine.balanced_accuracy, dev.resamples),
            (theirs.balanced_accuracy, held_out.resamples),
            cells.balanced_accuracy,
        ),
        false_candidate_wins=rate_gap(
            mine.false_candidate_wins, theirs.false_candidate_wins
        ),
        false_baseline_wins=rate_gap(
            mine.false_baseline_wins, theirs.false_baseline_wins
        ),
        missed_ties=rate_gap(mine.missed_ties, theirs.missed_ties),
        invented_ties=rate_gap(mine.invented_ties, theirs.invented_ties),
        flip_rate=rate_gap(mine.position.flip_rate, theirs.position.flip_rate),
        invalid_rate=rate_gap(mine.invalid_rate, theirs.invalid_rate),
    )


def rate_gap(first: Figure, second: Figure) -> Figure:
    """First rate less second, of independent pairs, with its Newcombe interval."""
    if isinstance(first, Undefined):
        return Undefined(first.reason, None, 0)
    if isinstance(second, Undefined):
        return Undefined(second.reason, None, 0)
    return gap_of(first, second)
