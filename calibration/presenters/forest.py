"""The picture of the first screen: main rates and their intervals, as SVG parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.domain.estimates import Undefined
from calibration.presenters.figures import estimate_text, figure_of, percent

if TYPE_CHECKING:
    from calibration.presenters.columns import Column, Payload

ROWS = (
    ("Exact agreement", "exact_agreement"),
    ("Reviewers with each other", "human.pairwise_agreement"),
    ("False candidate wins", "false_candidate_wins"),
    ("False baseline wins", "false_baseline_wins"),
    ("Missed ties", "missed_ties"),
    ("Invented ties", "invented_ties"),
    ("Flips when slots swap", "position.flip_rate"),
    ("Invalid pairs", "invalid_rate"),
)
TOP, ROW, LANE = 6, 46, 11
INSET = 1.5
TICKS = (0, 25, 50, 75, 100)


@dataclass(frozen=True, slots=True)
class Mark:
    """One estimate: positions in percent of the width, in pixels from the top."""

    series: int
    y: int
    at: str
    low: str
    high: str
    text: str


@dataclass(frozen=True, slots=True)
class ForestRow:
    """One rate with a mark for each column; what is undefined has no mark."""

    label: str
    value: str
    y: int
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the scale."""

    label: str
    x: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Forest:
    """Everything that the template draws, and the same in words."""

    rows: tuple[ForestRow, ...]
    ticks: tuple[Tick, ...]
    series: tuple[tuple[int, str], ...]
    height: int
    bottom: int
    text: str
    title: str = "Main rates with their intervals"


def forest_of(columns: tuple[Column, ...]) -> Forest:
    """Lay out the main rates of the columns, the first series drawn hollow."""
    rows = tuple(
        _row(label, path, TOP + ROW * place, columns)
        for place, (label, path) in enumerate(ROWS)
    )
    bottom = TOP + ROW * len(ROWS)
    return Forest(
        rows=rows,
        ticks=tuple(Tick(f"{t} %", _x(t / 100), _anchor(t)) for t in TICKS),
        series=tuple(enumerate(column.name for column in columns)),
        height=bottom + 22,
        bottom=bottom,
        text=" ".join(_sentence(label, path, columns) for label, path in ROWS),
    )


def forest_of_figures(title: str, figures: list[tuple[str, Payload]]) -> Forest:
    """Lay out one rate a row, all in one series."""
    rows = tuple(
        ForestRow(
            label,
            percent(figure),
            TOP + ROW * place + 13,
            tuple(filter(None, [_mark(figure, 0, TOP + ROW * place + 24)])),
        )
        for place, (label, figure) in enumerate(figures)
    )
    bottom = TOP + ROW * len(rows)
    return Forest(
        rows=rows,
        ticks=tuple(Tick(f"{t} %", _x(t / 100), _anchor(t)) for t in TICKS),
        series=(),
        height=bottom + 22,
        bottom=bottom,
        text=" ".join(f"{name}: {estimate_text(figure)}." for name, figure in figures),
        title=title,
    )


def _row(label: str, path: str, top: int, columns: tuple[Column, ...]) -> ForestRow:
    figures = [_at(column.block, path) for column in columns]
    marks = [
        _mark(figure, series, top + 24 + LANE * series)
        for series, figure in enumerate(figures)
    ]
    value = " / ".join(percent(figure) for figure in figures)
    return ForestRow(label, value, top + 13, tuple(m for m in marks if m))


def _mark(stored: Payload, series: int, y: int) -> Mark | None:
    figure = figure_of(stored)
    if isinstance(figure, Undefined):
        return None
    low = figure.value if figure.low is None else figure.low
    high = figure.value if figure.high is None else figure.high
    return Mark(series, y, _x(figure.value), _x(low), _x(high), estimate_text(figure))


def _sentence(label: str, path: str, columns: tuple[Column, ...]) -> str:
    parts = [
        f"{column.name} {estimate_text(_at(column.block, path))}" for column in columns
    ]
    return f"{label}: {'; '.join(parts)}."


def _at(block: Payload, path: str) -> Payload:
    found: Payload = block
    for key in path.split("."):
        found = found[key]
    return found


def _x(share: float) -> str:
    """A place on the scale, a little in from both edges so that marks stay whole."""
    return f"{INSET + (100 - 2 * INSET) * min(max(share, 0.0), 1.0):.2f}%"


def _anchor(tick: int) -> str:
    return {0: "start", 100: "end"}.get(tick, "middle")
