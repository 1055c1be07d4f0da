"""How a report is laid out: its parts in groups, which of them are open, their gist.

A folded part says its main figure beside its title, with denominator and interval, so
that the folded page is an overview and not only a list of titles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calibration.presenters.figures import count_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from calibration.presenters.cells import Cell
    from calibration.presenters.columns import Column
    from calibration.presenters.sections import Section

COUNTS, ORDERS, SLICES, ORIGIN = "contingency", "orders", "slices", "origin"
OPEN = frozenset({COUNTS, "agreement", "errors"})
GROUPS = (
    ("right", "Is it right?", (COUNTS, "agreement", "gap", "classes", ORDERS)),
    ("wrong", "Where does it go wrong?", ("errors", "ties", "invalid", SLICES)),
    ("steady", "Is it steady?", ("position", "stability", "coherence")),
    ("people", "Next to people", ("reviewers", "consensus")),
    ("sways", "What sways it?", ("length", "leanings", "marks")),
    ("use", "What it says of the systems", ("preference",)),
)
REST = ("source", "About this report", (ORIGIN,))
# Sections with a table for each split belong with the group of this one.
BY_SPLIT = ("reviewers-", "between-")
# The line that a folded section is summed up by; the sections left out have none.
MAIN_LINES = {
    "gap": "Exact agreement",
    "classes": "Candidate: F1",
    "ties": "Missed ties",
    "invalid": "Invalid pairs",
    "position": "Flip rate",
    "stability": "Pairs that never changed",
    "coherence": "IPI",
    "reviewers": "Judge with a reviewer",
    "consensus": "Unanimous gold: exact agreement",
    "length": "Longer wins, judge",
    "marks": "Marks and verdict agree",
    "preference": "Candidate's share of wins, judge",
}


@dataclass(frozen=True, slots=True)
class Gist:
    """One figure across the splits; ``cells`` are (split, figure)."""

    label: str
    cells: tuple[tuple[str, Cell], ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A part that opens and folds; ``section`` where it is a table of figures."""

    anchor: str
    title: str
    open: bool
    gist: Gist | None = None
    section: Section | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Parts that answer one question."""

    anchor: str
    title: str
    parts: tuple[Part, ...]


def groups_of(
    sections: Sequence[Section], columns: Sequence[Column], *, orders: bool
) -> tuple[Group, ...]:
    """Every part once, in the order in which a reader asks; empty groups are left out.

    Without columns there is nothing but what the report is of.
    """
    parts = {one.anchor: _of_section(one) for one in sections} if columns else {}
    if columns:
        parts[COUNTS] = Part(COUNTS, "Counts", open=True)
        parts[SLICES] = Part(SLICES, "Slices", open=False, gist=flags_gist(columns))
    if columns and orders:
        parts[ORDERS] = Part(ORDERS, "Counts of each order alone", open=False)
    parts[ORIGIN] = Part(ORIGIN, "What this report is of", open=False)
    wanted = [(*group[:2], _names(group[2], parts)) for group in (*GROUPS, REST)]
    placed = {name for _, _, names in wanted for name in names}
    spare = [name for name in parts if name not in placed]  # shown rather than lost
    wanted[-1] = (*wanted[-1][:2], [*spare, *wanted[-1][2]])
    found = (
        Group(anchor, title, tuple(parts[name] for name in names))
        for anchor, title, names in wanted
    )
    return tuple(group for group in found if group.parts)


def _names(wanted: Sequence[str], parts: Mapping[str, Part]) -> list[str]:
    by_split = [one for one in parts if one.startswith(BY_SPLIT)]
    rest = by_split if "reviewers" in wanted else []
    return [name for name in wanted if name in parts] + rest


def _of_section(section: Section) -> Part:
    main = MAIN_LINES.get(section.anchor)
    line = next((one for one in section.lines if one.label == main), None)
    gist = None
    if line is not None:
        cells = tuple(zip(section.names, line.cells, strict=True))
        gist = Gist(line.label, cells)
    shown = section.anchor in OPEN
    return Part(section.anchor, section.title, shown, None if shown else gist, section)


def flags_gist(columns: Iterable[Column]) -> Gist:
    """How many slices there are, and which are shown to be worse than the rest."""
    slices = {
        (f"{key}={value}", column.name): part
        for column in columns
        for key, values in column.block["slices"].items()
        for value, part in values.items()
    }
    flagged = [
        f"{value} ({split})"
        for (value, split), part in slices.items()
        if any(
            (part.get(flag) or {}).get("flagged")
            for flag in ("agreement_flag", "false_candidate_flag")
        )
    ]
    said = count_text(len({value for value, _ in slices}), "slice")
    if not slices:
        return Gist("No pair has a slice.")
    if flagged:
        return Gist(f"{said}; worse than all pairs: {', '.join(flagged)}")
    return Gist(f"{said}, none shown to be worse than all pairs")
