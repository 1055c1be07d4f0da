"""From exact figures to text: the only place that rounds."""

from __future__ import annotations

from calibration.presenters.figures import (
    compact_number,
    compact_text,
    count_text,
    estimate_text,
    exact_test_text,
    figure_of,
    method_text,
    number_text,
    p_text,
    percent,
    points_text,
    undefined_text,
)
from calibration.presenters.text import text_report

__all__ = [
    "compact_number",
    "compact_text",
    "count_text",
    "estimate_text",
    "exact_test_text",
    "figure_of",
    "method_text",
    "number_text",
    "p_text",
    "percent",
    "points_text",
    "text_report",
    "undefined_text",
]
