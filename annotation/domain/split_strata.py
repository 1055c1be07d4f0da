"""What a split keeps together, and what it is even over (DESIGN rule 15)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.grouping import Joined, join_by
from annotation.domain.near import near_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from annotation.domain.outcomes import Split

NO_VALUE = "none"
BETWEEN = " \N{MIDDLE DOT} "


def together(
    names: Sequence[str],
    groups: Sequence[str | None],
    fixed: Sequence[Split | None],
    prompts: Iterable[str] | None,
) -> tuple[list[str | None], int]:
    """Name what each case stays together with; count what is alike and lies apart.

    Cases are given in their order. With ``prompts`` near-duplicates are joined too;
    those that stay in different splits (``fixed``) are left as they are, and counted.
    """
    found = list(groups)
    if prompts is None:
        return found, 0
    joined = Joined(len(names))
    join_by(groups, joined)
    for near in near_duplicates(prompts):
        joined.join(near.one, near.other)
    torn = 0
    for members in joined.sets():
        if len({fixed[each] for each in members} - {None}) > 1:
            torn += 1
        elif len(members) > 1:
            for each in members:
                found[each] = f"near {names[members[0]]}"
    return found, torn


def stratum(
    slices: Mapping[str, object], keys: Sequence[str], outcome: str | None = None
) -> str | None:
    """Name the stratum of a case: its value of every slice, and perhaps its outcome."""
    parts = [f"{key}={slices.get(key, NO_VALUE)}" for key in keys]
    parts += [] if outcome is None else [outcome]
    return BETWEEN.join(parts) if parts else None
