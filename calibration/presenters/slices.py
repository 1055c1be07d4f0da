"""Slices as a table for each split: every slice has its row, however small."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calibration.presenters.case_links import OF_SLICES, case_query, counted
from calibration.presenters.cells import Cell, share
from calibration.presenters.columns import few_pairs
from calibration.presenters.figures import count_text, p_text, rounded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calibration.presenters.columns import Column, Payload

RATES = (
    ("Agreement", "exact_agreement"),
    ("False candidate wins", "false_candidate_wins"),
    ("False baseline wins", "false_baseline_wins"),
    ("Flips", "flip_rate"),
    ("Invalid", "invalid_rate"),
)
FLAGS = (
    ("agreement_flag", "disagreement"),
    ("false_candidate_flag", "false candidate wins"),
)


@dataclass(frozen=True, slots=True)
class SliceRow:
    """One value of one slice key; each cell with the query of its cases, or ""."""

    label: str
    n: str
    without_gold: str
    small: bool
    cells: tuple[tuple[Cell, str, str], ...]
    flags: tuple[str, ...]
    cases: str


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
    row = _row("critical pairs", block["critical"], column.key, critical="on")
    critical = SliceGroup("critical", (row,))
    groups = [
        SliceGroup(
            key,
            tuple(
                _row(value, part, column.key, slice=f"{key}={value}")
                for value, part in values.items()
            ),
        )
        for key, values in block["slices"].items()
    ]
    heads = (*(label for label, _ in RATES), "Both orders")
    every = (critical, *groups)
    small = any(row.small for group in every for row in group.rows)
    return SliceTable(column.name, heads, every, small)


def _row(label: str, part: Payload, split: str, **chosen: str) -> SliceRow:
    """A slice; ``chosen`` says how the page of cases finds its pairs."""
    whole = case_query(split, **chosen)
    return SliceRow(
        label=label,
        n=f"{part['n']:,}",
        without_gold=f"{part['no_gold']:,}",
        small=few_pairs(part),
        cells=(
            *(
                (
                    share(part[field]),
                    case_query(split, **chosen, **OF_SLICES[field]),
                    f"{counted(part, field):,}",
                )
                for _, field in RATES
            ),
            _steady(part, split, **chosen),
        ),
        flags=tuple(flag_texts(part)),
        cases=whole,
    )


def _steady(part: Payload, split: str, **chosen: str) -> tuple[Cell, str, str]:
    """The classes, with the way to the pairs that are consistent."""
    count = (part.get("consistency") or {}).get("consistent", 0)
    query = case_query(split, **chosen, consistency="consistent")
    return _classes(part), query, f"{count:,}"


def _classes(part: Payload) -> Cell:
    """Pairs by what swapping the slots did; not known of older reports."""
    found = part.get("consistency")
    if found is None:
        return Cell("not counted", "", undefined=True)
    rest = (
        count_text(found["flip"], "flip"),
        count_text(found["tie_transition"], "tie transition"),
        count_text(found["abstain_transition"], "abstain transition"),
        f"{found['invalid']:,} invalid",
    )
    return Cell(f"{found['consistent']:,} consistent", ", ".join(rest))


def flag_texts(part: Payload) -> Iterator[str]:
    """What is shown to be worse here than in all pairs, or how many pairs it takes.

    Says nothing for reports made before there were flags.
    """
    for field, name in FLAGS:
        flag = part.get(field)
        if flag and flag["flagged"]:
            above = f"{rounded(100 * flag['limit'], 1)} % overall"
            yield f"{name} above the {above} ({p_text(flag['adjusted'])}, Holm)"
    wanting = (part.get("agreement_flag") or {}).get("needed")
    if wanting:
        yield f"not enough cases: {count_text(wanting, 'more scored pair')} needed"
