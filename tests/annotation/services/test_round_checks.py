"""Opening a round says what the checks of its set left to settle, by every door."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from annotation.domain.round_notes import check_notes
from annotation.models import Case, Round
from annotation.services.hygiene import check_set
from annotation.services.round_checks import check_facts
from tests.annotation.factory import START
from tests.annotation.hygiene_rows import load, load_leaky, row
from tests.annotation.views.test_rounds import FORM

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
TO_SETTLE = "1 check has 3 findings to settle first."
LINK = '<a href="/gold-sets/shop/checks/">'


def test_a_set_never_looked_over_and_a_clean_one() -> None:
    clean = load(*(row(n) for n in range(6)))
    assert check_notes(check_facts(clean)) == (
        "The checks of the set have not been run before this round.",
    )
    check_set(gold_set=clean, by=None, now=START)
    assert check_facts(clean) == {}
    Case.objects.filter(gold_set=clean).update(split="dev")
    assert check_notes(check_facts(clean)) == (
        "The set was changed after its checks were run.",
    )


def test_page_and_count_say_it_with_the_way_there(lead_client: Client) -> None:
    check_set(gold_set=load_leaky(), by=None, now=START)
    address = "/gold-sets/shop/rounds/new"
    for page in (lead_client.get(address), lead_client.post(address, FORM)):
        assert TO_SETTLE in page.content.decode()
        assert LINK in page.content.decode()
    told = lead_client.post(address, FORM | {"open": "1"}, follow=True)
    assert TO_SETTLE in told.content.decode()
    assert Round.objects.get().selection["findings_to_settle"] == 3


def test_the_api_and_the_command_say_it(
    lead_client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    check_set(gold_set=load_leaky(), by=None, now=START)
    sent = json.dumps({"name": "one", "labels_per_pair": 3})
    reply = lead_client.post(
        "/api/v1/gold-sets/shop/rounds/", sent, content_type="application/json"
    )
    assert reply.status_code == 201, reply.content
    assert reply.json()["round"]["notes"] == [TO_SETTLE]
    call_command("open_round", "shop", "two")
    assert TO_SETTLE in capsys.readouterr().out
