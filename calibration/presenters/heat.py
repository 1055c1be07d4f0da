"""Contingency tables with a tint for each cell's share of its row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calibration.presenters.case_links import case_query
from calibration.presenters.figures import NOT_DEFINED, count_text, percent_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from calibration.presenters.columns import Column, Payload

VERDICTS = ("baseline", "candidate", "tie", "abstain", "invalid")
GOLD = VERDICTS[:-1]
TINTS = 5
ORDERS = (
    ("baseline_first", "baseline first"),
    ("candidate_first", "candidate first"),
)
CLASSES = ("consistent", "flip", "tie_transition", "abstain_transition", "invalid")


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
    """Gold down, verdicts (or what else ``heads`` name) across, of one split.

    ``without_gold`` is "" where pairs without gold are a row.
    """

    name: str
    heads: tuple[str, ...]
    rows: tuple[HeatRow, ...]
    totals: tuple[str, ...]
    total: str
    without_gold: str
    foot: str = "All with gold"

    @property
    def linked(self) -> bool:
        """Whether a cell leads to its cases, so that the keyboard gets into it."""
        return any(cell.cases for row in self.rows for cell in row.cells)


def heat_tables(columns: tuple[Column, ...]) -> tuple[HeatTable, ...]:
    """One table a column."""
    return tuple(_verdicts(column, column.block["confusion"]) for column in columns)


def order_tables(columns: tuple[Column, ...]) -> tuple[HeatTable, ...]:
    """Gold against each order alone; none of reports made before there were such."""
    return tuple(
        _verdicts(column, column.block["position"]["order_confusion"][order], order)
        for column in columns
        if "order_confusion" in column.block["position"]
        for order, _ in ORDERS
    )


def class_tables(columns: tuple[Column, ...]) -> tuple[HeatTable, ...]:
    """What swapping the slots did, by gold outcome."""
    return tuple(
        _classes(column, column.block["position"]["classes_by_gold"])
        for column in columns
        if "classes_by_gold" in column.block["position"]
    )


def _verdicts(column: Column, counts: Payload, order: str = "") -> HeatTable:
    """Of both orders together, or of one ``order``, with the way to the cases."""

    def cell(gold: str, said: str) -> HeatCell:
        row = sum(counts[gold][verdict] for verdict in VERDICTS)
        place = f"position.order_confusion.{order}.{gold}.{said}"
        wanted = {"figure": place} if order else {"gold": gold, "verdict": said}
        query = case_query(column.key, **wanted)
        return _cell(counts[gold][said], row, agrees=said == gold, cases=query)

    return HeatTable(
        name=f"{column.name}, {dict(ORDERS)[order]}" if order else column.name,
        heads=VERDICTS,
        without_gold=count_text(column.block["no_gold"], "pair"),
        **_grid(GOLD, VERDICTS, counts, cell),
    )


def _classes(column: Column, counts: Payload) -> HeatTable:
    def cell(gold: str, kind: str) -> HeatCell:
        query = case_query(column.key, gold=gold, consistency=kind)
        row = sum(counts[gold].values())
        return _cell(counts[gold][kind], row, agrees=False, cases=query)

    return HeatTable(
        name=column.name,
        heads=tuple(kind.replace("_", " ") for kind in CLASSES),
        without_gold="",
        foot="All",
        **_grid((*GOLD, "none"), CLASSES, counts, cell),
    )


def _grid(
    golds: tuple[str, ...],
    kinds: tuple[str, ...],
    counts: Payload,
    cell: Callable[[str, str], HeatCell],
) -> dict[str, Any]:
    """Rows, and the totals below them."""
    totals = [sum(counts[gold][kind] for gold in golds) for kind in kinds]
    rows = tuple(
        HeatRow(
            gold.replace("none", "no gold"),
            tuple(cell(gold, kind) for kind in kinds),
            f"{sum(counts[gold][kind] for kind in kinds):,}",
        )
        for gold in golds
    )
    return {
        "rows": rows,
        "totals": tuple(f"{total:,}" for total in totals),
        "total": f"{sum(totals):,}",
    }


def _cell(count: int, total: int, *, agrees: bool, cases: str) -> HeatCell:
    share = count / total if total else 0.0
    tint = min(int(share * TINTS), TINTS - 1)
    text = f"{percent_number(share)} %" if total else NOT_DEFINED
    return HeatCell(f"{count:,}", text, tint, agrees, cases if count else "")
