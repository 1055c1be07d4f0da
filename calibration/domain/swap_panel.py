"""A swapped diagnostic panel: the pairs that are judged in both orders.

Where both orders for all pairs cost too much, a part of them still shows how often the
judge follows the slot. It is drawn beforehand, from a seed, in proportion to the
strata; the others get one order each, each order equally often (difference at most 1
in every stratum's rest, and overall).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from annotation.domain.outcomes import Order
from annotation.domain.schedule import seeded

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class SwapPanel:
    """The keys of the panel, and the one order of every other key."""

    panel: frozenset[int]
    one_order: Mapping[int, Order]


def draw_panel(strata: Mapping[int, Hashable], *, share: float, seed: str) -> SwapPanel:
    """Draw a panel of ``share`` of the keys, in proportion to their strata.

    The same keys, strata and seed give the same panel, whatever the order they come
    in. Every stratum has at least one key in it. Raises ``ValueError`` for a share
    outside 0 to 1 (1 is allowed) and for an empty seed.
    """
    if not 0 < share <= 1:
        raise ValueError("the share of a panel lies between 0 and 1")
    if not seed:
        raise ValueError("a panel is drawn from a seed")
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for key in sorted(strata):
        groups[str(strata[key])].append(key)
    wanted = _sizes({name: len(keys) for name, keys in groups.items()}, share)
    panel: set[int] = set()
    rest: list[int] = []
    for name in sorted(groups):
        shuffled = list(groups[name])
        seeded(seed, f"panel {name}").shuffle(shuffled)
        panel.update(shuffled[: wanted[name]])
        rest += shuffled[wanted[name] :]
    return SwapPanel(frozenset(panel), _orders(rest, seed))


def _sizes(groups: Mapping[str, int], share: float) -> dict[str, int]:
    """Whole numbers near ``share`` of each group, of the total that is wanted.

    The largest remainders are rounded up; no group goes without.
    """
    exact = {name: share * size for name, size in groups.items()}
    found = {name: max(1, int(part + 1e-9)) for name, part in exact.items()}
    total = ceil(share * sum(groups.values()) - 1e-9)
    by_remainder = sorted(
        exact, key=lambda name: (int(exact[name]) - exact[name], name)
    )
    for name in by_remainder:
        if sum(found.values()) >= total:
            break
        if found[name] < groups[name] and exact[name] > found[name]:
            found[name] += 1
    return found


def _orders(keys: Sequence[int], seed: str) -> dict[int, Order]:
    """One order each, in turn along the strata, so that both come equally often."""
    first, second = Order
    if seeded(seed, "first order").random() < 1 / 2:
        first, second = second, first
    return {key: second if place % 2 else first for place, key in enumerate(keys)}
