"""The ordered systems of a gold set, and which pairs they make."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from annotation.domain.fields import Fields, name_fault
from annotation.domain.values import shown

if TYPE_CHECKING:
    from collections.abc import Sequence


class SystemNames:
    """Two or more distinct system names in the set's order.

    Raises ``ValueError`` for fewer, for repeats and for names that cannot be stored.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        if len(self.names) < 2:  # noqa: PLR2004 - a comparison needs two
            raise ValueError("a gold set compares at least two systems")
        if len(set(self.names)) != len(self.names):
            raise ValueError("a system is listed twice")
        for name in self.names:
            fault = name_fault(name)
            if fault:
                msg = f"system {shown(name)} {fault}"
                raise ValueError(msg)
        self.pairs = tuple(combinations(self.names, 2))

    @property
    def only_pair(self) -> tuple[str, str] | None:
        """The pair of a set with exactly two systems."""
        return self.pairs[0] if len(self.pairs) == 1 else None

    def by_key(self, key: str) -> tuple[str, str] | str:
        """Find the pair written "a|b"; otherwise say what is wrong with it."""
        for first, second in self.pairs:
            if key == f"{first}|{second}":
                return first, second
            if key == f"{second}|{first}":
                return self._reversed(first, second)
        return f"names no pair of this set; its systems are {', '.join(self.names)}"

    def take(self, row: Fields) -> tuple[str, str] | None:
        """Take ``systems`` of a label or verdict; absent it means the only pair."""
        if not row.has("systems"):
            row.take("systems", required=self.only_pair is None)
            return self.only_pair
        value = row.take("systems")
        fault = self._fault(value)
        if fault or not isinstance(value, list):
            row.fail("systems", fault or "must list two systems")
            return None
        return value[0], value[1]

    def _fault(self, value: object) -> str | None:
        if not (
            isinstance(value, list)
            and len(value) == 2  # noqa: PLR2004 - a pair
            and all(isinstance(name, str) for name in value)
        ):
            return f"must list two systems, not {shown(value)}"
        unknown = [name for name in value if name not in self.names]
        if unknown:
            known = ", ".join(self.names)
            return f"unknown system {shown(unknown[0])}; the set has {known}"
        first, second = value
        if first == second:
            return "must list two different systems"
        if (first, second) not in self.pairs:
            return self._reversed(second, first)
        return None

    def _reversed(self, first: str, second: str) -> str:
        return f"must be in the set's order, {first} before {second}"
