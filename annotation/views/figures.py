"""Figures as the pages of this app show them: value, then k of n, interval, method."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

from annotation.domain.estimates import Estimate, Figure, Undefined

if TYPE_CHECKING:
    from collections.abc import Callable

    from annotation.domain.intervals import SignTest

DASH = "\N{EN DASH}"
NOT_DEFINED = "n/a"
LEAST_P = 0.001
FEW_P = 0.1
SMALLEST, LARGEST = 0.0005, 0.9995
PEOPLE = ("wilson", "fleiss", "cohen", "everitt")


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure as shown: its value, then what stands behind it."""

    value: str
    detail: str = ""
    undefined: bool = False


def share_cell(figure: Figure, noun: str = "pairs") -> Cell:
    """A share in percent: "34.1 %" and "46 of 135; 95 % 26.6-42.4, Wilson"."""
    if isinstance(figure, Undefined):
        return Cell(NOT_DEFINED, figure.reason, undefined=True)
    base = f"{figure.denominator:,} {noun}"
    if figure.numerator is not None:
        base = f"{figure.numerator:,} of {figure.denominator:,}"
    limits = _limits(figure, lambda limit: rounded(100 * limit, 1))
    return Cell(f"{_percent(figure.value)} %", f"{base}; {limits}")


def number_cell(figure: Figure, noun: str = "pairs", digits: int = 2) -> Cell:
    """A figure that is no share: "0.64" and "135 pairs; 95 % 0.51-0.76, ..."."""
    if isinstance(figure, Undefined):
        return Cell(NOT_DEFINED, figure.reason, undefined=True)
    limits = _limits(figure, lambda limit: rounded(limit, digits))
    value = rounded(figure.value, digits)
    return Cell(value, f"{figure.denominator:,} {noun}; {limits}")


def test_cell(test: SignTest | Undefined) -> Cell:
    """An exact sign test: "p = 0.014"."""
    if isinstance(test, Undefined):
        return Cell(f"p {NOT_DEFINED}", test.reason, undefined=True)
    p = test.p_value
    digits = 3 if p < FEW_P else 2
    text = "p < 0.001" if p < LEAST_P else f"p = {rounded(p, digits)}"
    return Cell(text, f"{test.wins:,} against {test.losses:,}; sign test, exact")


def rounded(value: float, digits: int) -> str:
    """Round half away from zero on the shortest decimal form, as people do."""
    step = Decimal(1).scaleb(-digits)
    return f"{Decimal(repr(float(value))).quantize(step, ROUND_HALF_UP) + 0:f}"


def _percent(share: float) -> str:
    """Only true extremes read 0 or 100."""
    if 0 < share < SMALLEST:
        return "< 0.1"
    if LARGEST <= share < 1:
        return "> 99.9"
    return rounded(100 * share, 1)


def _limits(figure: Estimate, text: Callable[[float], str]) -> str:
    if figure.level is None or figure.low is None or figure.high is None:
        return "no interval"
    between = " to " if figure.low < 0 else DASH
    limits = f"{text(figure.low)}{between}{text(figure.high)}"
    return f"{100 * figure.level:g} % {limits}, {_method(figure.method or '')}"


def _method(name: str) -> str:
    """Capitalise the people in the name of a method."""
    for person in PEOPLE:
        name = name.replace(person, person.capitalize())
    return name
