"""From /api/v1/ on, every address is given by the reply before it."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from annotation.models import Label, Round, Seat, Skip
from annotation.services.gold_sets import add_guideline
from annotation.services.rounds import close_round
from tests.annotation.api.test_labelling import api_of
from tests.annotation.court import AGREED, DISPUTE, label
from tests.annotation.factory import Clock, Desk, make_round, make_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from rest_framework.test import APIClient

    from config.accounts.models import User

INDEX = "http://testserver/api/v1/"


def door(doors: list[dict[str, Any]], last: str, method: str) -> str:
    """The one address that ends so and takes this method."""
    (found,) = (
        one["url"]
        for one in doors
        if one["url"].endswith(last) and method in one["methods"]
    )
    return str(found)


def names(doors: list[dict[str, Any]]) -> set[str]:
    return {one["url"].rsplit("/", 1)[-1] for one in doors}


def rounds_of(api: APIClient) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = api.get(
        door(api.get(INDEX).json(), "/rounds/", "GET")
    ).json()
    return found


def test_a_reviewer_walks_from_the_index_to_the_end(
    reviewer: User, other_reviewer: User
) -> None:
    round_ = make_round(make_set(cases=4), reviewer, now=timezone.now())
    make_round(make_set(cases=1), other_reviewer, now=timezone.now())
    api = api_of(reviewer)
    [row] = rounds_of(api)
    assert names(row["doors"]) == {"next", "labels", "guideline"}
    labels = door(row["doors"], "/labels", "GET")

    found = api.post(door(row["doors"], "/next", "POST")).json()
    held = door(found["pair"]["doors"], f"/{found['pair']['token']}/", "GET")
    again = api.get(held).json()
    assert (again["pair"], again["label"]) == (found["pair"], None)
    api.put(door(found["pair"]["doors"], "/draft", "PUT"), {"note": "so far"})
    assert api.get(held).json()["pair"]["draft"]["note"] == "so far"
    found = api.post(door(found["pair"]["doors"], "/skip", "POST")).json()
    while found["state"] == "pair":
        url = door(found["pair"]["doors"], "/label", "POST")
        found = api.post(url, {"choice": "first"}).json()["next"]
    assert (Label.objects.count(), Skip.objects.count()) == (3, 1)

    first = api.get(labels).json()["results"][0]
    opened = api.get(first["url"]).json()
    assert names(opened["pair"]["doors"]) == {"", "label", "draft"}  # never skipped now
    change = {"choice": "tie", "revision": opened["pair"]["revision"]}
    changed = api.post(door(opened["pair"]["doors"], "/label", "POST"), change)
    assert changed.json()["saved"]["revision"] == 2

    close_round(round_=round_, by=None, now=timezone.now())
    [row] = rounds_of(api)
    assert (row["open"], row["progress"]) == (False, None)
    assert names(row["doors"]) == {"labels"}
    assert len(api.get(labels).json()["results"]) == 3


def test_what_is_new_in_the_guideline_is_confirmed_by_its_door(reviewer: User) -> None:
    gold_set = make_set(cases=2)
    add_guideline(gold_set=gold_set, text="One.", by=None, now=timezone.now())
    make_round(gold_set, reviewer, now=timezone.now())
    api = api_of(reviewer)
    [row] = rounds_of(api)
    following = door(row["doors"], "/next", "POST")
    api.post(following)
    add_guideline(gold_set=gold_set, text="Two.", by=None, now=timezone.now())
    asked = api.post(following).json()
    assert asked["state"] == "guideline"
    read = door(row["doors"], "/guideline", "POST")
    api.post(read, {"version": asked["change"]["version"]})
    assert api.post(following).json()["state"] == "pair"


def test_a_lead_walks_to_every_round_and_member(lead: User, reviewer: User) -> None:
    round_ = make_round(make_set(cases=2), reviewer, now=timezone.now())
    api = api_of(lead)
    [row] = rounds_of(api)
    below = {"", "close", "reopen", "balance"}
    assert names(row["doors"]) == below  # a lead labels in no round that is not theirs
    progress = api.get(row["led"]["url"]).json()
    assert {*names(progress["doors"])} == below
    assert door(progress["doors"], "/members/", "POST")
    assert api.get(door(row["doors"], "/balance", "GET")).status_code == 200
    [member] = progress["members"]
    assert api.delete(member["url"]).json()["members"][0]["removed_at"]
    closed = api.post(door(progress["doors"], "/close", "POST")).json()
    assert (closed["url"], closed["closed_at"] is None) == (row["led"]["url"], False)
    assert Round.objects.get(pk=round_.pk).closed_at is not None


def test_an_adjudicator_walks_through_the_disputes(
    adjudicator: User, make_user: Callable[..., User]
) -> None:
    people = [make_user(f"person {n}") for n in range(3)]
    label(make_set(cases=2, blind_first_ruling=True), people, [DISPUTE, AGREED])
    api = api_of(adjudicator)
    found = api.post(door(api.get(INDEX).json(), "/adjudications/next", "POST")).json()
    assert names(found["pair"]["doors"]) == {"first", "back"}
    first = door(found["pair"]["doors"], "/first", "POST")
    pair = api.post(first, {"choice": "tie"}).json()
    assert names(pair["doors"]) == {"ruling", "back"}
    category = pair["categories"][0]["code"]
    body = {"choice": "tie", "category": category, "note": "Both."}
    ruled = api.post(door(pair["doors"], "/ruling", "POST"), body)
    assert ruled.json()["next"]["state"] == "done"


@pytest.mark.parametrize("how", ["taken", "given back", "closed", "exposed"])
def test_of_a_lost_pair_it_is_said_that_it_was_lost(
    how: str, reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    round_ = make_round(make_set(cases=1), reviewer, other_reviewer)
    desk = Desk(round_, reviewer, clock)
    held, api = desk.claim(), api_of(reviewer)
    url = f"/api/v1/assignments/{held.token}/"
    clock.pass_minutes(100)
    assert api.get(url).json()["pair"]["token"] == str(held.token), "nobody took it yet"
    if how == "taken":
        other = Desk(round_, other_reviewer, clock)
        other.submit(other.claim())
    elif how == "given back":
        api.post(f"{url}skip")
    elif how == "closed":
        close_round(round_=round_, by=None, now=clock.now)
    else:
        reviewer.exposures.create(
            pair_id=held.pair_id, kind="verdicts", seen_at=clock.now
        )
    refused = api.get(url)
    assert (refused.status_code, refused.json()["code"]) == (404, "assignment_unknown")
    assert refused.json()["message"].startswith(
        "This pair is not before you any more: you gave it back, your reservation"
    )
    page = f"/label/pairs/{held.token}/"
    client = api_of(reviewer, by="session")
    assert "not before you any more" in client.get(page).content.decode()


def test_a_pair_of_others_is_none_of_mine_and_one_that_i_hold_is_said_to_be(
    reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    round_ = make_round(make_set(cases=2), reviewer, other_reviewer)
    held = Desk(round_, reviewer, clock).claim()
    client = api_of(other_reviewer, by="session")
    for token in (held.token, uuid.uuid4()):
        refused = client.get(f"/api/v1/assignments/{token}/")
        assert refused.status_code == 404
        assert refused.json()["message"] == "There is no such pair of yours."
    mine = api_of(reviewer, by="session").get(f"/label/pairs/{held.token}/")
    assert mine.status_code == 404
    assert "it is still before you" in mine.content.decode()
    assert Seat.objects.filter(reviewer=reviewer).count() == 1
