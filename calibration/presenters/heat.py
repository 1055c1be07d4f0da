"""Contingency tables with a tint for each cell's share of its row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calibration.presenters.case_links import case_query
from calibration.presenters.figures import NOT_DEFINED, count_text, percent_number

if TYPE_CHECKING:
    from calibration.presenters.columns import Column, Payload

VERDICTS = ("baseline", "candidate", "tie", "abstain", "invalid")
GOLD = VERDICTS[:-1]
TINTS = 5


@dataclass(frozen=True, slots=True)
class HeatCell:
    """How many pairs of a gold row got this verdict; ``tint`` is 0 to 4.

    ``cases`` is the query of the page that lists them, "" where there is none.
    """

    count: str
    share: str
    tint: int
    agrees: bool
    cases: str


@dataclass(frozen=True, slots=True)
class HeatRow:
    """One gold outcome."""

    gold: str
    cells: tuple[HeatCell, ...]
    total: str


@dataclass(frozen=True, slots=True)
class HeatTable:
    """Gold down, verdicts across, of one split."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[HeatRow, ...]
    totals: tuple[str, ...]
    total: str
    without_gold: str


def heat_tables(columns: tuple[Column, ...]) -> tuple[HeatTable, ...]:
    """One table a column."""
    return tuple(_table(column) for column in columns)


def _table(column: Column) -> HeatTable:
    counts = column.block["confusion"]
    totals = {v: sum(counts[gold][v] for gold in GOLD) for v in VERDICTS}
    return HeatTable(
        name=column.name,
        heads=VERDICTS,
        rows=tuple(_row(gold, counts[gold], column.key) for gold in GOLD),
        totals=tuple(f"{total:,}" for total in totals.values()),
        total=f"{sum(totals.values()):,}",
        without_gold=count_text(column.block["no_gold"], "pair"),
    )


def _row(gold: str, counts: Payload, split: str) -> HeatRow:
    total = sum(counts[verdict] for verdict in VERDICTS)
    cells = tuple(
        _cell(
            counts[verdict],
            total,
            agrees=verdict == gold,
            cases=case_query(split, gold=gold, verdict=verdict),
        )
        for verdict in VERDICTS
    )
    return HeatRow(gold, cells, f"{total:,}")


def _cell(count: int, total: int, *, agrees: bool, cases: str) -> HeatCell:
    share = count / total if total else 0.0
    tint = min(int(share * TINTS), TINTS - 1)
    text = f"{percent_number(share)} %" if total else NOT_DEFINED
    return HeatCell(f"{count:,}", text, tint, agrees, cases if count else "")
