"""Every two reviewers, as a page and the text report show them."""

from __future__ import annotations

import pytest

from calibration.domain.jsonable import jsonable
from calibration.presenters.columns import Column
from calibration.presenters.reviewers import between_text, reviewer_sections
from tests.calibration.domain.test_between import built
from tests.calibration.factory import block_of


def column_of(told) -> Column:
    block = jsonable(block_of(built(told)))
    assert isinstance(block, dict)
    return Column("dev", "dev", block)


def section_of(told):
    (found,) = [
        one for one in reviewer_sections((column_of(told),)) if "between" in one.anchor
    ]
    return found


def test_two_reviewers_are_a_line_with_n_and_interval():
    section = section_of(["BB"] * 8 + ["BC"] * 2 + ["CB"] * 3 + ["CC"] * 7)
    (line,) = section.lines
    assert (line.label, line.about) == ("R1 and R2", "20 shared pairs")
    agreement, kappa = line.cells
    assert agreement.value == "75.0 %"
    assert kappa.value == "0.500"
    assert kappa.detail.startswith("20 cases; 95 % 0.1")


@pytest.mark.parametrize(("n", "more"), [(1, 19), (19, 1)])
def test_few_shared_pairs_are_told_in_words(n, more):
    told = ["BC", *["BB"] * (n - 1)]
    (line,) = section_of(told).lines
    assert line.cells[1].detail == f"not enough cases: {more} more needed"
    (row,) = column_of(told).block["between_reviewers"]
    assert between_text(row).endswith(f"(not enough cases: {more} more needed)")


def test_no_two_share_a_pair():
    found = reviewer_sections((column_of(["B-", "-C"]),))
    assert [one.anchor for one in found] == ["reviewers-dev"]


def test_an_older_report_has_no_such_table():
    block = dict(column_of(["BB"]).block)
    del block["between_reviewers"]
    found = reviewer_sections((Column("dev", "dev", block),))
    assert [one.anchor for one in found] == ["reviewers-dev"]
