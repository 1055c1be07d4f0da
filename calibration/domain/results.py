"""What a report holds. Field names are those of the report JSON (DESIGN 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from annotation.domain.estimates import Figure
    from calibration.domain.between import ReviewerPair
    from calibration.domain.flags import Flag
    from calibration.domain.human_orders import HumanOrders
    from calibration.domain.intersections import Intersections
    from calibration.domain.length import LengthBlock
    from calibration.domain.marked import MarksBlock
    from calibration.domain.position_results import (
        Classes,
        CoherenceBlock,
        PositionBlock,
    )
    from calibration.domain.reviewers import AltTest, ByConsensus, ReviewerRow
    from calibration.domain.sides import SideBlock
    from calibration.domain.stability import StabilityBlock


@dataclass(frozen=True, slots=True)
class ExactTest:
    """An exact two-sided test: its p value, or why there is none.

    ``n`` is how many cases (or calls, where the field says so) the test used.
    """

    p_value: float | None
    n: int
    method: str
    undefined: str | None = None


@dataclass(frozen=True, slots=True)
class ConfusionRow:
    """What the judge said about the pairs of one gold outcome."""

    baseline: int
    candidate: int
    tie: int
    abstain: int
    invalid: int

    @property
    def total(self) -> int:
        """All pairs of this gold outcome."""
        return self.decided + self.abstain + self.invalid

    @property
    def decided(self) -> int:
        """Pairs that got a baseline, candidate or tie verdict."""
        return self.baseline + self.candidate + self.tie


@dataclass(frozen=True, slots=True)
class Confusion:
    """Gold outcomes down, verdicts across. Pairs without gold are not in it."""

    baseline: ConfusionRow
    candidate: ConfusionRow
    tie: ConfusionRow
    abstain: ConfusionRow


@dataclass(frozen=True, slots=True)
class ClassFigures:
    """One gold class; the judge's abstains and invalids count as wrong."""

    precision: Figure
    recall: Figure
    f1: Figure
    support: int


@dataclass(frozen=True, slots=True)
class PerClass:
    """The three classes that agreement is about."""

    baseline: ClassFigures
    candidate: ClassFigures
    tie: ClassFigures


@dataclass(frozen=True, slots=True)
class GoldAbstain:
    """Pairs that reviewers abstained on: their own line, never in agreement."""

    n: int
    abstained: Figure
    decided: Figure
    invalid: Figure


@dataclass(frozen=True, slots=True)
class Ties:
    """Tie verdicts of all pairs by where they came from."""

    stated: int
    transition: int
    flip: int


@dataclass(frozen=True, slots=True)
class Direction:
    """Whether errors lean to one system.

    ``difference`` is the false candidate win rate less the false baseline win rate.
    ``test`` is Fisher's, which takes pairs as independent of each other.
    """

    difference: Figure
    test: ExactTest


@dataclass(frozen=True, slots=True)
class Preference:
    """Which system was preferred; abstain, invalid and no gold are out and counted.

    ``net`` is (wins - losses) of wins, losses and ties; ``half_tie`` takes ties as half
    wins and is secondary: a tie is no evidence of equality.
    """

    candidate_wins: int
    baseline_wins: int
    ties: int
    abstain: int
    invalid: int
    missing: int
    decisive_share: Figure
    sign_test: ExactTest
    net: Figure
    half_tie: Figure


@dataclass(frozen=True, slots=True)
class PreferenceBlock:
    """Preference by the judge and by gold, side by side."""

    judge: Preference
    gold: Preference


@dataclass(frozen=True, slots=True)
class HumanBlock:
    """How far reviewers agree among themselves, and the judge with them.

    Over pairs with two or more labels. ``judge_agreement`` is the mean share of a
    pair's labels that the judge's verdict equals: the human ceiling's other half.
    """

    pairs: int
    labels: int
    unanimous: Figure
    pairwise_agreement: Figure
    alpha: Figure
    judge_agreement: Figure


@dataclass(frozen=True, slots=True)
class SliceBlock:
    """The short block of one slice. ``small`` slices have fewer than 20 pairs.

    The flags say whether disagreement, and false candidate wins, are above the rate of
    the whole split; they count scored pairs and pairs with gold baseline.
    """

    n: int
    no_gold: int
    scored: int
    small: bool
    coverage: Figure
    confusion: Confusion
    consistency: Classes
    exact_agreement: Figure
    stated_agreement: Figure
    false_candidate_wins: Figure
    false_baseline_wins: Figure
    unearned_candidate_wins: Figure
    missed_ties: Figure
    invented_ties: Figure
    flip_rate: Figure
    invalid_rate: Figure
    agreement_flag: Flag
    false_candidate_flag: Flag


@dataclass(frozen=True, slots=True)
class Block:
    """Everything about one split.

    ``scored`` pairs have gold baseline, candidate or tie: the denominator of agreement.
    ``invalid_rate`` is of all pairs, ``invalid_verdicts`` of scored ones,
    ``invalid_call_rate`` of calls; ``invalid_pairs`` counts the pairs that the invalid
    calls of each reason belong to. ``answered_agreement`` leaves out what the judge did
    not answer and is secondary.
    """

    n: int
    no_gold: int
    scored: int
    coverage: Figure
    human: HumanBlock
    confusion: Confusion
    exact_agreement: Figure
    stated_agreement: Figure
    answered_agreement: Figure
    kappa: Figure
    balanced_accuracy: Figure
    per_class: PerClass
    false_candidate_wins: Figure
    false_baseline_wins: Figure
    unearned_candidate_wins: Figure
    wrong_candidate_verdicts: Figure
    missed_ties: Figure
    missed_ties_to_candidate: Figure
    missed_ties_to_baseline: Figure
    invented_ties: Figure
    gold_abstain: GoldAbstain
    missed_abstains: Figure
    invented_abstains: Figure
    invalid_rate: Figure
    invalid_verdicts: Figure
    invalid_call_rate: Figure
    invalid_calls: Mapping[str, int]
    invalid_pairs: Mapping[str, int]
    pairs_with_invalid_calls: int
    ties: Ties
    direction: Direction
    position: PositionBlock
    preference: PreferenceBlock
    coherence: CoherenceBlock
    by_consensus: ByConsensus
    single_reviewers: tuple[ReviewerRow, ...]
    alt_test: AltTest
    between_reviewers: tuple[ReviewerPair, ...]
    ac1: Figure
    mcc: Figure
    length: LengthBlock
    human_orders: HumanOrders
    stability: StabilityBlock
    marks: MarksBlock
    formatting: SideBlock
    own_family: SideBlock
    critical: SliceBlock
    slices: Mapping[str, Mapping[str, SliceBlock]]
    intersections: Intersections


@dataclass(frozen=True, slots=True)
class Splits:
    """The blocks of a report; ``all`` includes pairs that are in no split."""

    dev: Block
    held_out: Block
    all: Block
