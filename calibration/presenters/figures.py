"""From exact figures to text: the only place that rounds.

Every function takes a figure as the domain gives it or as the report JSON stores it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from annotation.domain.estimates import Estimate, Figure, Undefined

Stored = Mapping[str, Any]
NOT_DEFINED = "n/a"
DASH = "\N{EN DASH}"
_NAMES = ("wilson", "newcombe", "tango", "fleiss", "cohen", "everitt", "fisher")


def figure_of(stored: Figure | Stored) -> Figure:
    """Read a figure back from the report JSON; a figure passes through."""
    if isinstance(stored, Estimate | Undefined):
        return stored
    counts = stored.get("numerator"), stored.get("denominator")
    if stored.get("value") is None:
        return Undefined(stored.get("undefined") or "not computed", *counts)
    return Estimate(
        value=stored["value"],
        numerator=counts[0],
        denominator=counts[1] or 0,
        low=stored.get("low"),
        high=stored.get("high"),
        level=stored.get("level"),
        method=stored.get("method"),
        design_effect=stored.get("design_effect", 1.0),
    )


def percent(figure: Figure | Stored) -> str:
    """Give the bare share: "34.1 %", or "n/a"."""
    found = figure_of(figure)
    if isinstance(found, Undefined):
        return NOT_DEFINED
    return f"{percent_number(found.value)} %"


def percent_number(share: float) -> str:
    """Round a share to a tenth of a percent; only true extremes read 0 or 100."""
    if 0 < share < 0.0005:  # noqa: PLR2004 - would round to 0.0
        return "< 0.1"
    if 0.9995 <= share < 1:  # noqa: PLR2004 - would round to 100.0
        return "> 99.9"
    return rounded(100 * share, 1)


def rounded(value: float, digits: int) -> str:
    """Round half away from zero on the shortest decimal form, as people do."""
    step = Decimal(1).scaleb(-digits)
    return f"{Decimal(repr(float(value))).quantize(step, ROUND_HALF_UP) + 0:f}"


def signed_points(gap: float) -> str:
    """Give a difference of shares in points, with its sign: "+30.6"."""
    text = rounded(100 * gap, 1)
    return text if text.startswith("-") else f"+{text}"


def undefined_text(figure: Undefined) -> str:
    """Say why there is no number: "n/a (0 cases)"."""
    return f"{NOT_DEFINED} ({figure.reason})"


def estimate_text(figure: Figure | Stored) -> str:
    """Give a share in full: "34.1 % (46 of 135; 95 % 26.6-42.4, Wilson)"."""
    found = figure_of(figure)
    if isinstance(found, Undefined):
        return undefined_text(found)
    limits = _limits(found, lambda limit: rounded(100 * limit, 1))
    return f"{percent(found)} ({'; '.join(filter(None, (_base(found), limits)))})"


def number_text(figure: Figure | Stored, digits: int = 3) -> str:
    """Give a figure that is no share: "0.244 (800 cases; 95 % 0.192-0.296, ...)"."""
    found = figure_of(figure)
    if isinstance(found, Undefined):
        return undefined_text(found)
    limits = _limits(found, lambda limit: rounded(limit, digits))
    inside = "; ".join(filter(None, (_base(found), limits)))
    return f"{rounded(found.value, digits)} ({inside})"


def points_text(figure: Figure | Stored) -> str:
    """Give a difference of shares: "+30.6 points (685 cases; 95 % 22.9 to 39.0)"."""
    found = figure_of(figure)
    if isinstance(found, Undefined):
        return undefined_text(found)
    limits = _limits(found, lambda limit: rounded(100 * limit, 1), " to ")
    inside = "; ".join(filter(None, (_base(found), limits)))
    return f"{signed_points(found.value)} points ({inside})"


def compact_text(figure: Figure | Stored) -> str:
    """Give a share for a table cell: "34.1 % 26.6-42.4 (46/135)"."""
    found = figure_of(figure)
    if isinstance(found, Undefined):
        return undefined_text(found)
    counts = found.denominator
    base = f"{found.numerator}/{counts}" if found.numerator is not None else f"{counts}"
    limits = _range(found, lambda limit: rounded(100 * limit, 1), DASH)
    return f"{percent(found)} {limits} ({base})".replace("  ", " ")


def compact_number(figure: Figure | Stored, digits: int = 3) -> str:
    """Give a figure that is no share for a table cell: "0.244 0.192-0.296 (800)"."""
    found = figure_of(figure)
    if isinstance(found, Undefined):
        return undefined_text(found)
    separator = " to " if found.low is not None and found.low < 0 else DASH
    limits = _range(found, lambda limit: rounded(limit, digits), separator)
    text = f"{rounded(found.value, digits)} {limits} ({found.denominator})"
    return text.replace("  ", " ")


def p_text(p_value: float | None) -> str:
    """Give a p value: "p < 0.001", "p = 0.014", "p = 0.32", or "p n/a"."""
    if p_value is None:
        return f"p {NOT_DEFINED}"
    if p_value < 0.001:  # noqa: PLR2004 - the usual floor
        return "p < 0.001"
    digits = 3 if p_value < 0.1 else 2  # noqa: PLR2004 - digits that matter
    return f"p = {rounded(p_value, digits)}"


def exact_test_text(test: Stored) -> str:
    """Give an exact test in full: "p = 0.014 (67 cases; sign test, exact)"."""
    if test.get("undefined"):
        return f"p {NOT_DEFINED} ({test['undefined']})"
    method = method_text(test["method"])
    return f"{p_text(test['p_value'])} ({count_text(test['n'], 'case')}; {method})"


def count_text(count: int, noun: str) -> str:
    """Give a count with its noun: "1 case", "1,204 cases"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def method_text(method: str | None) -> str:
    """Capitalise the people in the name of a method."""
    text = method or ""
    for name in _NAMES:
        text = text.replace(name, name.capitalize())
    return text.replace("bca ", "BCa ")


def _base(figure: Estimate) -> str:
    if figure.numerator is None:
        return count_text(figure.denominator, "case")
    return f"{figure.numerator:,} of {figure.denominator:,}"


def _limits(
    figure: Estimate, text: Callable[[float], str], separator: str = DASH
) -> str:
    if figure.level is None or figure.low is None:
        return f"no interval{': ' if figure.method else ''}{figure.method or ''}"
    if figure.low < 0:
        separator = " to "
    limits = _range(figure, text, separator)
    return f"{100 * figure.level:g} % {limits}, {method_text(figure.method)}"


def _range(figure: Estimate, text: Callable[[float], str], separator: str) -> str:
    if figure.low is None or figure.high is None:
        return ""
    return f"{text(figure.low)}{separator}{text(figure.high)}"
