"""The rounds API: the same things as the pages, for the same people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from annotation.models import Round
from annotation.services.aliases import reviewer_aliases
from config.accounts.roles import Role
from tests.annotation.factory import make_round, make_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from annotation.models import GoldSet
    from config.accounts.models import User
    from tests.annotation.factory import Desk


def send(client: Client, path: str, body: object = None) -> Any:
    return client.post(f"/api/v1{path}", body, content_type="application/json")


def test_a_lead_opens_watches_closes_and_reopens(
    lead_client: Client, gold_set: GoldSet, reviewer: User
) -> None:
    path = f"/gold-sets/{gold_set.name}/rounds/"
    body = {
        "name": "Spring",
        "labels_per_pair": 2,
        "reviewers": [reviewer.username],
        "sample": 3,
        "seed": "s",
        "retest_share": 1,
    }
    opened = send(lead_client, path, body)
    assert opened.status_code == 201
    round_ = Round.objects.get()
    found = opened.json()
    assert found["round"]["id"] == round_.pk
    assert found["total"] == {
        "name": "all", "seats": 6, "labelled": 0, "reserved": 0, "waiting": 6,
    }  # fmt: skip
    assert found["retests"] == {
        "name": "repeats", "seats": 3, "labelled": 0, "reserved": 0, "waiting": 3,
        "skipped": 0, "lost": 0,
    }  # fmt: skip
    assert found["members"][0]["username"] == reviewer.username
    assert round_.seed not in opened.content.decode()
    assert lead_client.get(f"/api/v1/rounds/{round_.pk}/").json() == found

    assert send(lead_client, f"/rounds/{round_.pk}/close").json()["closed_at"]
    again = send(lead_client, f"/rounds/{round_.pk}/close")
    assert (again.status_code, again.json()["code"]) == (409, "round_closed")
    reopened = send(lead_client, f"/rounds/{round_.pk}/reopen")
    assert reopened.json()["closed_at"] is None
    [listed] = lead_client.get(f"/api/v1{path}").json()
    assert listed == reopened.json()


def test_whoever_reads_all_lists_all_rounds(
    lead_client: Client,
    auditor_client: Client,
    client_of: Callable[[User], Client],
    outsider: User,
    gold_set: GoldSet,
    reviewer: User,
) -> None:
    first = make_round(gold_set, reviewer)
    second = make_round(make_set(cases=1, title="Another"))
    for client in (lead_client, auditor_client):
        found = client.get("/api/v1/rounds/").json()
        assert [one["id"] for one in found] == [second.pk, first.pk]
        for one in found:
            assert (one["blind"], one["progress"]) == (False, None)
            url = f"/api/v1/rounds/{one['id']}/"
            assert one["led"] == client.get(url).json()["round"]
    assert client_of(outsider).get("/api/v1/rounds/").status_code == 403


def test_a_lead_who_labels_finds_their_own_progress(
    make_user: Callable[..., User], client_of: Callable[[User], Client]
) -> None:
    both = make_user("both", Role.LEAD, Role.REVIEWER)
    mine = make_round(make_set(cases=2), both, now=timezone.now())
    make_round(make_set(cases=1))
    theirs, own = client_of(both).get("/api/v1/rounds/").json()
    assert theirs["progress"] is None
    assert (own["id"], own["blind"]) == (mine.pk, False)
    assert own["progress"] == {
        "mine": 0, "waiting": 2, "reserved": 0, "labelled": 0, "seats": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"labels_per_pair": 6}, "invalid"),
        ({"which": "some"}, "invalid"),
        ({"reviewers": ["nobody"]}, "member_no_labeller"),
        ({"case_ids": ["nowhere"]}, "round_unknown_case"),
        ({"slice": {"key": "topic", "value": "none"}}, "round_empty"),
    ],
)
def test_a_round_that_cannot_be_is_refused(
    change: dict[str, object], code: str, lead_client: Client, gold_set: GoldSet
) -> None:
    path = f"/gold-sets/{gold_set.name}/rounds/"
    refused = send(lead_client, path, {"name": "Spring"} | change)
    assert (refused.status_code, refused.json()["code"]) == (400, code)
    assert not Round.objects.exists()


def test_members_are_added_and_removed(
    lead_client: Client, round_: Round, adjudicator: User, outsider: User
) -> None:
    path = f"/rounds/{round_.pk}/members/"
    name = {"username": adjudicator.username}
    added = send(lead_client, path, name).json()["members"]
    assert adjudicator.username in {one["username"] for one in added}
    refused = send(lead_client, path, {"username": outsider.username})
    assert refused.json()["code"] == "member_no_labeller"
    address = f"/api/v1{path}{adjudicator.username}"
    removed = lead_client.delete(address)
    [gone] = [
        one
        for one in removed.json()["members"]
        if one["username"] == adjudicator.username
    ]
    assert gone["removed_at"]
    assert lead_client.delete(address).status_code == 404


def test_the_balance_counts_labels_submitted(
    auditor_client: Client, desk: Desk
) -> None:
    desk.label_all()
    found = auditor_client.get(f"/api/v1/rounds/{desk.round.pk}/balance").json()
    [overall] = [row for row in found["rows"] if row["kind"] == "overall"]
    assert overall == {
        "kind": "overall",
        "name": "all labels",
        "baseline_first": 3,
        "candidate_first": 3,
        "difference": 0,
        "p_value": 1.0,
        "adjusted": 1.0,
        "verdict": "even",
    }
    people = [row["name"] for row in found["rows"] if row["kind"] == "reviewer"]
    assert people == [*reviewer_aliases(desk.round.gold_set).values()]
    [repeats] = [row for row in found["rows"] if row["kind"] == "repeats"]
    assert (repeats["p_value"], repeats["verdict"]) == (None, "not_enough")


PATHS = ("rounds/{}/", "rounds/{}/balance", "gold-sets/{}/rounds/")


@pytest.mark.parametrize("name", ["reviewer", "adjudicator", "outsider"])
def test_who_labels_learns_nothing_of_how_it_is_led(
    name: str,
    request: pytest.FixtureRequest,
    client_of: Callable[[User], Client],
    round_: Round,
) -> None:
    client = client_of(request.getfixturevalue(name))
    for path in PATHS:
        filled = path.format(round_.gold_set.name if "sets" in path else round_.pk)
        assert client.get(f"/api/v1/{filled}").status_code == 403
    for act in ("close", "reopen", "members/"):
        assert send(client, f"/rounds/{round_.pk}/{act}").status_code == 403


def test_an_auditor_changes_nothing(auditor_client: Client, round_: Round) -> None:
    assert auditor_client.get(f"/api/v1/rounds/{round_.pk}/").status_code == 200
    for act in ("close", "reopen", "members/"):
        assert send(auditor_client, f"/rounds/{round_.pk}/{act}").status_code == 403
    path = f"/gold-sets/{round_.gold_set.name}/rounds/"
    assert send(auditor_client, path, {"name": "x"}).status_code == 403
