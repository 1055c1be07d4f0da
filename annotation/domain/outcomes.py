"""The outcome algebra: what was said about slots, and what that means for systems.

Everything that turns a slot into a system goes through :func:`outcome_of`; its
inverse is :func:`choice_for`. No other code may compare slots with systems.
"""

from __future__ import annotations

from enum import StrEnum


class Order(StrEnum):
    """Which response stood in the first slot."""

    BASELINE_FIRST = "baseline_first"
    CANDIDATE_FIRST = "candidate_first"

    @property
    def opposite(self) -> Order:
        """The same pair with its slots swapped."""
        if self is Order.BASELINE_FIRST:
            return Order.CANDIDATE_FIRST
        return Order.BASELINE_FIRST


class SlotChoice(StrEnum):
    """What was said about the slots; ``first`` is Left to a reviewer."""

    FIRST = "first"
    SECOND = "second"
    TIE = "tie"
    ABSTAIN = "abstain"

    @property
    def swapped(self) -> SlotChoice:
        """The choice that says the same of the same pair in the opposite order."""
        return _SWAPPED[self]


class Outcome(StrEnum):
    """What was said about the systems. Invalid is not here: only a judge has it."""

    BASELINE = "baseline"
    CANDIDATE = "candidate"
    TIE = "tie"
    ABSTAIN = "abstain"

    @property
    def is_decisive(self) -> bool:
        """Whether one system was preferred."""
        return self in (Outcome.BASELINE, Outcome.CANDIDATE)


class Split(StrEnum):
    """``dev`` is for tuning rubric and judge, ``held_out`` for measuring a judge."""

    DEV = "dev"
    HELD_OUT = "held_out"


_SWAPPED = {
    SlotChoice.FIRST: SlotChoice.SECOND,
    SlotChoice.SECOND: SlotChoice.FIRST,
    SlotChoice.TIE: SlotChoice.TIE,
    SlotChoice.ABSTAIN: SlotChoice.ABSTAIN,
}

_BASELINE_FIRST = {
    SlotChoice.FIRST: Outcome.BASELINE,
    SlotChoice.SECOND: Outcome.CANDIDATE,
    SlotChoice.TIE: Outcome.TIE,
    SlotChoice.ABSTAIN: Outcome.ABSTAIN,
}
_FROM_OUTCOME = {outcome: choice for choice, outcome in _BASELINE_FIRST.items()}


def outcome_of(choice: SlotChoice, order: Order) -> Outcome:
    """Map a slot choice back to systems through the order it was shown in.

    Source: DESIGN, vocabulary ("outcome"). Raises ``ValueError`` for a value that is
    not a member of either enumeration.
    """
    choice, order = SlotChoice(choice), Order(order)
    if order is Order.CANDIDATE_FIRST:
        choice = choice.swapped
    return _BASELINE_FIRST[choice]


def choice_for(outcome: Outcome, order: Order) -> SlotChoice:
    """Give the slot choice that means ``outcome`` in ``order``: outcome_of, back."""
    choice = _FROM_OUTCOME[Outcome(outcome)]
    return choice if Order(order) is Order.BASELINE_FIRST else choice.swapped
