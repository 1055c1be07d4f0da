"""An adjudicator reads as a reviewer does, and sees what they said first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from annotation.models import GoldSet, Hearing
from config.accounts.roles import Role
from tests.annotation.court import DISPUTE, label
from tests.annotation.factory import make_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

HTMX = {"HX-Request": "true"}
PAGE = "/adjudicate/"


@pytest.fixture
def gold_set(make_user: Callable[..., Any]) -> GoldSet:
    gold_set = make_set(cases=2)
    people = [make_user(f"labeller{n}", Role.REVIEWER) for n in range(3)]
    label(gold_set, people, [DISPUTE, DISPUTE])
    return gold_set


@pytest.fixture
def token(adjudicator_client: Client, gold_set: GoldSet) -> str:
    adjudicator_client.get(PAGE)
    return str(Hearing.objects.get().token)


def texts(client: Client, token: str, view: str, **headers: str) -> Any:
    return client.get(f"{PAGE}{token}/texts?view={view}", headers=headers)


def test_other_views_of_the_texts(adjudicator_client: Client, token: str) -> None:
    page = adjudicator_client.get(PAGE).content.decode()
    assert '<pre class="written"' not in page
    assert page.count(f"{PAGE}{token}/texts?view=") == 6, "three links, with htmx too"
    raw = texts(adjudicator_client, token, "raw", **HTMX).content.decode()
    assert raw.count('<pre class="written" dir="auto">') == 3
    assert "Which response is better" not in raw, "the texts alone"
    diff = texts(adjudicator_client, token, "diff", **HTMX).content.decode()
    assert len(re.findall("<mark>", diff)) == 2


def test_the_view_is_remembered(adjudicator_client: Client, token: str) -> None:
    reply = texts(adjudicator_client, token, "raw")
    assert reply["Location"] == PAGE
    assert '<pre class="written"' in adjudicator_client.get(PAGE).content.decode()


def test_a_view_that_there_is_not(adjudicator_client: Client, token: str) -> None:
    assert texts(adjudicator_client, token, "sideways").status_code == 400


def test_nobody_else_reads_them(
    client_of: Callable[..., Client],
    make_user: Callable[..., Any],
    token: str,
    reviewer_client: Client,
    lead_client: Client,
    auditor_client: Client,
    client: Client,
) -> None:
    other = client_of(make_user("another", Role.ADJUDICATOR))
    assert texts(other, token, "raw", **HTMX).status_code == 404
    for refused in (reviewer_client, lead_client, auditor_client):
        assert texts(refused, token, "raw").status_code == 403
    assert texts(client, token, "raw")["Location"].startswith("/login/")


def test_the_own_first_ruling_stands_beside_the_labels(
    adjudicator_client: Client, gold_set: GoldSet
) -> None:
    GoldSet.objects.update(blind_first_ruling=True)
    own = "you, before you saw these"
    assert own not in adjudicator_client.get(PAGE).content.decode()
    token = Hearing.objects.get().token
    reply = adjudicator_client.post(
        f"{PAGE}{token}/first", {"choice": "second"}, headers=HTMX
    )
    card = re.search(
        r'<li class="label-card own">.*?</li>', reply.content.decode(), re.DOTALL
    )
    assert card is not None
    assert own in card[0]
    assert ">Right<" in card[0]


def test_without_a_first_ruling_there_is_no_such_card(
    adjudicator_client: Client, token: str
) -> None:
    page = adjudicator_client.get(PAGE).content.decode()
    assert "What the reviewers said" in page
    assert "label-card own" not in page
