"""The pages of rulings and corrections, for leads and auditors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from annotation.models import (
    Case,
    Exposure,
    GoldSet,
    Guideline,
    RulingRequest,
)
from annotation.services.adjudicating import Opinion, adjudicate
from config.accounts.roles import Role
from tests.annotation.court import AGREED, DISPUTE, T, label, pairs_of
from tests.annotation.factory import START, make_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from config.accounts.models import User


@pytest.fixture
def gold_set(make_user: Callable[..., Any]) -> GoldSet:
    gold_set = make_set(cases=4, title="Replies", question="Which helps more?")
    people = [make_user(f"labeller{n}", Role.REVIEWER) for n in range(3)]
    label(gold_set, people, [DISPUTE, DISPUTE, AGREED, AGREED], note="Left is brief.")
    Guideline.objects.create(
        gold_set=gold_set,
        version=1,
        text="Facts *first*.",
        digest="g",
        created_at=START,
    )
    return gold_set


@pytest.fixture
def ruled(gold_set: GoldSet, adjudicator: User) -> GoldSet:
    adjudicate(
        pair=pairs_of(gold_set)[0],
        opinion=Opinion(T, "bad_case", "Broken prompt."),
        by=adjudicator,
        now=START,
    )
    return gold_set


@pytest.mark.parametrize("who", ["lead", "auditor"])
def test_leads_and_auditors_read_the_chains(
    who: str,
    ruled: GoldSet,
    request: pytest.FixtureRequest,
    client_of: Callable[[User], Client],
) -> None:
    client = client_of(request.getfixturevalue(who))
    page = client.get(f"/gold-sets/{ruled.name}/rulings/")
    text = " ".join(page.content.decode().split())
    assert page.status_code == 200
    assert "chain verified" in text
    assert "<strong>open → tie</strong> by adjudicator" in text
    assert "Broken prompt." in text
    assert Exposure.objects.filter(user__username=who).count() == 2
    held_out = client.get(f"/gold-sets/{ruled.name}/rulings/?split=held_out")
    assert "Broken prompt." not in held_out.content.decode()
    assert client.get("/gold-sets/none/rulings/").status_code == 404


def test_held_out_rulings_are_shown_to_who_asks_for_the_look(
    ruled: GoldSet, lead_client: Client
) -> None:
    Case.objects.filter(gold_set=ruled).update(split="held_out")
    address = f"/gold-sets/{ruled.name}/rulings/?split=held_out"

    asked = lead_client.get(address)
    assert asked.status_code == 200
    text = " ".join(asked.content.decode().split())
    assert "Broken prompt." not in text
    assert "Why do you look?" in text
    assert "Take the look and show the held-out rulings" in text
    lead_client.post(address, {"reason": " "})
    assert GoldSet.objects.get().held_out_seen_at is None

    shown = lead_client.post(address, {"reason": "an audit"})
    assert "Broken prompt." in shown.content.decode()
    assert GoldSet.objects.get().held_out_seen_at is not None
    again = lead_client.get(address)
    assert again.status_code == 200
    assert "Broken prompt." in again.content.decode()


def correction(**data: str) -> dict[str, str]:
    return {
        "pairs": "case-0002",
        "controls": "case-0003",
        "category": "gold_wrong",
        "note": "Doubt.",
    } | data


def test_a_lead_sends_pairs_to_correction(
    lead_client: Client, gold_set: GoldSet
) -> None:
    path = f"/gold-sets/{gold_set.name}/corrections/"
    assert "Nothing was sent" in lead_client.get(path).content.decode()
    reply = lead_client.post(path, correction(), follow=True)
    text = reply.content.decode()
    assert "2 pairs wait to be ruled on" in text
    assert "0 of 2" in text
    assert RulingRequest.objects.count() == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"controls": ""}, "required"),
        ({"pairs": "case-0002\ncase-0000"}, "at least as many controls"),
        ({"pairs": "case-0001"}, "no gold to correct"),
        ({"pairs": "nowhere"}, "nowhere: there is no such case"),
        ({"category": "bad_case"}, "valid choice"),
    ],
)
def test_a_refused_correction_keeps_what_was_typed(
    change: dict[str, str], said: str, lead_client: Client, gold_set: GoldSet
) -> None:
    path = f"/gold-sets/{gold_set.name}/corrections/"
    reply = lead_client.post(path, correction(**change))
    assert reply.status_code == 400
    assert said in reply.content.decode()
    assert "Doubt." in reply.content.decode()
    assert not RulingRequest.objects.exists()


@pytest.mark.parametrize("who", ["reviewer", "adjudicator", "auditor", "outsider"])
def test_only_leads_send_to_correction(
    who: str,
    gold_set: GoldSet,
    request: pytest.FixtureRequest,
    client_of: Callable[[User], Client],
) -> None:
    client = client_of(request.getfixturevalue(who))
    path = f"/gold-sets/{gold_set.name}/corrections/"
    assert client.get(path).status_code == 403
    assert client.post(path, correction()).status_code == 403
    if who != "auditor":
        assert client.get(f"/gold-sets/{gold_set.name}/rulings/").status_code == 403
