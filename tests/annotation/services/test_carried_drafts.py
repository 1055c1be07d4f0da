"""Who gets a lost pair again finds what they wrote, on the sides where it belongs."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.domain.outcomes import Order
from annotation.models import Assignment, Draft
from annotation.services.carried_drafts import carry, earlier_draft
from annotation.services.drafting import draft_of, save_draft
from annotation.services.queue import skip
from annotation.services.unsent import unsent_drafts
from config.db.plain import run_together
from tests.annotation.factory import Clock, Desk, make_round, make_set

if TYPE_CHECKING:
    from django.test import Client

    from config.accounts.models import User

SAID: dict[str, Any] = {
    "choice": "first", "strength": 2, "note": "my lost words", "confidence": 3,
    "abstain_reason": "", "critical": {"first": ["invented"], "second": []},
    "criteria": {"tone": "second", "facts": "tie"},
}  # fmt: skip
SWAPPED = SAID | {
    "choice": "second",
    "critical": {"second": ["invented"], "first": []},
    "criteria": {"tone": "first", "facts": "tie"},
}


def keep(desk: Desk, assignment: Assignment, **said: Any) -> None:
    save_draft(
        token=str(assignment.token),
        reviewer=desk.reviewer,
        content=SAID | said,
        active_seconds=30.0,
        now=desk.clock.now,
    )


@pytest.fixture
def desks(reviewer: User, other_reviewer: User, clock: Clock) -> tuple[Desk, Desk]:
    clock.now = timezone.now() - timedelta(hours=1)  # pages go by the real time
    gold_set = make_set(cases=1)
    round_ = make_round(gold_set, reviewer, other_reviewer, now=clock.now)
    return Desk(round_, reviewer, clock), Desk(round_, other_reviewer, clock)


def lost_and_free_again(desks: tuple[Desk, Desk]) -> Assignment:
    """The first reviewer writes and loses the pair, and the second gives it back."""
    desk, other = desks
    held = desk.claim()
    keep(desk, held)
    desk.clock.pass_minutes(31)
    taken = other.claim()
    assert desk.next() != held
    skip(token=str(taken.token), reviewer=other.reviewer, now=desk.clock.now)
    return held


def test_a_draft_comes_with_the_pair(desks: tuple[Desk, Desk]) -> None:
    desk, _ = desks
    lost = lost_and_free_again(desks)
    again = desk.claim()
    assert (again.token != lost.token, again.order) == (True, lost.order)
    draft = draft_of(again)
    assert draft is not None
    assert (draft.content, draft.active_seconds) == (SAID, 30.0)
    assert Draft.objects.count() == 1
    assert not unsent_drafts(round_id=desk.round.pk, reviewer=desk.reviewer)
    desk.submit(again)
    assert not Draft.objects.exists()


def test_it_says_the_same_of_the_same_text_on_the_other_side(desk: Desk) -> None:
    first = desk.claim()
    keep(desk, first)
    swapped = Assignment.objects.get(pk=first.pk)
    swapped.order = Order(first.order).opposite.value
    [found] = run_together([earlier_draft(swapped)])
    carry(swapped, found)
    draft = draft_of(swapped)
    assert draft is not None
    assert draft.content == SWAPPED


def test_nobody_gets_the_words_of_another(desks: tuple[Desk, Desk]) -> None:
    desk, other = desks
    held = desk.claim()
    keep(desk, held)
    desk.clock.pass_minutes(31)
    assert draft_of(other.claim()) is None
    assert draft_of(held) is not None


def test_the_page_has_it_at_once(
    desks: tuple[Desk, Desk], reviewer_client: Client
) -> None:
    lost_and_free_again(desks)
    address = reverse("annotation:label", args=[desks[0].round.pk])
    assert "my lost words" in reviewer_client.get(address).content.decode()
    assert "my lost words" in reviewer_client.get(address).content.decode()


def test_the_api_has_it_at_once(
    desks: tuple[Desk, Desk], reviewer_client: Client
) -> None:
    lost_and_free_again(desks)
    address = f"/api/v1/rounds/{desks[0].round.pk}/next"
    found = reviewer_client.post(address).json()["pair"]["draft"]
    assert (found["note"], found["active_seconds"]) == ("my lost words", 30.0)


def test_a_repeat_asks_anew(reviewer: User, clock: Clock) -> None:
    """What was written to change the first answer is not put before the second."""
    round_ = make_round(make_set(cases=30), reviewer, retest_share=0.4)
    desk = Desk(round_, reviewer, clock)
    repeats = 0
    while isinstance(found := desk.next(), Assignment):
        assert draft_of(found) is None
        repeats += found.seat.retest_of_id is not None
        desk.submit(found)
        clock.pass_minutes(1)
        keep(desk, found)
    assert repeats > 0
