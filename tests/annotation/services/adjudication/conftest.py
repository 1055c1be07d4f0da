"""Labellers, disputes, and adjudicators at work on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from config.accounts.roles import Role
from tests.annotation.court import AGREED, DISPUTE, SPLIT, A, B, Bench, C, T, label

if TYPE_CHECKING:
    from collections.abc import Callable

    from annotation.models import GoldSet
    from config.accounts.models import User
    from tests.annotation.factory import Clock


@pytest.fixture
def people(make_user: Callable[..., Any]) -> list[User]:
    return [make_user(f"labeller{n}", Role.REVIEWER) for n in range(4)]


@pytest.fixture
def bench(adjudicator: User, clock: Clock) -> Bench:
    return Bench(adjudicator, clock)


@pytest.fixture
def second(make_user: Callable[..., Any], clock: Clock) -> Bench:
    return Bench(make_user("second", Role.ADJUDICATOR), clock)


@pytest.fixture
def disputed(gold_set: GoldSet, people: list[User]) -> GoldSet:
    """Three disputes (the second the worst), a majority, all agreed, and too few."""
    label(gold_set, people, [(B, C, T), (B, C, T, A), AGREED, DISPUTE, SPLIT, (B, C)])
    return gold_set
