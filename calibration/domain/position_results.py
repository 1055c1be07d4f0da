"""What a report says about order: position and coherence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.results import Confusion, ExactTest


@dataclass(frozen=True, slots=True)
class OrderAccuracy:
    """Exact agreement of each order's own outcome with gold."""

    baseline_first: Figure
    candidate_first: Figure


@dataclass(frozen=True, slots=True)
class OrderConfusion:
    """Gold against the outcome of one order alone."""

    baseline_first: Confusion
    candidate_first: Confusion


@dataclass(frozen=True, slots=True)
class Classes:
    """Pairs by what swapping the slots did to them."""

    consistent: int
    flip: int
    tie_transition: int
    abstain_transition: int
    invalid: int


@dataclass(frozen=True, slots=True)
class ClassesByGold:
    """The classes of the pairs of each gold outcome, and of those without gold."""

    baseline: Classes
    candidate: Classes
    tie: Classes
    abstain: Classes
    none: Classes


@dataclass(frozen=True, slots=True)
class SlotBalance:
    """Whether each pair was asked equally often in both orders (a design check)."""

    baseline_first_calls: int
    candidate_first_calls: int
    unequal_pairs: int
    test: ExactTest


@dataclass(frozen=True, slots=True)
class PositionBlock:
    """Stability under swapping the slots; needs no gold.

    The five classes count all pairs. ``usable`` pairs have a baseline, candidate or tie
    outcome in both orders; ``excluded`` is the rest. ``flip_rate`` and
    ``tie_transition_rate`` are of usable pairs, ``decisive_flip_rate`` of those that
    are decisive in both orders, ``consistency_rate`` of pairs valid in both orders.
    ``first_slot_flips`` chose the first slot in both orders. ``first_slot_choices`` is
    the share of the first slot among decisive calls. ``repeat_instability`` is the mean
    chance that two calls of one pair and order differ (METHODS 3.3).
    """

    consistent: int
    flip: int
    tie_transition: int
    abstain_transition: int
    invalid: int
    usable: int
    excluded: int
    flip_rate: Figure
    tie_transition_rate: Figure
    decisive_flip_rate: Figure
    consistency_rate: Figure
    first_slot_flips: int
    second_slot_flips: int
    first_slot_flip_share: Figure
    slot_test: ExactTest
    first_slot_choices: Figure
    order_accuracy: OrderAccuracy
    order_confusion: OrderConfusion
    classes_by_gold: ClassesByGold
    slot_balance: SlotBalance
    repeat_instability: Figure


@dataclass(frozen=True, slots=True)
class CoherenceBlock:
    """Contradictions within a case (METHODS 3.10), as means over complete cases.

    ``tov_share`` divides each case's TOV by its n(n-1) ordered entries, to compare
    cases with different numbers of systems.
    """

    cases: int
    incomplete: int
    ipi: Figure
    tov: Figure
    excess: Figure
    tov_share: Figure
