"""A reservation that ran out is told where the reviewer comes back, with their text."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from annotation.models import Round, Seat
from annotation.services.rounds import close_round
from tests.annotation.api.test_labelling import api_of, next_url
from tests.annotation.factory import make_round, make_set
from tests.annotation.views.test_labelling_more import DRAFT, claim, url

if TYPE_CHECKING:
    from django.test import Client

    from config.accounts.models import User

pytestmark = pytest.mark.django_db
TOLD = "1 answer that you began here did not become a label"


@pytest.fixture
def round_(reviewer: User, other_reviewer: User) -> Round:
    """A round of one pair that wants one label."""
    people = (reviewer, other_reviewer)
    return make_round(make_set(cases=1), *people, now=timezone.now())


def page(client: Client, address: str) -> str:
    return " ".join(client.get(address).content.decode().split())


def lose(client: Client, round_: Round, other: User, **said: str) -> None:
    """Claim, write, and have another person give every label that is wanted."""
    token = claim(client, round_)
    client.post(DRAFT, {"token": token, **said})
    Seat.objects.filter(round=round_).update(reviewer=other, available_at=None)


def test_it_is_told_on_the_done_page_and_at_home(
    reviewer_client: Client, round_: Round, other_reviewer: User
) -> None:
    lose(reviewer_client, round_, other_reviewer, choice="tie", note="my lost words")
    mine = url("my-labels", round_.pk)
    for address in (url("label", round_.pk), "/"):
        text = page(reviewer_client, address)
        assert TOLD in text
        assert f'href="{mine}"' in text
    assert "my lost words" in page(reviewer_client, mine)


def test_it_is_told_by_the_api(
    reviewer: User, reviewer_client: Client, round_: Round, other_reviewer: User
) -> None:
    lose(reviewer_client, round_, other_reviewer, note="mine")
    found = api_of(reviewer).post(next_url(round_)).json()
    assert (found["state"], found["unsent"]) == ("done", 1)
    others = api_of(other_reviewer).post(next_url(round_)).json()
    assert (others["state"], others["unsent"]) == ("done", 0)


def test_while_a_pair_may_come_free_and_after_the_round_was_closed(
    reviewer_client: Client, round_: Round, other_reviewer: User
) -> None:
    lose(reviewer_client, round_, other_reviewer, note="mine")
    Seat.objects.filter(round=round_).update(
        available_at=timezone.now() + timedelta(minutes=5)
    )
    text = page(reviewer_client, url("label", round_.pk))
    assert "Nothing free right now" in text
    assert TOLD in text
    close_round(round_=round_, by=None, now=timezone.now())
    assert TOLD in page(reviewer_client, url("label", round_.pk))


def test_nothing_is_told_of_a_pair_on_which_nothing_was_written(
    reviewer_client: Client, round_: Round, other_reviewer: User
) -> None:
    lose(reviewer_client, round_, other_reviewer)
    for address in (url("label", round_.pk), "/"):
        assert "did not become" not in page(reviewer_client, address)


def test_nothing_is_told_of_a_pair_that_they_gave_back_themselves(
    reviewer_client: Client, round_: Round
) -> None:
    token = claim(reviewer_client, round_)
    reviewer_client.post(DRAFT, {"token": token, "choice": "tie", "note": "unsure"})
    reviewer_client.post(url("skip", round_.pk), {"token": token})
    for address in (url("label", round_.pk), "/"):
        assert "did not become" not in page(reviewer_client, address)


class TestHome:
    def test_a_round_with_a_pair_to_label_is_offered(
        self, reviewer_client: Client, round_: Round
    ) -> None:
        assert "Start labelling" in page(reviewer_client, "/")
        claim(reviewer_client, round_)  # held by them, so that none is waiting
        assert "Start labelling" in page(reviewer_client, "/")

    def test_one_without_is_not(
        self, reviewer_client: Client, round_: Round, other_reviewer: User
    ) -> None:
        Seat.objects.filter(round=round_).update(
            reviewer=other_reviewer, available_at=None
        )
        text = page(reviewer_client, "/")
        assert "Start labelling" not in text
        assert "Nothing left for you." in text

    def test_one_whose_pairs_others_hold_may_be_asked_again(
        self, reviewer_client: Client, client_of, round_: Round, other_reviewer: User
    ) -> None:
        claim(client_of(other_reviewer), round_)
        text = page(reviewer_client, "/")
        assert "Start labelling" not in text
        assert "See when one is free" in text
