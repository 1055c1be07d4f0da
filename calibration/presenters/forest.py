"""Pictures of rates: a mark with its interval for each figure, as parts of SVG.

Each row is a label, its values in words and one small drawing, so that labels wrap, a
long picture breaks across printed pages, and colours follow the reader's scheme.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from annotation.domain.estimates import Undefined
from calibration.presenters.figures import (
    estimate_text,
    figure_of,
    percent,
    points_text,
    signed_points,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
TOP, LANE = 7, 11
INSET = 1.5
QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
REACHES = (0.1, 0.25, 0.5, 1.0)  # how far a scale of differences goes both ways


@dataclass(frozen=True, slots=True)
class Mark:
    """One estimate: positions in percent of the width, in pixels from the top.

    ``few`` is of too few cases to say much.
    """

    series: int
    y: int
    at: str
    low: str
    high: str
    text: str
    few: bool = False


@dataclass(frozen=True, slots=True)
class ForestRow:
    """One rate with a mark for each series; what is undefined has no mark.

    ``value`` is short, ``text`` the same in full; ``small`` rows prove little.
    """

    label: str
    value: str
    text: str
    marks: tuple[Mark, ...]
    small: bool = False


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the scale; the one at ``zero`` is drawn stronger."""

    label: str
    x: str
    anchor: str
    zero: bool = False


@dataclass(frozen=True, slots=True)
class Forest:
    """Everything that the template draws, and the same in words."""

    title: str
    rows: tuple[ForestRow, ...]
    ticks: tuple[Tick, ...]
    series: tuple[tuple[int, str], ...]
    height: int
    about: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """What a row is drawn from: one figure a series, None where it has none.

    Figures of fewer than ``least`` cases are few; a row of nothing else is small.
    """

    label: str
    figures: tuple[Payload | None, ...]
    least: int = 0

    def few(self, figure: Payload) -> bool:
        """Whether a figure has too few cases to say much."""
        return (figure.get("denominator") or 0) < self.least


@dataclass(frozen=True, slots=True)
class Scale:
    """From where to where the picture goes."""

    low: float = 0.0
    high: float = 1.0

    @classmethod
    def of_gaps(cls, figures: Iterable[Payload]) -> Scale:
        """A scale with 0 in the middle that holds all limits."""
        limits = [
            abs(figure[key] or 0.0)
            for figure in figures
            for key in ("value", "low", "high")
        ]
        most = max(limits, default=0.0)
        reach = next((r for r in REACHES if most <= r), REACHES[-1])
        return cls(-reach, reach)

    def x(self, value: float) -> str:
        """A place on the scale, a little in from the edges so that marks stay whole."""
        share = (value - self.low) / (self.high - self.low)
        return f"{INSET + (100 - 2 * INSET) * min(max(share, 0.0), 1.0):.2f}%"

    def ticks(self) -> tuple[Tick, ...]:
        """Five lines, the outer labels inside the picture."""
        return tuple(map(self._tick, QUARTERS))

    def _tick(self, share: float) -> Tick:
        value = self.low + (self.high - self.low) * share
        anchor = {0.0: "start", 1.0: "end"}.get(share, "middle")
        plain = f"{100 * value:g}"
        label = f"{plain} %" if self.low == 0 else plain.replace("-", "\N{MINUS SIGN}")
        return Tick(label, self.x(value), anchor, zero=self.low < 0 and value == 0)


def forest_of(columns: tuple[Column, ...]) -> Forest:
    """Lay out the main rates of the columns, the first series drawn hollow."""
    given = [
        Given(label, tuple(figure_at(column.block, path) for column in columns))
        for label, path in ROWS
    ]
    names = tuple(column.name for column in columns)
    return rates_forest("Main rates with their intervals", names, given)


def rates_forest(
    title: str, series: Sequence[str], given: Iterable[Given], about: str = ""
) -> Forest:
    """Lay out shares from 0 to 100 %, each series in a lane of its own."""
    scale = Scale()
    rows = tuple(_row(one, series, scale) for one in given)
    named = tuple(enumerate(series))
    return Forest(title, rows, scale.ticks(), named, _height(series), about)


def forest_of_figures(title: str, figures: list[tuple[str, Payload]]) -> Forest:
    """Lay out one share a row, all in one series that needs no name."""
    given = [Given(label, (figure,)) for label, figure in figures]
    return rates_forest(title, ("",), given)


def gaps_forest(title: str, figures: list[tuple[str, Payload]], about: str) -> Forest:
    """Lay out differences of shares around 0, in points."""
    scale = Scale.of_gaps(
        figure for _, figure in figures if figure.get("value") is not None
    )
    rows = tuple(
        ForestRow(
            label,
            _gap(figure),
            points_text(figure),
            tuple(_marks((figure,), scale, points=True)),
        )
        for label, figure in figures
    )
    return Forest(title, rows, scale.ticks(), ((0, ""),), _height(("",)), about)


def figure_at(block: Payload, path: str) -> Payload:
    """The figure at a dotted path of a block."""
    found: Payload = block
    for key in path.split("."):
        found = found[key]
    return found


def _height(series: Sequence[str]) -> int:
    return 2 * TOP + LANE * (len(series) - 1)


def _row(given: Given, series: Sequence[str], scale: Scale) -> ForestRow:
    values, texts = [], []
    for name, figure in zip(series, given.figures, strict=True):
        if figure is not None:
            values.append(percent(figure))
            told = figure.get("value") is not None and given.few(figure)
            few = " (few pairs)" if told else ""
            texts.append(f"{name} {estimate_text(figure)}{few}".strip())
        else:
            values.append("\N{EN DASH}")
    return ForestRow(
        given.label,
        " / ".join(values),
        "; ".join(texts),
        tuple(
            replace(mark, few=True, text=f"{mark.text}; few pairs")
            if given.few(given.figures[mark.series] or {})
            else mark
            for mark in _marks(given.figures, scale)
        ),
        all(given.few(figure) for figure in given.figures if figure is not None),
    )


def _marks(
    figures: Sequence[Payload | None], scale: Scale, *, points: bool = False
) -> Iterable[Mark]:
    draw = points_text if points else estimate_text
    for series, stored in enumerate(figures):
        figure = figure_of(stored) if stored is not None else None
        if figure is None or isinstance(figure, Undefined):
            continue
        low = figure.value if figure.low is None else figure.low
        high = figure.value if figure.high is None else figure.high
        places = (scale.x(figure.value), scale.x(low), scale.x(high))
        yield Mark(series, TOP + LANE * series, *places, draw(figure))


def _gap(stored: Payload) -> str:
    figure = figure_of(stored)
    if isinstance(figure, Undefined):
        return percent(stored)
    return f"{signed_points(figure.value)} points"
