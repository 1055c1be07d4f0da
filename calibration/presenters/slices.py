"""Slices as a table for each split: every slice has its row, however small."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calibration.presenters.cells import Cell, share

if TYPE_CHECKING:
    from calibration.presenters.columns import Column, Payload

RATES = (
    ("Agreement", "exact_agreement"),
    ("False candidate wins", "false_candidate_wins"),
    ("False baseline wins", "false_baseline_wins"),
    ("Flips", "flip_rate"),
    ("Invalid", "invalid_rate"),
)


@dataclass(frozen=True, slots=True)
class SliceRow:
    """One value of one slice key."""

    label: str
    n: str
    without_gold: str
    small: bool
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class SliceGroup:
    """The values of one key."""

    key: str
    rows: tuple[SliceRow, ...]


@dataclass(frozen=True, slots=True)
class SliceTable:
    """The slices of one split."""

    name: str
    heads: tuple[str, ...]
    groups: tuple[SliceGroup, ...]
    any_small: bool


def slice_tables(columns: tuple[Column, ...]) -> tuple[SliceTable, ...]:
    """One table a column; critical pairs come first."""
    return tuple(_table(column) for column in columns)


def _table(column: Column) -> SliceTable:
    block = column.block
    critical = SliceGroup("critical", (_row("critical pairs", block["critical"]),))
    groups = [
        SliceGroup(key, tuple(_row(value, part) for value, part in values.items()))
        for key, values in block["slices"].items()
    ]
    heads = tuple(label for label, _ in RATES)
    every = (critical, *groups)
    small = any(row.small for group in every for row in group.rows)
    return SliceTable(column.name, heads, every, small)


def _row(label: str, part: Payload) -> SliceRow:
    return SliceRow(
        label=label,
        n=f"{part['n']:,}",
        without_gold=f"{part['no_gold']:,}",
        small=part["small"],
        cells=tuple(share(part[field]) for _, field in RATES),
    )
