"""Whether the judge leans to responses with some trait, beyond what gold gives them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calibration.domain.columns import BASELINE, CANDIDATE, NONE, TIE
from calibration.domain.errors import direction_of
from calibration.domain.position import exact_sign_test

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.columns import Codes
    from calibration.domain.rates import Rates
    from calibration.domain.results import ExactTest
    from calibration.domain.samples import Sample


@dataclass(frozen=True, slots=True)
class SideBlock:
    """Pairs of which exactly one response has the trait: the *side*.

    ``judge_wins`` and ``gold_wins`` are the side's shares of decisive outcomes;
    ``ties_wins`` the same of decisive verdicts where gold is tie, the cleanest.
    ``false_wins`` are verdicts for the side of gold for the other response,
    ``false_losses`` the reverse; ``difference`` is the former less the latter
    (Newcombe) and ``test`` Fisher's: above 0, errors favour the side.
    """

    pairs: int
    judge_wins: Figure
    gold_wins: Figure
    ties_wins: Figure
    ties_test: ExactTest
    false_wins: Figure
    false_losses: Figure
    difference: Figure
    test: ExactTest


def side_block(sample: Sample, side: Codes, rates: Rates) -> SideBlock:
    """Compute the block; ``side`` codes the response with the trait, or ``NONE``."""
    gold, said = sample.columns.gold, sample.columns.verdict
    used = side != NONE
    other = BASELINE + CANDIDATE - side
    ties = used & (gold == TIE) & (said < TIE)
    false_wins = rates.share(said == side, used & (gold == other))
    false_losses = rates.share(said == other, used & (gold == side))
    leaning = direction_of(false_wins, false_losses)
    return SideBlock(
        pairs=int(used.sum()),
        judge_wins=rates.share(said == side, used & (said < TIE)),
        gold_wins=rates.share(gold == side, used & (gold < TIE)),
        ties_wins=rates.share(said == side, ties),
        ties_test=exact_sign_test(
            int((ties & (said == side)).sum()), int((ties & (said == other)).sum())
        ),
        false_wins=false_wins,
        false_losses=false_losses,
        difference=leaning.difference,
        test=leaning.test,
    )
