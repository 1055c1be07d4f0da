"""Claims in rounds so large that only a few ranks are tried at first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Assignment, Label, RoundMember
from annotation.services import claims
from annotation.services.progress import progress_of
from annotation.services.queue import AllDone
from tests.annotation.factory import Clock, Desk, make_round, make_set
from tests.queries import statements

if TYPE_CHECKING:
    from config.accounts.models import User

CASES = 12


@pytest.fixture
def desks(
    reviewer: User,
    other_reviewer: User,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> list[Desk]:
    """Two reviewers in a round that counts as large."""
    monkeypatch.setattr(claims, "FEW_SEATS", 1)
    gold_set = make_set(cases=CASES)
    round_ = make_round(gold_set, reviewer, other_reviewer, labels_per_pair=2)
    return [Desk(round_, one, clock) for one in (reviewer, other_reviewer)]


def test_everybody_gets_every_pair_once_and_then_nothing(desks: list[Desk]) -> None:
    for _ in range(CASES):
        for desk in desks:
            desk.submit(desk.claim())

    assert [desk.next() for desk in desks] == [AllDone(), AllDone()]
    assert Label.objects.count() == 2 * CASES
    for desk in desks:
        mine = Label.objects.filter(reviewer=desk.reviewer)
        assert mine.values("pair").distinct().count() == CASES
        orders = list(mine.values_list("order", flat=True))
        assert orders.count("baseline_first") == CASES // 2


def test_what_is_exhausted_is_looked_up_once_for_all_parts(desks: list[Desk]) -> None:
    """The worst case: all that is left of the round is what this person labelled."""
    desk, other = desks
    for _ in range(CASES - 1):
        desk.submit(desk.claim())
    kept = other.claim()
    while kept.pair_id in Label.objects.values_list("pair_id", flat=True):
        other.submit(kept)
        kept = other.claim()

    with CaptureQueriesContext(connection) as queries:
        found = desk.next()

    looks = [q["sql"] for q in queries if "MIN(" in q["sql"]]
    assert len(looks) == 1
    assert not isinstance(found, AllDone)


def test_nothing_left_is_not_counted(desks: list[Desk]) -> None:
    desk, _ = desks
    for _ in range(CASES):
        desk.submit(desk.claim())
    assert not isinstance(desk.next(), Assignment)
    member = RoundMember.objects.get(reviewer=desk.reviewer)
    member.round = desk.round

    with CaptureQueriesContext(connection) as queries:
        found = progress_of(member, now=desk.clock.now, nothing_left=True)

    assert (found.mine, found.waiting, found.labelled) == (CASES, 0, CASES)
    assert len(statements(queries)) == 1
