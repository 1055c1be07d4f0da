"""Names of people that stay, whoever else joins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from annotation.domain import aliases
from annotation.domain.aliases import names_of

if TYPE_CHECKING:
    import pytest

NAME = re.compile(r"R-[0-9A-HJKMNP-TV-Z]{5}")


def test_a_name_follows_from_the_draw_alone() -> None:
    draws = {number: f"draw {number}" for number in range(200)}
    found = names_of(draws)
    assert all(NAME.fullmatch(name) for name in found.values())
    assert len({*found.values()}) == 200
    for number, draw in draws.items():
        assert names_of({"alone": draw}) == {"alone": found[number]}


def test_the_names_of_known_draws_are_pinned() -> None:
    """What was written into reports and files must not change."""
    assert names_of({1: "one", 2: "two"}) == {1: "R-DFC8Z", 2: "R-KQRB8"}


def test_two_with_one_code_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aliases, "_code", lambda draw: f"ABCDE{draw}")
    found = names_of({"later": "2", "first": "1", "last": "3"})
    assert found == {"first": "R-ABCDE", "later": "R-ABCDE2", "last": "R-ABCDE3"}
