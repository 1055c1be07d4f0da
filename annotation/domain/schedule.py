"""Which system stands first: balanced orders from a secret seed (DESIGN rule 7).

A *cell* is the items of one split and one value of the primary slice.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from annotation.domain.outcomes import Order
from annotation.domain.trails import oriented_edges

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    Key = int | str


class ScheduleItem(NamedTuple):
    """One pair to be labelled.

    ``split`` and ``slice_value`` (of the primary slice) are balanced exactly,
    ``others`` (values of further slices, as "key=value") as near as possible.
    """

    key: Key
    split: str | None = None
    slice_value: str | None = None
    others: tuple[str, ...] = ()


class SeatPlan(NamedTuple):
    """One wanted label: ``pass_no`` counts from 1, ``rank`` is unique in the round."""

    key: Key
    pass_no: int
    order: Order
    rank: int


@dataclass(frozen=True, slots=True)
class OrderCount:
    """How often each system stood first."""

    baseline_first: int
    candidate_first: int

    @property
    def difference(self) -> int:
        """Surplus of baseline-first, negative when the candidate led."""
        return self.baseline_first - self.candidate_first


def assign_orders(
    items: Sequence[ScheduleItem], seed: bytes | str, passes: int
) -> tuple[Mapping[Key, Order], ...]:
    """Give each item an order in each of ``passes`` labelling passes.

    In every pass the two orders differ by at most 1 overall, in each split, in each
    slice value and in each cell; successive passes of an item alternate. The result
    depends on the seed and the set of items, not on the order they come in. Raises
    ``ValueError`` for a repeated key, an empty seed or fewer passes than 1.

    Method: RECIPES 3. Items of a cell are paired at random with opposite orders; what
    is left over, one a cell at most, is an edge between its split and its slice value,
    and walking closed trails over these edges alternates the orders at every node.
    """
    _check(items, seed, passes)
    rng = seeded(seed, "orders")
    first = _first_pass(sorted(items, key=_sort_key), rng)
    second = {key: order.opposite for key, order in first.items()}
    return tuple(second if number % 2 else first for number in range(passes))


def plan_seats(
    items: Sequence[ScheduleItem], seed: bytes | str, passes: int
) -> tuple[SeatPlan, ...]:
    """Every seat of a round with its order and its random rank from 0.

    Ranks are a random permutation over all seats, drawn apart from the orders, so that
    neither tells anything about the other. Errors as in :func:`assign_orders`.
    """
    orders = assign_orders(items, seed, passes)
    ranks = list(range(len(items) * passes))
    seeded(seed, "ranks").shuffle(ranks)
    keys = [item.key for item in sorted(items, key=_sort_key)]
    seats = (
        (key, number, order[key])
        for number, order in enumerate(orders, start=1)
        for key in keys
    )
    return tuple(SeatPlan(*seat, rank) for seat, rank in zip(seats, ranks, strict=True))


def count_orders(
    rows: Iterable[tuple[Hashable, Order]],
) -> dict[Hashable, OrderCount]:
    """Count the orders under each label of ``rows``, for the slot-balance report."""
    counts: Counter[tuple[Hashable, Order]] = Counter(rows)
    return {
        label: OrderCount(
            counts[label, Order.BASELINE_FIRST], counts[label, Order.CANDIDATE_FIRST]
        )
        for label in dict.fromkeys(label for label, _ in counts)
    }


def seeded(seed: bytes | str, purpose: str) -> random.Random:
    """Random numbers from SHA-256 of the seed, a separate stream for each purpose.

    Python keeps ``random()`` stable across versions for one seed; ``shuffle`` has been
    stable since 3.2.
    """
    raw = seed.encode() if isinstance(seed, str) else seed
    digest = hashlib.sha256(purpose.encode() + b"\0" + raw).digest()
    return random.Random(int.from_bytes(digest, "big"))  # noqa: S311 - must be repeatable; the seed is the secret


def _first_pass(items: Sequence[ScheduleItem], rng: random.Random) -> dict[Key, Order]:
    cells: defaultdict[tuple[str | None, str | None], list[ScheduleItem]]
    cells = defaultdict(list)
    for item in items:
        cells[item.split, item.slice_value].append(item)
    orders: dict[Key, Order] = {}
    surplus: Counter[str] = Counter()
    odd = {}
    for cell, members in cells.items():
        rng.shuffle(members)
        if len(members) % 2:
            odd[cell] = members.pop()
        # Neighbours now share their other slices wherever that is possible.
        members.sort(key=lambda member: member.others)
        for one, two in zip(members[::2], members[1::2], strict=True):
            _oppose(one, two, orders, surplus, rng)
    for cell, forward in oriented_edges(list(odd), rng).items():
        orders[odd[cell].key] = _order(baseline_first=forward)
    return orders


def _oppose(
    one: ScheduleItem,
    two: ScheduleItem,
    orders: dict[Key, Order],
    surplus: Counter[str],
    rng: random.Random,
) -> None:
    """Give the two opposite orders, whichever way evens out their other slices."""
    leaning = 0
    if one.others != two.others:
        leaning = sum(surplus[v] for v in one.others) - sum(
            surplus[v] for v in two.others
        )
    baseline_first = leaning < 0 or (leaning == 0 and rng.random() < 0.5)  # noqa: PLR2004 - a fair coin
    orders[one.key] = _order(baseline_first=baseline_first)
    orders[two.key] = orders[one.key].opposite
    if one.others != two.others:
        step = 1 if baseline_first else -1
        surplus.update(dict.fromkeys(one.others, step))
        surplus.subtract(dict.fromkeys(two.others, step))


def _order(*, baseline_first: bool) -> Order:
    return Order.BASELINE_FIRST if baseline_first else Order.CANDIDATE_FIRST


def _sort_key(item: ScheduleItem) -> tuple[bool, Key]:
    return isinstance(item.key, str), item.key


def _check(items: Sequence[ScheduleItem], seed: bytes | str, passes: int) -> None:
    if passes < 1:
        raise ValueError("a round has at least one pass")
    if not seed:
        raise ValueError("the schedule needs a seed")
    if len({item.key for item in items}) != len(items):
        raise ValueError("an item occurs twice")
