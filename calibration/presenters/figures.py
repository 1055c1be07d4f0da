"""From exact figures to text; what rounds is shared with annotation's pages.

Every function takes a figure as the domain gives it or as the report JSON stores it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.domain.estimates import Estimate, Figure, Undefined
from annotation.presenters.figures import (
    DASH,
    NOT_DEFINED,
    limits_text,
    method_text,
    p_text,
    percent_number,
    range_text,
    rounded,
)

__all__ = [
    "NOT_DEFINED", "compact_number", "compact_text", "count_text", "estimate_text",
    "exact_test_text", "figure_of", "method_text", "number_text", "p_text", "percent",
    "percent_number", "points_text", "rounded", "signed_points", "undefined_text",
]  # fmt: skip

Stored = Mapping[str, Any]


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
    limits = limits_text(found, lambda limit: rounded(100 * limit, 1))
    return f"{percent(found)} ({'; '.join(filter(None, (_base(found), limits)))})"


def number_text(figure: Figure | Stored, digits: int = 3) -> str:
    """Give a figure that is no share: "0.244 (800 cases; 95 % 0.192-0.296, ...)"."""
    found = figure_of(figure)
    if isinstance(found, Undefined):
        return undefined_text(found)
    limits = limits_text(found, lambda limit: rounded(limit, digits))
    inside = "; ".join(filter(None, (_base(found), limits)))
    return f"{rounded(found.value, digits)} ({inside})"


def points_text(figure: Figure | Stored) -> str:
    """Give a difference of shares: "+30.6 points (685 cases; 95 % 22.9 to 39.0)"."""
    found = figure_of(figure)
    if isinstance(found, Undefined):
        return undefined_text(found)
    limits = limits_text(found, lambda limit: rounded(100 * limit, 1), " to ")
    inside = "; ".join(filter(None, (_base(found), limits)))
    return f"{signed_points(found.value)} points ({inside})"


def compact_text(figure: Figure | Stored) -> str:
    """Give a share for a table cell: "34.1 % 26.6-42.4 (46/135)"."""
    found = figure_of(figure)
    if isinstance(found, Undefined):
        return undefined_text(found)
    counts = found.denominator
    base = f"{found.numerator}/{counts}" if found.numerator is not None else f"{counts}"
    limits = range_text(found, lambda limit: rounded(100 * limit, 1), DASH)
    return f"{percent(found)} {limits} ({base})".replace("  ", " ")


def compact_number(figure: Figure | Stored, digits: int = 3) -> str:
    """Give a figure that is no share for a table cell: "0.244 0.192-0.296 (800)"."""
    found = figure_of(figure)
    if isinstance(found, Undefined):
        return undefined_text(found)
    separator = " to " if found.low is not None and found.low < 0 else DASH
    limits = range_text(found, lambda limit: rounded(limit, digits), separator)
    text = f"{rounded(found.value, digits)} {limits} ({found.denominator})"
    return text.replace("  ", " ")


def exact_test_text(test: Stored) -> str:
    """Give an exact test in full: "p = 0.014 (67 cases; sign test, exact)"."""
    if test.get("undefined"):
        return f"p {NOT_DEFINED} ({test['undefined']})"
    method = method_text(test["method"])
    return f"{p_text(test['p_value'])} ({count_text(test['n'], 'case')}; {method})"


def count_text(count: int, noun: str) -> str:
    """Give a count with its noun: "1 case", "1,204 cases"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def served_text(models: list[Stored]) -> str:
    """Each model with its fingerprint and calls; recorded runs know of none."""
    parts = [
        f"{model['model'] or 'not recorded'}"
        f"{' ' + model['fingerprint'] if model['fingerprint'] else ''}"
        f" ({count_text(model['calls'], 'call')})"
        for model in models
    ]
    return "; ".join(parts) or "not recorded"


def _base(figure: Estimate) -> str:
    if figure.numerator is None:
        return count_text(figure.denominator, "case")
    return f"{figure.numerator:,} of {figure.denominator:,}"
