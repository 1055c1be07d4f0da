"""One figure as a table cell shows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from calibration.presenters.figures import (
    estimate_text,
    exact_test_text,
    number_text,
    points_text,
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure as shown: its value, then n, interval and method."""

    value: str
    detail: str = ""
    undefined: bool = False


Draw = Callable[[Any], Cell]


def cell_of(text: str) -> Cell:
    """Split "34.1 % (46 of 135; ...)" into the figure and what stands behind it."""
    value, _, rest = text.partition(" (")
    return Cell(value, rest.removesuffix(")"), value.endswith("n/a"))


def share(figure: Any) -> Cell:
    """A share in percent."""
    return cell_of(estimate_text(figure))


def number(figure: Any) -> Cell:
    """A figure that is no share."""
    return cell_of(number_text(figure))


def points(figure: Any) -> Cell:
    """A difference of shares."""
    return cell_of(points_text(figure))


def p_value(test: Any) -> Cell:
    """An exact test."""
    return cell_of(exact_test_text(test))


def count(value: Any) -> Cell:
    """A plain count."""
    return Cell(f"{value:,}")
