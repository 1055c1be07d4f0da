"""A round that can't bring the labels its set wants says so, by every door."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from annotation.domain.round_notes import label_facts, label_notes, shortfalls
from tests.annotation.factory import make_round, make_set
from tests.annotation.views.test_rounds import FORM

if TYPE_CHECKING:
    from django.test import Client

    from config.accounts.models import User

FEWER = (
    "The round asks 2 labels of each pair, and the set wants 3: a pair that gets no "
    "others stays open with too few labels, and goes to no adjudicator even where its "
    "labels disagree."
)
ALONE = (
    "1 person belongs to it as it opens, and each labels a pair once: 2 labels of each "
    "pair need as many people."
)


@pytest.mark.parametrize(
    ("wanted", "asked", "people", "notes"),
    [
        (3, 2, 1, (FEWER, ALONE)),
        (3, 2, 2, (FEWER,)),
        (2, 2, 1, (ALONE,)),
        (2, 2, 2, ()),
        (1, 2, 3, ()),
        (2, 2, 0, ()),
    ],
)
def test_what_is_short_is_said(
    wanted: int, asked: int, people: int, notes: tuple[str, ...]
) -> None:
    found = label_facts(wanted=wanted, asked=asked, people=people)
    assert label_notes(found) == notes


def test_a_round_keeps_what_it_lacks(reviewer: User, other_reviewer: User) -> None:
    gold_set = make_set(labels_per_pair=3)
    two = make_round(gold_set, reviewer, labels_per_pair=2)
    assert shortfalls(two.selection) == (FEWER, ALONE)
    whole = make_round(
        make_set(labels_per_pair=2), reviewer, other_reviewer, labels_per_pair=2
    )
    assert shortfalls(whole.selection) == ()


def test_page_api_and_command_say_it(
    lead_client: Client, reviewer: User, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set(name="shop", labels_per_pair=3)
    form = FORM | {"reviewers": [reviewer.get_username()]}
    address = "/gold-sets/shop/rounds/new"
    counted = lead_client.post(address, form).content.decode()
    assert FEWER in counted
    assert ALONE in counted
    opened = lead_client.post(address, form | {"open": "1"}, follow=True)
    assert FEWER in opened.content.decode()
    sent = json.dumps({"name": "one", "labels_per_pair": 2})
    reply = lead_client.post(
        "/api/v1/gold-sets/shop/rounds/", sent, content_type="application/json"
    )
    assert FEWER in reply.json()["round"]["notes"]
    call_command("open_round", "shop", "two", labels_per_pair=2)
    assert FEWER in capsys.readouterr().out
