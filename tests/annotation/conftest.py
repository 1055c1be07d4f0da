"""A set, a round and a reviewer's desk, ready to work at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.annotation.factory import Clock, Desk, make_round, make_set

if TYPE_CHECKING:
    from annotation.models import GoldSet, Round
    from config.accounts.models import User


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def gold_set(db: None) -> GoldSet:
    return make_set(cases=6)


@pytest.fixture
def round_(gold_set: GoldSet, reviewer: User, other_reviewer: User) -> Round:
    return make_round(gold_set, reviewer, other_reviewer, labels_per_pair=2)


@pytest.fixture
def desk(round_: Round, reviewer: User, clock: Clock) -> Desk:
    return Desk(round_, reviewer, clock)


@pytest.fixture
def other_desk(round_: Round, other_reviewer: User, clock: Clock) -> Desk:
    return Desk(round_, other_reviewer, clock)
