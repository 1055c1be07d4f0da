"""The figures of a report, section by section, each split in a column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calibration.presenters.case_links import CaseList, figure_lists, found_word
from calibration.presenters.cells import Cell, count, number, points
from calibration.presenters.columns import DEV, HELD_OUT
from calibration.presenters.section_specs import SECTIONS

if TYPE_CHECKING:
    from calibration.presenters.charts import Bars
    from calibration.presenters.columns import Column, Payload
    from calibration.presenters.forest import Forest
    from calibration.presenters.heat import HeatTable
    from calibration.presenters.section_specs import Spec


@dataclass(frozen=True, slots=True)
class Line:
    """One figure across the columns, with what it is a share of.

    ``cases`` are lists of pairs, one a column, and ``found`` says what is in them.
    """

    label: str
    about: str
    cells: tuple[Cell, ...]
    cases: tuple[CaseList, ...] = ()
    found: str = "cases"


@dataclass(frozen=True, slots=True)
class Section:
    """A table of figures under a heading, and what it has of pictures."""

    anchor: str
    title: str
    about: str
    names: tuple[str, ...]
    lines: tuple[Line, ...]
    forest: Forest | None = None
    bars: Bars | None = None
    tables: tuple[HeatTable, ...] = ()
    contradictions: tuple[tuple[str, str], ...] = ()


GAPS = (
    ("Exact agreement", points, "exact_agreement"),
    ("Kappa", number, "kappa"),
    ("Balanced accuracy", points, "balanced_accuracy"),
    ("False candidate wins", points, "false_candidate_wins"),
    ("False baseline wins", points, "false_baseline_wins"),
    ("Missed ties", points, "missed_ties"),
    ("Invented ties", points, "invented_ties"),
    ("Flip rate", points, "flip_rate"),
    ("Invalid pairs", points, "invalid_rate"),
)
GAPS_IN_POINTS = tuple((label, key) for label, draw, key in GAPS if draw is points)


def gap_lines(payload: Payload) -> tuple[Line, ...]:
    """Dev less held-out, where both have pairs and held-out results are shown."""
    found, splits = payload.get("comparison"), payload["splits"]
    if not found or not all(
        splits[key] and splits[key]["n"] for key in (DEV, HELD_OUT)
    ):
        return ()
    return tuple(Line(label, "", (draw(found[key]),)) for label, draw, key in GAPS)


def gap_section(payload: Payload) -> tuple[Section, ...]:
    """The table of differences between dev and held-out, if there is one."""
    lines = gap_lines(payload)
    about = (
        "A judge tuned on dev tends to look better there. Where the interval holds 0, "
        "no such gap is shown."
    )
    title = "Dev against held-out"
    names = ("Dev less held-out",)
    return (Section("gap", title, about, names, lines),) if lines else ()


def sections_of(columns: tuple[Column, ...]) -> tuple[Section, ...]:
    """All sections in the order of METHODS 4: what matters first."""
    names = tuple(column.name for column in columns)
    found = []
    for anchor, title, about, specs in SECTIONS:
        lines = [line for spec in specs if (line := _line(spec, columns))]
        if anchor == "invalid":
            lines += _reasons(columns)
        found.append(Section(anchor, title, about, names, tuple(lines)))
    return tuple(found)


def _line(spec: Spec, columns: tuple[Column, ...]) -> Line | None:
    """One figure of every block; None where an older report does not hold it."""
    label, about, draw, path = spec
    try:
        found = [_at(block, path) for block in (each.block for each in columns)]
    except KeyError:
        return None
    lists = figure_lists(columns, path)
    return Line(label, about, tuple(map(draw, found)), lists, found_word(path))


def _at(block: Payload, path: str) -> Any:
    found: Any = block
    for key in path.split("."):
        found = found[key]
    return found


def _reasons(columns: tuple[Column, ...]) -> list[Line]:
    """Calls by reason; reasons that never occurred share one line."""
    blocks = [column.block for column in columns]
    reasons = list(blocks[0]["invalid_calls"]) if blocks else []
    occurred = [r for r in reasons if any(b["invalid_calls"][r] for b in blocks)]
    never = [_words(reason) for reason in reasons if reason not in occurred]
    lines = [
        Line(
            _words(r),
            "calls",
            tuple(count(b["invalid_calls"][r]) for b in blocks),
            figure_lists(columns, f"invalid_calls.{r}"),
            "pairs",
        )
        for r in occurred
    ]
    if never:
        zeros = tuple(Cell("0") for _ in blocks)
        lines.append(Line("other reasons", f"calls: {', '.join(never)}", zeros))
    return lines


def _words(reason: str) -> str:
    return reason.replace("_", " ")
