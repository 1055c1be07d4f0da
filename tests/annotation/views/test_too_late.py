"""Answers that come too late: refused in words, and not a letter of them lost."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from annotation.models import Draft, Label, Round, Seat
from annotation.services.round_members import remove_member
from annotation.services.rounds import close_round
from tests.annotation.api.test_labelling import (
    api_of,
    assert_refused,
    label_url,
    next_url,
    skip_url,
)
from tests.annotation.factory import make_round, make_set
from tests.annotation.views.test_labelling_more import DRAFT, answer, claim, url

if TYPE_CHECKING:
    from django.test import Client

    from config.accounts.models import User

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def round_(reviewer: User, other_reviewer: User) -> Round:
    return make_round(make_set(cases=3), reviewer, other_reviewer, now=timezone.now())


def leave(round_: Round, reviewer: User) -> None:
    remove_member(round_=round_, reviewer=reviewer, now=timezone.now())


def my_labels(client: Client, round_: Round) -> str:
    reply = client.get(url("my-labels", round_.pk))
    assert reply.status_code == 200
    return " ".join(reply.content.decode().split())


def test_a_late_enter_in_another_tab_makes_no_vote_of_a_skip(
    reviewer_client: Client, round_: Round
) -> None:
    token = claim(reviewer_client, round_)
    skipped = reviewer_client.post(
        url("skip", round_.pk), {"token": token}, headers=HTMX
    )
    assert skipped.status_code == 200
    reply = answer(reviewer_client, round_, token, note="typed in the other tab")

    assert reply.status_code == 409
    text = reply.content.decode()
    assert "pair_skipped" in text
    assert "You gave this pair back before" in text
    assert not Label.objects.exists()
    page = my_labels(reviewer_client, round_)
    assert "typed in the other tab" in page
    assert "You gave this pair back." in page
    late = reviewer_client.post(DRAFT, {"token": token, "choice": "tie"})
    assert late.json()["reservation"] == "given_back"


def test_what_others_took_is_kept_even_if_no_draft_was(
    reviewer_client: Client, round_: Round, other_reviewer: User
) -> None:
    token = claim(reviewer_client, round_)
    Seat.objects.filter(assignments__token=token).update(
        reviewer=other_reviewer, available_at=None
    )
    reply = answer(reviewer_client, round_, token, note="written offline")
    assert reply.status_code == 409
    assert "kept under My labels" in reply.content.decode()
    page = my_labels(reviewer_client, round_)
    assert "written offline" in page
    assert "others took this pair" in page


def test_an_answer_from_elsewhere_wipes_out_nothing_that_was_written(
    reviewer_client: Client, round_: Round
) -> None:
    token = claim(reviewer_client, round_)
    said = {"token": token, "choice": "tie", "note": "long thoughts"}
    reviewer_client.post(DRAFT, said | {"confidence": "3"})
    close_round(round_=round_, by=None, now=timezone.now())
    reply = answer(reviewer_client, round_, token, choice="second")
    assert reply.status_code == 409
    kept = Draft.objects.get().content
    assert (kept["choice"], kept["note"], kept["confidence"]) == (
        "second", "long thoughts", 3,
    )  # fmt: skip


def test_who_was_taken_out_reads_why_and_what_they_wrote(
    reviewer_client: Client, reviewer: User, round_: Round
) -> None:
    done = claim(reviewer_client, round_)
    answer(reviewer_client, round_, done, note="a whole thought")
    held = claim(reviewer_client, round_)
    reviewer_client.post(DRAFT, {"token": held, "choice": "tie", "note": "first"})
    leave(round_, reviewer)

    kept = reviewer_client.post(
        DRAFT, {"token": held, "choice": "tie", "note": "a later thought"}
    )
    assert (kept.status_code, kept.json()["reservation"]) == (200, "removed")
    reply = answer(reviewer_client, round_, held, note="the last thought")
    assert reply.status_code == 409
    assert "member_removed" in reply.content.decode()
    assert "You were taken out of this round" in reply.content.decode()

    queue = reviewer_client.get(url("label", round_.pk))
    assert queue.status_code == 302
    assert queue.headers["Location"] == url("my-labels", round_.pk)
    page = my_labels(reviewer_client, round_)
    assert "You were taken out of this round" in page
    assert "a whole thought" in page
    assert "the last thought" in page
    assert "Open again" not in page
    assert url("label", round_.pk) + '"' not in page
    again = reviewer_client.get(url("reopen", done))
    assert again.status_code == 409
    assert Label.objects.count() == 1


def test_strangers_learn_no_more_than_before(
    reviewer_client: Client, round_: Round, adjudicator_client: Client
) -> None:
    token = claim(reviewer_client, round_)
    for address in (
        url("label", round_.pk),
        url("my-labels", round_.pk),
        url("reopen", token),
    ):
        assert adjudicator_client.get(address).status_code == 404
    assert adjudicator_client.post(DRAFT, {"token": token}).status_code == 404


def test_the_api_says_and_keeps_the_same(reviewer: User, round_: Round) -> None:
    api = api_of(reviewer)
    token = api.post(next_url(round_)).json()["pair"]["token"]
    assert api.post(skip_url(token)).status_code == 200
    said = {"choice": "first", "note": "late"}
    assert_refused(api.post(label_url(token), said), 409, "pair_skipped")
    held = api.post(next_url(round_)).json()["pair"]["token"]
    leave(round_, reviewer)

    for reply in (
        api.post(next_url(round_)),
        api.post(label_url(held), said | {"note": "later"}),
        api.post(skip_url(held)),
    ):
        assert_refused(reply, 409, "member_removed")
    draft = f"/api/v1/assignments/{held}/draft"
    kept = api.put(draft, said | {"note": "latest"})
    assert (kept.status_code, kept.json()["reservation"]) == (200, "removed")
    found: Any = api.get(f"/api/v1/rounds/{round_.pk}/labels").json()
    assert [(one["note"], one["why"]) for one in found["not_counted"]] == [
        ("latest", "removed"),
        ("late", "removed"),
    ]
    unknown = f"/api/v1/assignments/{uuid.uuid4()}/draft"
    assert_refused(api.put(unknown, said), 404, "assignment_unknown")


def test_home_leads_who_was_taken_out_to_their_labels(
    reviewer_client: Client, reviewer: User, round_: Round
) -> None:
    answer(reviewer_client, round_, claim(reviewer_client, round_), note="because")
    assert "taken out of" not in reviewer_client.get("/").content.decode()
    leave(round_, reviewer)
    page = reviewer_client.get("/").content.decode()
    assert "Rounds you were taken out of" in page
    assert url("my-labels", round_.pk) in page
    text = reviewer_client.get(url("my-labels", round_.pk)).content.decode()
    assert "because" in text
