"""The adjudicator's page, with htmx and without, and who is refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from annotation.models import (
    Adjudication,
    GoldSet,
    Guideline,
    Hearing,
    Label,
    RulingHold,
)
from annotation.services.adjudicating import Opinion, adjudicate
from config.accounts.roles import Role
from tests.annotation.court import AGREED, DISPUTE, T, label
from tests.annotation.factory import START, make_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from config.accounts.models import User

HTMX = {"HX-Request": "true"}
PAGE = "/adjudicate/"


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


def act(client: Client, token: object, what: str, **data: Any) -> Any:
    headers = data.pop("headers", HTMX)
    return client.post(f"{PAGE}{token}/{what}", data, headers=headers)


def ruling(**data: Any) -> dict[str, Any]:
    return {"choice": "tie", "category": "bad_case", "note": "Both\r\nfail."} | data


def test_the_page_shows_pair_labels_and_form(
    adjudicator_client: Client, gold_set: GoldSet
) -> None:
    page = adjudicator_client.get(PAGE)
    text = page.content.decode()

    assert page.status_code == 200
    assert "no-store" in page.headers["Cache-Control"]
    assert text.index(">Left</h2>") < text.index(">Right</h2>")
    assert set(re.findall(r"Reply \d to it\.", text)) == {
        "Reply 0 to it.", "Reply 1 to it.",
    }  # fmt: skip
    assert re.findall(r'class="letter">(\w)<', text) == ["A", "B", "C"]
    assert text.count("Left is brief.") == 3
    assert "<em>first</em>" in text
    assert text.count("Saw the") == 3
    assert 'value="genuinely_close"' in text
    assert 'value="gold_wrong"' not in text


def test_the_first_slot_of_the_order_stands_left(
    adjudicator_client: Client, gold_set: GoldSet
) -> None:
    text = adjudicator_client.get(PAGE).content.decode()
    baseline_left = text.index("Reply 0 to it.") < text.index("Reply 1 to it.")
    assert baseline_left == (Hearing.objects.get().order == "baseline_first")


def test_swapped_labels_are_explained(
    adjudicator_client: Client, gold_set: GoldSet
) -> None:
    text = " ".join(adjudicator_client.get(PAGE).content.decode().split())
    here = Hearing.objects.get()
    swapped = Label.objects.filter(pair=here.pair).exclude(order=here.order)
    assert text.count("Saw the sides swapped") == swapped.count() > 0
    assert text.count("their left is your Right") == swapped.count()
    for row in swapped.filter(choice__in=["first", "second"]):
        said, mine = ("Left", "Right") if row.choice == "first" else ("Right", "Left")
        assert f"chose {said}, which is your {mine}" in text


def test_a_ruling_by_htmx_brings_history_and_the_next_pair(
    adjudicator_client: Client, gold_set: GoldSet
) -> None:
    adjudicator_client.get(PAGE)
    token = Hearing.objects.get().token
    reply = act(adjudicator_client, token, "rule", **ruling())
    text = " ".join(reply.content.decode().split())

    assert text.startswith('<div class="work" data-done="saved">')
    assert "all rulings on that pair (1)" in text
    assert "<strong>Tie</strong> by you" in text
    assert str(Hearing.objects.latest("pk").token) in text
    stored = Adjudication.objects.get()
    assert (stored.outcome, stored.note) == ("tie", "Both\nfail.")


def test_without_htmx_it_leads_to_the_history(
    adjudicator_client: Client, gold_set: GoldSet
) -> None:
    adjudicator_client.get(PAGE)
    token = Hearing.objects.get().token
    assert adjudicator_client.get(f"{PAGE}{token}/").status_code == 404
    reply: Any = act(adjudicator_client, token, "rule", headers={}, **ruling())
    assert reply.url == f"{PAGE}{token}/"
    text = adjudicator_client.get(reply.url).content.decode()
    assert "by you" in text
    assert "Reply 0 to it." in text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"choice": "left"}, "choice"),
        ({"category": "gold_wrong"}, "category"),
        ({"note": " "}, "note"),
        ({"note": ""}, "note"),
        ({"note": "x" * 20_001}, "note"),
    ],
)
def test_a_bad_ruling_says_which_field(
    change: dict[str, str], said: str, adjudicator_client: Client, gold_set: GoldSet
) -> None:
    adjudicator_client.get(PAGE)
    token = Hearing.objects.get().token
    reply = act(adjudicator_client, token, "rule", **ruling(**change))
    assert reply.status_code == 400
    assert f"{said}: " in reply.content.decode()
    assert not Adjudication.objects.exists()


def test_who_comes_second_is_told_that_the_text_is_kept(
    adjudicator_client: Client, gold_set: GoldSet, make_user: Callable[..., Any]
) -> None:
    adjudicator_client.get(PAGE)
    hearing = Hearing.objects.get()
    adjudicate(
        pair=hearing.pair,
        opinion=Opinion(T, "bad_case", "First."),
        by=make_user("faster", Role.ADJUDICATOR),
        now=START,
    )
    reply = act(adjudicator_client, hearing.token, "rule", **ruling())
    assert reply.status_code == 409
    text = reply.content.decode()
    assert "Your text is still here" in text
    assert "faster" not in text


def test_the_first_ruling_is_blind(
    adjudicator_client: Client, gold_set: GoldSet
) -> None:
    GoldSet.objects.update(blind_first_ruling=True)
    text = adjudicator_client.get(PAGE).content.decode()
    assert "First rule without the labels" in text
    assert "Left is brief." not in text
    assert 'class="letter"' not in text
    token = Hearing.objects.get().token
    assert act(adjudicator_client, token, "rule", **ruling()).status_code == 409
    reply = act(adjudicator_client, token, "first", choice="second")
    assert 'data-done="first"' in reply.content.decode()
    assert reply.content.decode().count("Left is brief.") == 3
    assert act(adjudicator_client, token, "first", choice="up").status_code == 400


def test_give_back_and_keep(adjudicator_client: Client, gold_set: GoldSet) -> None:
    adjudicator_client.get(PAGE)
    token = Hearing.objects.get().token
    assert act(adjudicator_client, token, "keep").json() == {"held": True}
    reply = act(adjudicator_client, token, "back")
    assert 'data-done="given back"' in reply.content.decode()
    assert act(adjudicator_client, token, "keep").json() == {"held": False}
    assert RulingHold.objects.get().hearing.token != token


def test_nothing_left(adjudicator_client: Client, adjudicator: User) -> None:
    assert "Nothing to rule on" in adjudicator_client.get(PAGE).content.decode()


def test_the_start_page_counts_what_waits(
    adjudicator_client: Client, reviewer_client: Client, gold_set: GoldSet
) -> None:
    text = adjudicator_client.get("/").content.decode()
    assert "2 waiting for you" in text
    assert f'href="{PAGE}"' in text
    assert "Pairs in dispute" not in reviewer_client.get("/").content.decode()


@pytest.mark.parametrize("who", ["reviewer", "lead", "auditor", "outsider"])
def test_only_adjudicators_adjudicate(
    who: str,
    gold_set: GoldSet,
    request: pytest.FixtureRequest,
    client_of: Callable[[User], Client],
) -> None:
    client = client_of(request.getfixturevalue(who))
    assert client.get(PAGE).status_code == 403
    token = "0190b1a2-0000-4000-8000-000000000000"
    for what in ("rule", "first", "back", "keep"):
        assert act(client, token, what, **ruling()).status_code == 403
    assert client.get(f"{PAGE}{token}/").status_code == 403
    assert not Hearing.objects.exists()


def test_who_is_not_signed_in_is_sent_to_the_login(client: Client, db: None) -> None:
    reply: Any = client.get(PAGE)
    assert reply.url == f"/login/?next={PAGE}"


def test_every_address_has_a_name() -> None:
    assert reverse("annotation:adjudicate") == PAGE
