"""The adjudication API: what the page shows, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient

from annotation.domain.outcomes import Order, SlotChoice, outcome_of
from annotation.models import Adjudication, Case, Exposure, GoldSet, Hearing
from annotation.services.adjudicating import Opinion, adjudicate
from config.accounts.roles import Role
from tests.annotation.court import AGREED, DISPUTE, T, label, pairs_of
from tests.annotation.factory import START, make_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from config.accounts.models import User

BASE = "/api/v1/adjudications/"
SAID = {"choice": "first", "category": "bad_case", "note": " Broken. "}


@pytest.fixture
def gold_set(make_user: Callable[..., Any]) -> GoldSet:
    gold_set = make_set(cases=4, question="Which helps more?")
    people = [make_user(f"labeller{n}", Role.REVIEWER) for n in range(3)]
    label(gold_set, people, [DISPUTE, DISPUTE, AGREED, AGREED], note="Mine.")
    return gold_set


def api_of(user: User) -> APIClient:
    client = APIClient()
    key = Token.objects.create(user=user).key
    client.credentials(HTTP_AUTHORIZATION=f"Token {key}")
    return client


@pytest.fixture
def api(adjudicator: User) -> APIClient:
    return api_of(adjudicator)


def following(api: APIClient) -> Any:
    return api.post(f"{BASE}next").json()


def rule(api: APIClient, token: object, **change: str) -> Any:
    return api.post(f"{BASE}{token}/ruling", SAID | change, format="json")


def test_next_gives_the_pair_and_its_labels(api: APIClient, gold_set: GoldSet) -> None:
    found = following(api)
    pair = found["pair"]
    assert found["state"] == "pair"
    assert found["waiting"] == {"free": 2, "with_others": 0, "mine": 0}
    assert {pair["left"], pair["right"]} == {"Reply 0 to it.", "Reply 1 to it."}
    assert sorted(one["letter"] for one in pair["labels"]) == ["A", "B", "C"]
    assert {one["note"] for one in pair["labels"]} == {"Mine."}
    assert {one["sides"] for one in pair["labels"]} == {"same", "swapped"}
    assert len(pair["categories"]) == 5
    assert set(pair) == {
        "token", "question", "guideline", "guideline_version", "prompt", "context",
        "reference", "left", "right", "categories", "labels", "doors",
    }  # fmt: skip
    assert following(api)["pair"]["token"] == pair["token"]


def test_a_ruling_brings_history_and_next(api: APIClient, gold_set: GoldSet) -> None:
    token = following(api)["pair"]["token"]
    reply = rule(api, token)
    stored = Adjudication.objects.get()
    order = Order(Hearing.objects.get(token=token).order)
    assert stored.outcome == outcome_of(SlotChoice.FIRST, order).value
    assert stored.note == " Broken. "
    (only,) = reply.json()["history"]
    assert (only["by"], only["choice"], only["before"]) == ("you", "first", None)
    assert reply.json()["next"]["pair"]["token"] != token
    assert api.get(f"{BASE}{token}/history").json() == reply.json()["history"]
    assert rule(api, token).json()["history"] == reply.json()["history"]


def test_the_last_one_ends_with_done(api: APIClient, gold_set: GoldSet) -> None:
    rule(api, following(api)["pair"]["token"])
    last = rule(api, following(api)["pair"]["token"]).json()["next"]
    assert (last["state"], last["pair"]) == ("done", None)
    assert last["waiting"]["mine"] == 2


def test_others_hold_the_rest(
    api: APIClient, gold_set: GoldSet, make_user: Callable[..., Any]
) -> None:
    for name in ("one", "two"):
        following(api_of(make_user(name, Role.ADJUDICATOR)))
    found = following(api)
    assert (found["state"], found["pair"]) == ("wait", None)
    assert found["wait_until"] is not None


def test_the_loser_of_a_race_gets_a_code(
    api: APIClient, gold_set: GoldSet, lead: User
) -> None:
    token = following(api)["pair"]["token"]
    pair = Hearing.objects.get().pair
    opinion = Opinion(T, "bad_case", "First.")
    adjudicate(pair=pair, opinion=opinion, by=lead, now=START)
    reply = rule(api, token)
    assert (reply.status_code, reply.json()["code"]) == (409, "ruling_raced")


def test_a_first_ruling_shows_the_labels(api: APIClient, gold_set: GoldSet) -> None:
    GoldSet.objects.update(blind_first_ruling=True)
    pair = following(api)["pair"]
    assert pair["labels"] is None
    url = f"{BASE}{pair['token']}/first"
    assert len(api.post(url, {"choice": "tie"}).json()["labels"]) == 3
    assert api.post(url, {"choice": "first"}).status_code == 409
    (past,) = rule(api, pair["token"]).json()["history"]
    assert past["first_choice"] == "tie"


def test_give_back(api: APIClient, gold_set: GoldSet) -> None:
    token = following(api)["pair"]["token"]
    following_token = api.post(f"{BASE}{token}/back").json()["pair"]["token"]
    assert following_token != token


@pytest.mark.parametrize(
    "change", [{"choice": "left"}, {"note": ""}, {"category": "gold_wrong"}]
)
def test_bad_rulings(change: dict[str, str], api: APIClient, gold_set: GoldSet) -> None:
    reply = rule(api, following(api)["pair"]["token"], **change)
    assert reply.status_code == 400
    assert set(reply.json()) == {"code", "message", "detail"}


def test_tokens_of_others_are_unknown(
    api: APIClient, gold_set: GoldSet, make_user: Callable[..., Any]
) -> None:
    token = following(api_of(make_user("one", Role.ADJUDICATOR)))["pair"]["token"]
    for one in (token, uuid4()):
        assert rule(api, one).status_code == 404
        assert api.get(f"{BASE}{one}/history").status_code == 404


@pytest.mark.parametrize("who", ["reviewer", "lead", "auditor", "outsider"])
def test_only_adjudicators(
    who: str, gold_set: GoldSet, request: pytest.FixtureRequest
) -> None:
    api = api_of(request.getfixturevalue(who))
    assert api.post(f"{BASE}next").status_code == 403
    assert rule(api, uuid4()).status_code == 403


def test_leads_read_chains_page_by_page(
    gold_set: GoldSet, lead: User, adjudicator: User
) -> None:
    for pair in pairs_of(gold_set)[:3]:
        opinion = Opinion(T, "bad_case", "So.")
        adjudicate(pair=pair, opinion=opinion, by=adjudicator, now=START)
    held_out = pairs_of(gold_set)[2]
    Case.objects.filter(pk=held_out.case_id).update(split="held_out")
    api = api_of(lead)
    url = f"/api/v1/gold-sets/{gold_set.name}/rulings/"
    first = api.get(url, {"page_size": 1}).json()
    (chain,) = first["results"]
    assert (chain["case_id"], chain["problems"]) == ("case-0000", [])
    assert chain["rulings"][0]["by"] == "adjudicator"
    assert chain["rulings"][0]["before"] is None
    assert Exposure.objects.filter(user=lead).count() == 2
    (second,) = api.get(first["next"]).json()["results"]
    assert second["case_id"] == "case-0001"
    assert GoldSet.objects.get().held_out_seen_at is None
    needed = api.get(f"{url}held-out/")
    assert (needed.status_code, needed.json()["code"]) == (409, "look_needed")
    assert GoldSet.objects.get().held_out_seen_at is None
    asked = {"look_reason": "an audit"}
    (closed,) = api.post(f"{url}held-out/", asked).json()["results"]
    assert api.get(f"{url}held-out/").json()["results"] == [closed]
    assert (closed["case_id"], closed["rulings"][0]["before"]) == (
        "case-0002",
        "candidate",
    )
    assert GoldSet.objects.get().held_out_seen_at is not None


def test_leads_send_corrections(gold_set: GoldSet, lead: User) -> None:
    url = f"/api/v1/gold-sets/{gold_set.name}/corrections/"
    body = {
        "pairs": ["case-0002"],
        "controls": ["case-0003"],
        "category": "label_slip",
        "note": "Doubt.",
    }
    api = api_of(lead)
    few = api.post(url, body | {"controls": []}, format="json")
    assert (few.status_code, few.json()["code"]) == (400, "too_few_controls")
    reply = api.post(url, body, format="json")
    assert reply.status_code == 201
    assert (reply.json()["corrections"], reply.json()["controls"]) == (1, 1)
    again = api.post(url, body, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "already_requested")


@pytest.mark.parametrize("who", ["reviewer", "adjudicator", "auditor", "outsider"])
def test_others_send_none(
    who: str, gold_set: GoldSet, request: pytest.FixtureRequest
) -> None:
    api = api_of(request.getfixturevalue(who))
    assert (
        api.post(f"/api/v1/gold-sets/{gold_set.name}/corrections/").status_code == 403
    )
    reads = api.get(f"/api/v1/gold-sets/{gold_set.name}/rulings/").status_code
    assert reads == (200 if who == "auditor" else 403)
