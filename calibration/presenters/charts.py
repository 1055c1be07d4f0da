"""Which pictures a report has beside its tables: each says what its table says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calibration.presenters.case_links import case_query
from calibration.presenters.columns import FEW
from calibration.presenters.figures import count_text, exact_test_text
from calibration.presenters.forest import Given, figure_at, gaps_forest, rates_forest
from calibration.presenters.heat import class_tables
from calibration.presenters.sections import GAPS_IN_POINTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calibration.presenters.columns import Column, Payload
    from calibration.presenters.forest import Forest
    from calibration.presenters.sections import Section

OF_SLICES = (
    ("Exact agreement by slice", "exact_agreement", "exact_agreement"),
    (
        "False candidate wins by slice",
        "false_candidate_wins",
        "false_candidate_wins",
    ),
    ("Flips by slice", "flip_rate", "position.flip_rate"),
)
SLICES_ABOUT = f"Pale marks and grey rows: under {FEW} cases, which prove little."
PEOPLE = ("other reviewers", "the judge")


@dataclass(frozen=True, slots=True)
class Bar:
    """A part of a row; places and widths in percent."""

    kind: str
    x: str
    width: str
    text: str


@dataclass(frozen=True, slots=True)
class BarRow:
    """Counts of one column as parts of one bar."""

    label: str
    value: str
    text: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Bars:
    """Counts as bars; ``kinds`` are the parts in order, for the key."""

    title: str
    kinds: tuple[tuple[str, str], ...]
    rows: tuple[BarRow, ...]


def slice_forests(columns: tuple[Column, ...]) -> tuple[Forest, ...]:
    """Agreement, false wins and flips of every slice; none where there is none."""
    slices = _slices(columns)
    if not slices:
        return ()
    names = tuple(column.name for column in columns)
    return tuple(
        rates_forest(
            title, names, _slice_rows(columns, slices, field, path), SLICES_ABOUT
        )
        for title, field, path in OF_SLICES
    )


def _slices(columns: tuple[Column, ...]) -> list[tuple[str, str]]:
    """Every slice of any column, in the order of the tables."""
    found: dict[tuple[str, str], None] = {}
    for column in columns:
        for key, values in column.block["slices"].items():
            found |= dict.fromkeys((key, value) for value in values)
    return sorted(found, key=lambda named: named[0])


def _slice_rows(
    columns: tuple[Column, ...], slices: list[tuple[str, str]], field: str, path: str
) -> Iterator[Given]:
    whole = tuple(figure_at(column.block, path) for column in columns)
    yield Given("All pairs", whole, least=FEW)
    yield _given("critical pairs", [c.block["critical"] for c in columns], field)
    for key, value in slices:
        parts = [column.block["slices"].get(key, {}).get(value) for column in columns]
        yield _given(f"{key} = {value}", parts, field)


def _given(label: str, parts: list[Payload | None], field: str) -> Given:
    """A row whose rates say of themselves whether they rest on few pairs."""
    figures = tuple(part[field] if part is not None else None for part in parts)
    return Given(label, figures, least=FEW)


def with_charts(
    sections: tuple[Section, ...], columns: tuple[Column, ...], payload: Payload
) -> tuple[Section, ...]:
    """Give sections the pictures that they have."""
    return tuple(_with_chart(one, columns, payload) for one in sections)


def _with_chart(
    section: Section, columns: tuple[Column, ...], payload: Payload
) -> Section:
    if section.anchor == "reviewers":
        return replace(section, forest=ceiling(columns))
    if section.anchor == "position":
        tables = class_tables(columns)
        return replace(section, bars=slot_flips(columns), tables=tables)
    if section.anchor == "coherence":
        lists = tuple((each.name, case_query(each.key)) for each in columns)
        return replace(section, contradictions=lists)
    if section.anchor == "gap":  # there is one only where both splits are shown
        return replace(section, forest=gap_chart(payload))
    return section


def gap_chart(payload: Payload) -> Forest:
    """Dev less held-out, in points."""
    found = payload["comparison"]
    figures = [(label, found[key]) for label, key in GAPS_IN_POINTS if key in found]
    about = (
        "Right of 0: higher on dev. A bar that leaves out 0 shows a gap. "
        "Kappa, which is no share, is in the table only."
    )
    return gaps_forest("Dev less held-out, in points", figures, about)


def ceiling(columns: tuple[Column, ...]) -> Forest:
    """How far people agree with each other, and the judge with them."""
    rows: list[Given] = []
    for column in columns:
        human = column.block["human"]
        both = (human["pairwise_agreement"], human["judge_agreement"])
        rows.append(Given(f"All reviewers, {column.name}", both))
        rows += [
            Given(
                f"{one['reviewer']}, {column.name}",
                (one["peer_agreement"], one["judge_agreement"]),
            )
            for one in column.block.get("single_reviewers") or []
        ]
    about = "Agreement with the reviewers named on the left."
    return rates_forest("The reviewers' own agreement as ceiling", PEOPLE, rows, about)


def slot_flips(columns: tuple[Column, ...]) -> Bars:
    """Flips by the slot that they follow, one bar a column."""
    counts = [
        (one["first_slot_flips"], one["second_slot_flips"], one["slot_test"])
        for one in (column.block["position"] for column in columns)
    ]
    most = max((first + second for first, second, _ in counts), default=0) or 1
    rows = tuple(
        _slot_row(column.name, *found, most)
        for column, found in zip(columns, counts, strict=True)
    )
    kinds = (("first", "first slot both times"), ("second", "second slot both times"))
    return Bars("Flips by the slot they follow", kinds, rows)


def _slot_row(name: str, first: int, second: int, test: Payload, most: int) -> BarRow:
    share = 100 / most
    parts = (("first", 0.0, first), ("second", first * share, second))
    words = f"{count_text(first, 'flip')} to the first slot, {second:,} to the second"
    return BarRow(
        label=name,
        value=f"{first:,} / {second:,}",
        text=f"{words}; {exact_test_text(test)}",
        bars=tuple(
            Bar(kind, f"{x:.2f}%", f"{n * share:.2f}%", f"{n:,}")
            for kind, x, n in parts
            if n
        ),
    )
