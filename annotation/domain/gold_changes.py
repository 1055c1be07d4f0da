"""What lies between two frozen gold versions of one set."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from annotation.domain.outcomes import Outcome, Split

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from annotation.domain.rulings import GoldSource


class GoldRow(NamedTuple):
    """One pair of a gold version; no outcome means that it was left open."""

    pair: int
    case: str
    systems: tuple[str, str]
    split: str
    outcome: Outcome | None
    source: GoldSource
    open_reason: str
    labels: tuple[Outcome, ...]
    ruling: str


class ChangeKind(StrEnum):
    """What happened to a pair; the first that applies.

    ``moved``: another outcome. ``settled``: open before, not now. ``reopened``: the
    reverse. ``rested``: the same outcome rests on another ground (consensus or ruling).
    ``relabelled``: only the labels behind it differ. ``resplit``: only the split does.
    """

    MOVED = "moved"
    SETTLED = "settled"
    REOPENED = "reopened"
    ADDED = "added"
    REMOVED = "removed"
    RESTED = "rested"
    RELABELLED = "relabelled"
    RESPLIT = "resplit"


@dataclass(frozen=True, slots=True)
class GoldChange:
    """One pair that differs; a side is None where the version lacks the pair."""

    kind: ChangeKind
    before: GoldRow | None
    after: GoldRow | None

    @property
    def row(self) -> GoldRow:
        """The pair as it is now, or was."""
        found = self.after or self.before
        assert found is not None  # noqa: S101 - a change has a side
        return found

    @property
    def is_held_out(self) -> bool:
        """Whether the pair is or was held out."""
        sides = (self.before, self.after)
        return any(side and side.split == Split.HELD_OUT for side in sides)

    @property
    def changes_split(self) -> bool:
        """Whether the pair went from one split to another."""
        if self.before is None or self.after is None:
            return False
        return self.before.split != self.after.split


@dataclass(frozen=True, slots=True)
class GoldChanges:
    """All differences, in the order of the cases, and how many pairs have none."""

    changes: tuple[GoldChange, ...]
    unchanged: int

    def count(self, kind: ChangeKind) -> int:
        """How many pairs changed in this way."""
        return sum(change.kind is kind for change in self.changes)

    def flow(self) -> Mapping[tuple[str, str], int]:
        """How many pairs went from one outcome to another; "open" is no outcome."""
        return Counter(
            (_shown(change.before), _shown(change.after))
            for change in self.changes
            if change.before is not None
            and change.after is not None
            and change.before.outcome is not change.after.outcome
        )

    def split_moves(self) -> Mapping[tuple[str, str], int]:
        """How many pairs went from one split to another; "" is none."""
        return Counter(
            (change.before.split, change.after.split)
            for change in self.changes
            if change.before is not None
            and change.after is not None
            and change.changes_split
        )

    def only(self, changes: Iterable[GoldChange]) -> GoldChanges:
        """The same comparison with some of its changes."""
        return GoldChanges(tuple(changes), self.unchanged)


def gold_changes(before: Iterable[GoldRow], after: Iterable[GoldRow]) -> GoldChanges:
    """Compare two versions pair by pair.

    Raises ``ValueError`` when a version names a pair twice.
    """
    old, new = _by_pair(before), _by_pair(after)
    found = [(old.get(pair), new.get(pair)) for pair in {**old, **new}]
    changes = [
        GoldChange(kind, one, two)
        for one, two in found
        if (kind := _kind(one, two)) is not None
    ]
    changes.sort(key=lambda change: (change.row.case, change.row.systems))
    return GoldChanges(tuple(changes), len(found) - len(changes))


def _by_pair(rows: Iterable[GoldRow]) -> dict[int, GoldRow]:
    found: dict[int, GoldRow] = {}
    for row in rows:
        if row.pair in found:
            msg = f"case {row.case!r} is in a version twice"
            raise ValueError(msg)
        found[row.pair] = row
    return found


def _kind(before: GoldRow | None, after: GoldRow | None) -> ChangeKind | None:
    if before is None:
        return ChangeKind.ADDED
    if after is None:
        return ChangeKind.REMOVED
    if before.outcome is not after.outcome:
        return _outcome_change(before.outcome, after.outcome)
    differing = {
        ChangeKind.RESTED: (before.source, before.ruling)
        != (after.source, after.ruling),
        ChangeKind.RELABELLED: (before.labels, before.open_reason)
        != (after.labels, after.open_reason),
        ChangeKind.RESPLIT: before.split != after.split,
    }
    return next((kind for kind, differs in differing.items() if differs), None)


def _outcome_change(before: Outcome | None, after: Outcome | None) -> ChangeKind:
    if before is None:
        return ChangeKind.SETTLED
    return ChangeKind.REOPENED if after is None else ChangeKind.MOVED


def _shown(row: GoldRow | None) -> str:
    return row.outcome.value if row is not None and row.outcome else "open"
