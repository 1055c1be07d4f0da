"""How a pair and its labels are laid before an adjudicator, who is not to know more.

Nothing here is random at the moment it is asked: the order, the letters and the queue's
tie-breaks follow from the set's secret seed, so they stay the same when a page is
loaded again and can't be guessed by who does not know the seed.
"""

from __future__ import annotations

import hmac
from enum import StrEnum
from string import ascii_uppercase
from typing import TYPE_CHECKING

from annotation.domain.digests import canonical_json
from annotation.domain.outcomes import Order, SlotChoice, choice_for, outcome_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Sides(StrEnum):
    """How a label's reviewer saw the pair, compared with how it is shown now."""

    SAME = "same"
    SWAPPED = "swapped"
    UNKNOWN = "unknown"


def secret_rank(seed: str, *parts: str | int) -> str:
    """A rank that only who knows ``seed`` can foresee: HMAC-SHA-256 of the parts."""
    return hmac.new(seed.encode(), canonical_json(list(parts)), "sha256").hexdigest()


def secret_ranks(seed: str, *parts: str | int) -> Callable[[int], str]:
    """`secret_rank` of these parts and a last one, for many of these."""
    start = canonical_json(list(parts)).removesuffix(b"]") + b","
    begun = hmac.new(seed.encode(), start, "sha256")

    def rank(last: int) -> str:
        mac = begun.copy()
        mac.update(b"%d]" % last)
        return mac.hexdigest()

    return rank


def order_for(seed: str, adjudicator: int, pair: str) -> Order:
    """The order in which an adjudicator sees a pair: a fair coin from the seed."""
    odd = int(secret_rank(seed, "hearing order", adjudicator, pair), 16) % 2
    return Order.CANDIDATE_FIRST if odd else Order.BASELINE_FIRST


def letters_for(seed: str, adjudicator: int, labels: Sequence[str]) -> dict[str, str]:
    """A letter for each label, by a shuffle of this adjudicator's own.

    ``labels`` are stable names of the labels of one pair. Past Z comes AA.
    """
    ranked = sorted(
        labels, key=lambda name: secret_rank(seed, "letter", adjudicator, name)
    )
    return {name: letter(place) for place, name in enumerate(ranked)}


def letter(place: int) -> str:
    """The letter at a place counted from 0: A to Z, then AA, AB and so on."""
    size = len(ascii_uppercase)
    rest, last = divmod(place, size)
    return (letter(rest - 1) if rest else "") + ascii_uppercase[last]


def sides_of(shown: Order | None, here: Order) -> Sides:
    """Compare the order a label was given in (``None``: not known) with this one."""
    if shown is None:
        return Sides.UNKNOWN
    return Sides.SAME if Order(shown) is Order(here) else Sides.SWAPPED


def choice_here(choice: SlotChoice, shown: Order, here: Order) -> SlotChoice:
    """The same statement in the slots of another order."""
    return choice_for(outcome_of(choice, shown), here)
