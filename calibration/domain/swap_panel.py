"""A swapped diagnostic panel: the pairs of a release that are judged, in both orders.

Where both orders for all pairs cost too much, a part of them is judged instead; one
order alone gives no verdict (DESIGN rule 4). The panel is drawn beforehand, from a
seed, in proportion to the strata, so that nobody chooses it.
"""

from __future__ import annotations

from collections import defaultdict
from math import ceil
from typing import TYPE_CHECKING

from annotation.domain.schedule import seeded

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping


def draw_panel(
    strata: Mapping[int, Hashable], *, share: float, seed: str
) -> tuple[int, ...]:
    """Draw ``share`` of the keys, in proportion to their strata; sorted.

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
    panel: list[int] = []
    for name in sorted(groups):
        seeded(seed, f"panel {name}").shuffle(groups[name])
        panel += groups[name][: wanted[name]]
    return tuple(sorted(panel))


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
