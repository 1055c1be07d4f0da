"""Rates over time as parts of SVG: a dot with its interval for each check.

Places across are shares of the width, so that the picture fits any screen; places down
are pixels. Lines of different series are never joined.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from annotation.domain.estimates import Undefined
from calibration.presenters.figures import estimate_text, figure_of
from calibration.presenters.forest import Tick

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from typing import Any

TOP, HEIGHT, INSET = 8, 144, 3.0
STEPS = (0.0, 0.25, 0.5, 0.75, 1.0)
COLOURS = 6  # that the style sheet knows


@dataclass(frozen=True, slots=True)
class Given:
    """One figure at one time; ``hollow`` marks a reference."""

    at: datetime
    figure: Mapping[str, Any]
    hollow: bool = False


@dataclass(frozen=True, slots=True)
class Dot:
    """A figure as drawn."""

    x: str
    y: float
    low: float
    high: float
    hollow: bool
    text: str


@dataclass(frozen=True, slots=True)
class Segment:
    """The line from one dot to the next of the same series."""

    x1: str
    y1: float
    x2: str
    y2: float


@dataclass(frozen=True, slots=True)
class Line:
    """One series."""

    colour: int
    name: str
    dots: tuple[Dot, ...]
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class TimeChart:
    """Everything that the template draws."""

    title: str
    about: str
    lines: tuple[Line, ...]
    ticks: tuple[tuple[str, float], ...]
    dates: tuple[Tick, ...]
    height: int
    width_foot: int


def time_chart(
    title: str,
    series: Sequence[tuple[str, Sequence[Given]]],
    about: str = "",
    ends: tuple[datetime, datetime] | None = None,
) -> TimeChart | None:
    """Lay out shares from 0 to 100 %; ``None`` where no figure is defined.

    ``ends`` are the first and last time of the picture, so that several pictures agree;
    its own where they are left out.
    """
    drawn = [(name, [one for one in given if _defined(one)]) for name, given in series]
    times = [one.at for _, given in drawn for one in given]
    if not times:
        return None
    first, last = ends or (min(times), max(times))
    lines = tuple(
        _line(number % COLOURS, name, given, first, last)
        for number, (name, given) in enumerate(drawn)
        if given
    )
    return TimeChart(
        title=title,
        about=about,
        lines=lines,
        ticks=tuple((f"{100 * step:g} %", _y(step)) for step in STEPS),
        dates=_dates(first, last),
        height=HEIGHT + 2 * TOP,
        width_foot=18,
    )


def _defined(one: Given) -> bool:
    return not isinstance(figure_of(one.figure), Undefined)


def _line(
    colour: int,
    name: str,
    given: Sequence[Given],
    first: datetime,
    last: datetime,
) -> Line:
    dots = tuple(_dot(one, first, last) for one in given)
    segments = tuple(
        Segment(one.x, one.y, other.x, other.y) for one, other in pairwise(dots)
    )
    return Line(colour, name, dots, segments)


def _dot(one: Given, first: datetime, last: datetime) -> Dot:
    figure = figure_of(one.figure)
    assert not isinstance(figure, Undefined)  # noqa: S101 - left out before
    low = figure.value if figure.low is None else figure.low
    high = figure.value if figure.high is None else figure.high
    text = f"{one.at:%Y-%m-%d %H:%M}: {estimate_text(figure)}"
    x = _x(one.at, first, last)
    return Dot(x, _y(figure.value), _y(low), _y(high), one.hollow, text)


def _x(at: datetime, first: datetime, last: datetime) -> str:
    whole = (last - first).total_seconds()
    share = (at - first).total_seconds() / whole if whole else 0.5
    return f"{INSET + (100 - 2 * INSET) * share:.2f}%"


def _y(share: float) -> float:
    return round(TOP + HEIGHT * (1 - min(max(share, 0.0), 1.0)), 1)


def _dates(first: datetime, last: datetime) -> tuple[Tick, ...]:
    if first == last:
        return (Tick(f"{first:%Y-%m-%d}", "50%", "middle"),)
    ends = ((first, "0%", "start"), (last, "100%", "end"))
    form = "%Y-%m-%d" if first.date() < last.date() else "%Y-%m-%d %H:%M"
    return tuple(Tick(at.strftime(form), x, anchor) for at, x, anchor in ends)
