"""My labels over the API: what counts, what does not, and nothing of others' work."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone

from annotation.models import Label, Seat
from annotation.services.rounds import close_round
from tests.annotation.api.test_labelling import (
    api_of,
    assert_refused,
    label_url,
    next_url,
)
from tests.annotation.factory import make_round, make_set

if TYPE_CHECKING:
    from rest_framework.test import APIClient

    from annotation.models import Round
    from config.accounts.models import User

SAID = {"choice": "second", "note": "half a thought", "confidence": 2}


@pytest.fixture
def round_(reviewer: User, other_reviewer: User) -> Round:
    return make_round(make_set(cases=3), reviewer, other_reviewer, now=timezone.now())


@pytest.fixture
def api(reviewer: User) -> APIClient:
    return api_of(reviewer)


def labels_url(round_: Round) -> str:
    return f"/api/v1/rounds/{round_.pk}/labels"


def claim(api: APIClient, round_: Round) -> str:
    return str(api.post(next_url(round_)).json()["pair"]["token"])


def pages(api: APIClient, round_: Round) -> list[Any]:
    found, url = [], f"{labels_url(round_)}?page_size=1"
    while url:
        page = api.get(url).json()
        found.append(page)
        url = page["next"]
    return found


def cursor_of(address: str) -> str:
    return parse_qs(urlsplit(address).query)["cursor"][0]


def test_a_cursor_tells_nothing_of_how_much_others_label(
    api: APIClient, round_: Round
) -> None:
    for choice in ("first", "second", "tie"):
        api.post(label_url(claim(api, round_)), {"choice": choice})
    found = pages(api, round_)
    assert [page["results"][0]["choice"] for page in found] == [
        "tie", "second", "first",
    ]  # fmt: skip
    for page in found[:2]:
        encoded = cursor_of(page["next"]).partition(":")[0]
        position = parse_qs(base64.b64decode(encoded).decode())["p"][0]
        assert position[:10] == timezone.now().strftime("%Y-%m-%d")


@pytest.mark.parametrize("made", [b"p=220", b"p=abc", b"p=2026-11-30"])
def test_a_cursor_is_one_that_was_given(
    api: APIClient, round_: Round, made: bytes
) -> None:
    cursor = base64.b64encode(made).decode()
    for sent in (cursor, f"{cursor}:x", ""):
        reply = api.get(labels_url(round_), {"cursor": sent})
        assert_refused(reply, 404, "not_found")


def lose(api: APIClient, round_: Round, other: User) -> str:
    """Keep a draft of a pair, which others then take."""
    token = claim(api, round_)
    api.put(f"/api/v1/assignments/{token}/draft", SAID)
    seat = Seat.objects.get(assignments__token=token)
    seats = Seat.objects.filter(pair=seat.pair_id)
    seats.update(reviewer=other, available_at=None)
    seat.assignments.update(ended_at=timezone.now())
    return token


def test_what_did_not_count_is_listed_with_its_text(
    api: APIClient, round_: Round, other_reviewer: User
) -> None:
    assert api.get(labels_url(round_)).json()["not_counted"] == []
    token = lose(api, round_, other_reviewer)
    refused = api.post(label_url(token), {"choice": "second"})
    assert_refused(refused, 409, "pair_complete")

    found = api.get(labels_url(round_)).json()
    assert found["results"] == []
    [lost] = found["not_counted"]
    assert {name: lost[name] for name in SAID} == SAID
    assert (lost["token"], lost["prompt"][:6]) == (token, "Please")
    one = api.get(f"/api/v1/assignments/{token}/").json()
    assert one == {"pair": None, "label": None, "not_counted": lost}
    assert not Label.objects.exists()

    close_round(round_=round_, by=None, now=timezone.now())
    assert api.get(f"/api/v1/assignments/{token}/").json() == one
    other = api_of(other_reviewer)
    assert_refused(
        other.get(f"/api/v1/assignments/{token}/"), 404, "assignment_unknown"
    )
    assert other.get(labels_url(round_)).json().get("not_counted", []) == []


def test_a_pair_that_is_held_or_labelled_is_not_among_them(
    api: APIClient, round_: Round
) -> None:
    token = claim(api, round_)
    api.put(f"/api/v1/assignments/{token}/draft", SAID)
    assert api.get(labels_url(round_)).json()["not_counted"] == []
    held = api.get(f"/api/v1/assignments/{token}/").json()
    assert (held["pair"]["token"], held["label"], held["not_counted"]) == (
        token,
        None,
        None,
    )
    api.post(label_url(token), SAID)
    assert api.get(labels_url(round_)).json()["not_counted"] == []
    found = api.get(f"/api/v1/assignments/{token}/").json()
    assert (found["label"]["note"], found["not_counted"]) == ("half a thought", None)
