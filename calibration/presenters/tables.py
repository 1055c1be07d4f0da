"""Every figure of a report as a row of one table, for spreadsheets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.domain.exports import ExportFormat, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calibration.presenters.columns import Payload

FIGURE = (
    "value", "numerator", "denominator", "low", "high", "level", "method", "undefined",
)  # fmt: skip
COLUMNS = ("split", "slice", "figure", *FIGURE)
GAP = "dev_less_held_out"
Row = list[object]


def report_csv(payload: Payload) -> Iterator[bytes]:
    """The table of a disclosed report as CSV, nothing rounded."""
    return written(COLUMNS, report_rows_of(payload), ExportFormat.CSV)


def report_rows_of(payload: Payload) -> Iterator[Row]:
    """One row a figure, test or count, by split and slice; none of withheld splits."""
    for split, block in payload["splits"].items():
        if block is not None:
            yield from _block(split, block)
    yield from _figures(GAP, "", "", payload.get("comparison") or {})


def _block(split: str, block: Payload) -> Iterator[Row]:
    parts = ("slices", "critical", "intersections")
    plain = {k: v for k, v in block.items() if k not in parts}
    yield from _figures(split, "", "", plain)
    yield from _figures(split, "critical", "", block["critical"])
    for key, values in block["slices"].items():
        for value, part in values.items():
            yield from _figures(split, f"{key}={value}", "", part)
    met = block.get("intersections") or {"found": []}
    for part in met["found"]:
        names = " & ".join(f"{key}={value}" for key, value in part["slices"].items())
        rest = {key: value for key, value in part.items() if key != "slices"}
        yield from _figures(split, names, "", rest)


def _figures(split: str, part: str, path: str, found: Any) -> Iterator[Row]:
    if isinstance(found, dict):
        if "undefined" in found and ("value" in found or "p_value" in found):
            yield [split, part, path, *_figure(found)]
            return
        for key, inner in found.items():
            yield from _figures(split, part, f"{path}.{key}" if path else key, inner)
    elif isinstance(found, list):
        for number, inner in enumerate(found, start=1):
            yield from _figures(split, part, f"{path}.{number}", inner)
    else:
        yield [split, part, path, found, *[None] * (len(FIGURE) - 1)]


def _figure(found: Payload) -> Iterator[object]:
    """An estimate, or a test with its p value as the value and n as denominator."""
    if "value" in found:
        yield from (found.get(key) for key in FIGURE)
        return
    test = {**found, "value": found["p_value"], "denominator": found["n"]}
    yield from (test.get(key) for key in FIGURE)
