"""Nobody discloses a round without knowing it, and nobody an open one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Exposure, GoldSet, GoldVersion, Pair, Round
from annotation.services.adjudicating import Opinion, adjudicate
from config.accounts.roles import Role
from tests.annotation.court import AGREED, B, T, give, label, pairs_of
from tests.annotation.factory import START, make_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from config.accounts.models import User


@pytest.fixture
def people(make_user: Callable[..., Any]) -> list[User]:
    return [make_user(f"labeller{n}", Role.REVIEWER) for n in range(3)]


@pytest.fixture
def gold_set(people: list[User], adjudicator: User) -> GoldSet:
    """Two pairs that were ruled on before anybody labelled them, and two that agree."""
    gold_set = make_set(cases=4, name="shop")
    for pair in pairs_of(gold_set)[:2]:
        adjudicate(
            pair=pair,
            opinion=Opinion(T, "bad_case", f"Ruled on {pair.case.external_id}."),
            by=adjudicator,
            now=START,
        )
    return gold_set


@pytest.fixture
def closed(gold_set: GoldSet, people: list[User]) -> Round:
    return label(gold_set, people, [(B, B, B), (), AGREED, AGREED])


def labelled_again(gold_set: GoldSet, person: User) -> Round:
    """An open round with a label on the second pair."""
    round_ = label(gold_set, [], [], closed=False)
    give(round_, pairs_of(gold_set)[1], person, B, 0)
    return round_


PAGE = "/gold-sets/shop/rulings/"
API = "/api/v1/gold-sets/shop/rulings/"


def test_the_page_asks_before_it_shows_labels_for_the_first_time(
    lead_client: Client, closed: Round
) -> None:
    asked = lead_client.get(PAGE).content.decode()
    assert "This discloses labels for the first time" in asked
    assert closed.name in asked
    assert "Ruled on" not in asked
    closed.refresh_from_db()
    assert closed.disclosed_at is None
    assert not Exposure.objects.filter(user__username="lead").exists()

    # Another round than the one that is at stake is no answer.
    other = lead_client.post(PAGE, {"round": [str(closed.pk + 1), "x"]})
    assert "Ruled on" not in other.content.decode()
    shown = lead_client.post(PAGE, {"round": str(closed.pk)}).content.decode()
    assert "Ruled on case-0000." in shown
    assert Round.objects.filter(pk=closed.pk, disclosed_at__isnull=False).exists()
    assert "Ruled on case-0000." in lead_client.get(PAGE).content.decode()


def test_the_api_names_the_rounds_and_wants_them_named(
    auditor_client: Client, closed: Round
) -> None:
    refused = auditor_client.get(API)
    assert (refused.status_code, refused.json()["code"]) == (409, "would_disclose")
    detail = refused.json()["detail"]
    assert detail == {"rounds": [{"id": closed.pk, "name": closed.name}]}
    closed.refresh_from_db()
    assert closed.disclosed_at is None
    shown = auditor_client.get(API, {"disclose": closed.pk})
    assert shown.status_code == 200
    assert len(shown.json()["results"]) == 2
    closed.refresh_from_db()
    assert closed.disclosed_at is not None


def test_pairs_of_an_open_round_are_left_out_and_it_stays_undisclosed(
    lead_client: Client, gold_set: GoldSet, people: list[User]
) -> None:
    round_ = labelled_again(gold_set, people[0])
    text = lead_client.get(PAGE).content.decode()
    assert "Ruled on case-0000." in text
    assert "Ruled on case-0001." not in text
    assert "1 pair is left out: being labelled in" in text
    assert round_.name in text
    [chain] = lead_client.get(API).json()["results"]
    assert chain["case_id"] == "case-0000"
    round_.refresh_from_db()
    assert round_.disclosed_at is None
    seen = Exposure.objects.filter(user__username="lead")
    second = Pair.objects.get(case__external_id="case-0001")
    assert not seen.filter(pair=second).exists()


def test_gold_is_not_frozen_while_people_label(
    lead_client: Client, gold_set: GoldSet, people: list[User]
) -> None:
    round_ = labelled_again(gold_set, people[0])
    page = "/gold-sets/shop/gold/"
    assert (
        f"People still label in “{round_.name}”"
        in lead_client.get(page).content.decode()
    )
    rule = {"rule": gold_set.consensus_rule, "leave_open": "on"}
    refused = lead_client.post(page, rule)
    assert refused.status_code == 409
    assert round_.name in refused.content.decode()
    api = lead_client.post(
        "/api/v1/gold-sets/shop/gold/versions", {"leave_open": True},
        content_type="application/json",
    )  # fmt: skip
    assert (api.status_code, api.json()["code"]) == (409, "rounds_open")
    with pytest.raises(CommandError, match="close it before you freeze gold"):
        call_command("freeze_gold", "shop", "--leave-open")
    assert not GoldVersion.objects.exists()

    Round.objects.filter(pk=round_.pk).update(closed_at=START)
    assert lead_client.post(page, rule).status_code == 302
    round_.refresh_from_db()
    assert GoldVersion.objects.get().pairs == 4
    assert round_.disclosed_at is None  # nothing was shown


def test_a_round_without_a_label_keeps_nobody(
    lead_client: Client, gold_set: GoldSet
) -> None:
    label(gold_set, [], [], closed=False)
    rule = {"rule": gold_set.consensus_rule, "leave_open": "on"}
    assert lead_client.post("/gold-sets/shop/gold/", rule).status_code == 302
