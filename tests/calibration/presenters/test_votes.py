"""Effective votes: never more than judges, and why where they were cut."""

from __future__ import annotations

from calibration.presenters.comparisons import votes_worth


def test_no_more_votes_than_judges() -> None:
    worth, more = votes_worth({"value": 2.2, "members": 2, "rho": -0.09})
    assert worth == "2.0"
    assert more.startswith(" The formula gives 2.2: errors on these pairs happen")
    assert more.endswith("more than 2 of 2 is not claimed.")


def test_fewer_are_told_as_they_are() -> None:
    assert votes_worth({"value": 1.46, "members": 3, "rho": 0.5}) == ("1.5", "")
    assert votes_worth({"value": 3.0, "members": 3, "rho": 0.0}) == ("3.0", "")
