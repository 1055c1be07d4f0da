"""Figures as pages show them; with calibration's, the only place that rounds.

Here is what every figure shares, and the cells of this app's pages: value, then k of n,
interval and method.
"""

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
PEOPLE = ("wilson", "newcombe", "tango", "fleiss", "cohen", "everitt", "fisher")


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
    base = counted(figure.denominator, noun)
    if figure.numerator is not None:
        base = f"{figure.numerator:,} of {figure.denominator:,}"
    limits = limits_text(figure, lambda limit: rounded(100 * limit, 1))
    return Cell(f"{percent_number(figure.value)} %", f"{base}; {limits}")


def number_cell(figure: Figure, noun: str = "pairs", digits: int = 2) -> Cell:
    """A figure that is no share: "0.64" and "135 pairs; 95 % 0.51-0.76, ..."."""
    if isinstance(figure, Undefined):
        return Cell(NOT_DEFINED, figure.reason, undefined=True)
    limits = limits_text(figure, lambda limit: rounded(limit, digits))
    value = rounded(figure.value, digits)
    return Cell(value, f"{counted(figure.denominator, noun)}; {limits}")


def counted(number: float, noun: str) -> str:
    """So many of something, whose plural is given: "1 pair", "1,200 pairs"."""
    return f"{number:,} {noun.removesuffix('s') if number == 1 else noun}"


def test_cell(test: SignTest | Undefined) -> Cell:
    """An exact sign test: "p = 0.014"."""
    if isinstance(test, Undefined):
        return Cell(f"p {NOT_DEFINED}", test.reason, undefined=True)
    detail = f"{test.wins:,} against {test.losses:,}; sign test, exact"
    return Cell(p_text(test.p_value), detail)


def p_text(p_value: float | None) -> str:
    """Give a p value: "p < 0.001", "p = 0.014", "p = 0.32", or "p n/a"."""
    if p_value is None:
        return f"p {NOT_DEFINED}"
    if p_value < LEAST_P:
        return f"p < {LEAST_P}"
    digits = 3 if p_value < FEW_P else 2
    return f"p = {rounded(p_value, digits)}"


def rounded(value: float, digits: int) -> str:
    """Round half away from zero on the shortest decimal form, as people do."""
    step = Decimal(1).scaleb(-digits)
    return f"{Decimal(repr(float(value))).quantize(step, ROUND_HALF_UP) + 0:f}"


def percent_number(share: float) -> str:
    """Round a share to a tenth of a percent; only true extremes read 0 or 100."""
    if 0 < share < SMALLEST:
        return "< 0.1"
    if LARGEST <= share < 1:
        return "> 99.9"
    return rounded(100 * share, 1)


def limits_text(
    figure: Estimate, text: Callable[[float], str], separator: str = DASH
) -> str:
    """Give an interval: "95 % 26.6-42.4, Wilson", or say that there is none."""
    if figure.level is None or figure.low is None:
        return f"no interval{': ' if figure.method else ''}{figure.method or ''}"
    if figure.low < 0:
        separator = " to "
    limits = range_text(figure, text, separator)
    return f"{100 * figure.level:g} % {limits}, {method_text(figure.method)}"


def range_text(figure: Estimate, text: Callable[[float], str], separator: str) -> str:
    """Give the two ends of an interval, or nothing."""
    if figure.low is None or figure.high is None:
        return ""
    return f"{text(figure.low)}{separator}{text(figure.high)}"


def method_text(method: str | None) -> str:
    """Capitalise the people in the name of a method."""
    text = method or ""
    for name in PEOPLE:
        text = text.replace(name, name.capitalize())
    return text.replace("bca ", "BCa ")
