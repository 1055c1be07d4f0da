"""The figures of a report, section by section, each split in a column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calibration.presenters.cells import Cell, count
from calibration.presenters.section_specs import SECTIONS

if TYPE_CHECKING:
    from calibration.presenters.columns import Column, Payload
    from calibration.presenters.section_specs import Spec


@dataclass(frozen=True, slots=True)
class Line:
    """One figure across the columns, with what it is a share of."""

    label: str
    about: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A table of figures under a heading."""

    anchor: str
    title: str
    about: str
    lines: tuple[Line, ...]


def sections_of(columns: tuple[Column, ...]) -> tuple[Section, ...]:
    """All sections in the order of METHODS 4: what matters first."""
    blocks = [column.block for column in columns]
    found = []
    for anchor, title, about, specs in SECTIONS:
        lines = [_line(spec, blocks) for spec in specs]
        if anchor == "invalid":
            lines += _reasons(blocks)
        found.append(Section(anchor, title, about, tuple(lines)))
    return tuple(found)


def _line(spec: Spec, blocks: list[Payload]) -> Line:
    label, about, draw, path = spec
    return Line(label, about, tuple(draw(_at(block, path)) for block in blocks))


def _at(block: Payload, path: str) -> Any:
    found: Any = block
    for key in path.split("."):
        found = found[key]
    return found


def _reasons(blocks: list[Payload]) -> list[Line]:
    """Calls by reason; reasons that never occurred share one line."""
    reasons = list(blocks[0]["invalid_calls"]) if blocks else []
    occurred = [r for r in reasons if any(b["invalid_calls"][r] for b in blocks)]
    never = [_words(reason) for reason in reasons if reason not in occurred]
    lines = [
        Line(_words(r), "calls", tuple(count(b["invalid_calls"][r]) for b in blocks))
        for r in occurred
    ]
    if never:
        zeros = tuple(Cell("0") for _ in blocks)
        lines.append(Line("other reasons", f"calls: {', '.join(never)}", zeros))
    return lines


def _words(reason: str) -> str:
    return reason.replace("_", " ")
