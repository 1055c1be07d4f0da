"""What checking a bundle comes to: what is wrong, what could not be told, counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

MOST_LISTED = 100


class Unreadable(ValueError):
    """What was given is no bundle that may be read; the message is one line."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that does not hold: in which file, at which row from 1, and what."""

    file: str
    row: int | None
    what: str

    def __str__(self) -> str:
        at = f"{self.file} row {self.row}" if self.row is not None else self.file
        return f"{at}: {self.what}"


@dataclass(slots=True)
class Findings:
    """Gathers problems as they are found; past a hundred they are only counted.

    ``untold`` names what this version can't compute again, ``other_rules`` what other
    rules than its own made; ``taken`` what follows from nothing in any bundle, and is
    taken as it stands; ``counts`` what it did.
    """

    problems: list[Problem] = field(default_factory=list)
    more: int = 0
    untold: list[str] = field(default_factory=list)
    other_rules: list[str] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, file: str, row: int | None, what: str) -> None:
        """Note that something does not hold."""
        if len(self.problems) < MOST_LISTED:
            self.problems.append(Problem(file, row, what))
        else:
            self.more += 1

    def leave(self, what: str) -> None:
        """Note what can't be told; the same thing is noted once."""
        if what not in self.untold:
            self.untold.append(what)

    def take(self, what: str) -> None:
        """Note what no bundle can tell, so that it was not checked."""
        self.taken.append(what)

    def not_ours(self, what: str) -> None:
        """Note what was made by other rules: neither verified nor tampered."""
        self.other_rules.append(what)

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems
