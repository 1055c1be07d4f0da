"""What belongs together when several reasons tie things to each other."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable


class Joined:
    """Numbers 0 to ``size`` - 1, some of them joined (union-find)."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def root(self, number: int) -> int:
        """The smallest number that ``number`` is joined with."""
        parent = self._parent
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    def join(self, one: int, other: int) -> None:
        """Put the two, and all that they are joined with, together."""
        low, high = sorted((self.root(one), self.root(other)))
        self._parent[high] = low

    def same(self, one: int, other: int) -> bool:
        """Whether the two are together."""
        return self.root(one) == self.root(other)

    def sets(self) -> tuple[tuple[int, ...], ...]:
        """Everything by what it is joined with, each set and all sets in order."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        for number in range(len(self._parent)):
            found[self.root(number)].append(number)
        return tuple(map(tuple, found.values()))


def join_by(names: Iterable[Hashable | None], joined: Joined) -> None:
    """Join the numbers that carry the same name; None joins nothing."""
    first: dict[Hashable, int] = {}
    for number, name in enumerate(names):
        if name is not None:
            joined.join(first.setdefault(name, number), number)
