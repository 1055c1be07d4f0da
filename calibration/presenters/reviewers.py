"""The judge against each reviewer, in words and as a table for each split."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calibration.presenters.case_links import CaseList, case_list
from calibration.presenters.cells import Cell, number, share
from calibration.presenters.figures import (
    count_text,
    p_text,
    percent,
    rounded,
)
from calibration.presenters.sections import Line, Section

if TYPE_CHECKING:
    from calibration.presenters.columns import Column, Payload

HEADS = (
    "Judge agrees with the reviewer",
    "Other reviewers agree with the reviewer",
    "Judge at least as close to the others",
    "Alt-test",
)


BETWEEN = ("Agreement", "Cohen's kappa")


def reviewer_sections(columns: tuple[Column, ...]) -> tuple[Section, ...]:
    """Two tables for each split in which it is known who said what."""
    return (*_against_the_judge(columns), *_between(columns))


def _between(columns: tuple[Column, ...]) -> tuple[Section, ...]:
    """Every two reviewers; none of reports made before they were compared."""
    about = (
        "On the pairs that both labelled; baseline, candidate, tie and abstain. Under "
        "20 of them kappa has no interval."
    )
    return tuple(
        Section(
            f"between-{column.key}",
            f"Reviewers with each other, {column.name}",
            about,
            BETWEEN,
            tuple(_two(column, row) for row in found),
        )
        for column in columns
        if (found := column.block.get("between_reviewers"))
    )


def _two(column: Column, row: Payload) -> Line:
    label = f"{row['one']} and {row['other']}"
    about = count_text(row["shared"], "shared pair")
    lists = (
        ("shared", "between_reviewers.shared", row["shared"]),
        ("differing", "between_reviewers.agreement", _rest(row["agreement"])),
    )
    found = _lists(column, lists, reviewer=row["one"], other=row["other"])
    return Line(label, about, (share(row["agreement"]), _kappa(row)), found)


def _rest(figure: Payload) -> int:
    return int((figure["denominator"] or 0) - (figure["numerator"] or 0))


def _lists(
    column: Column, lists: tuple[tuple[str, str, int], ...], **people: str
) -> tuple[CaseList, ...]:
    return tuple(
        case_list(name, column, count, figure=figure, **people)
        for name, figure, count in lists
        if count
    )


def _kappa(row: Payload) -> Cell:
    """Kappa, with what it lacks for an interval."""
    found = number(row["kappa"])
    if found.undefined or not row["needed"]:
        return found
    return Cell(found.value, f"not enough cases: {row['needed']:,} more needed")


def between_text(row: Payload) -> str:
    """Two reviewers in a line of the text report."""
    agreed, found = percent(row["agreement"]), _kappa(row)
    shared = count_text(row["shared"], "shared pair")
    kappa = f"{found.value} ({found.detail})" if found.detail else found.value
    return f"{row['one']} and {row['other']}: {agreed} of {shared}; kappa {kappa}"


def _against_the_judge(columns: tuple[Column, ...]) -> tuple[Section, ...]:
    return tuple(
        Section(
            f"reviewers-{column.key}",
            f"Judge against each reviewer, {column.name}",
            alt_test_text(column.block),
            HEADS,
            tuple(_line(column, row) for row in column.block["single_reviewers"]),
        )
        for column in columns
        if column.block.get("single_reviewers")
    )


def alt_test_text(block: Payload) -> str:
    """What the alt-test says: may the judge stand in for a reviewer?"""
    test = block["alt_test"]
    if test["undefined"]:
        return f"No alt-test: {test['undefined']}."
    said = "can stand in" if test["stands_in"] else "is not shown to stand in"
    return (
        f"Alt-test: the judge {said} for a reviewer; it holds against {test['won']} of "
        f"{test['reviewers']} (margin {rounded(test['epsilon'], 2)}, false discovery "
        f"rate {rounded(test['alpha'], 2)}, half of them needed)."
    )


def reviewer_text(row: Payload) -> str:
    """One reviewer in a line of the text report."""
    return (
        f"{row['reviewer']}: judge agrees {percent(row['judge_agreement'])} "
        f"({row['labels']:,} labels), others {percent(row['peer_agreement'])} "
        f"({row['shared']:,} shared)"
    )


def _line(column: Column, row: Payload) -> Line:
    tested = Cell("not tested", "", undefined=True)
    if row["adjusted"] is not None:
        tested = Cell(p_text(row["adjusted"]), "Benjamini-Yekutieli")
    figures = ("judge_agreement", "peer_agreement", "advantage")
    cells = (*(share(row[name]) for name in figures), tested)
    lists = (
        ("labelled", "single_reviewers.labels", row["labels"]),
        (
            "judge differs",
            "single_reviewers.judge_agreement",
            _rest(row["judge_agreement"]),
        ),
    )
    found = _lists(column, lists, reviewer=row["reviewer"])
    return Line(row["reviewer"], f"{row['labels']:,} labels", cells, found)
