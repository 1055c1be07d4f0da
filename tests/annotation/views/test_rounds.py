"""The rounds pages: who may, opening, members, closing, balance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from annotation.models import ExposureKind, Label, Round, RoundMember
from annotation.services.aliases import reviewer_aliases
from annotation.services.exposures import record_exposures
from config.accounts.roles import Role
from tests.annotation.factory import START, Clock, Desk, make_round

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from annotation.models import GoldSet
    from config.accounts.models import User

FORM = {
    "name": "Spring",
    "labels_per_pair": "2",
    "which": "all",
    "split": "",
    "slice": "",
    "case_ids": "",
    "minutes": "45",
    "retest_percent": "50",
    "designed_percent": "0",
    "seed": "seven",
}


def test_a_lead_counts_and_then_opens_a_round(
    lead_client: Client, gold_set: GoldSet, reviewer: User
) -> None:
    address = f"/gold-sets/{gold_set.name}/rounds/new"
    assert lead_client.get(address).status_code == 200
    form = FORM | {"sample": "4", "reviewers": [reviewer.username]}

    counted = lead_client.post(address, form)
    assert "<strong>4 pairs</strong>, 8 labels wanted" in counted.content.decode()
    assert not Round.objects.exists()
    opened = lead_client.post(address, form | {"open": "1"})
    round_ = Round.objects.get()
    assert opened.headers["Location"] == f"/rounds/{round_.pk}/"
    assert (round_.labels_per_pair, round_.reservation_minutes) == (2, 45)
    assert round_.selection["pairs"] == 4
    assert round_.selection["seed"] == "seven"
    assert round_.seats.filter(retest_wanted=True).count() == 4  # 2 pairs
    assert RoundMember.objects.get().reviewer == reviewer


def test_what_cannot_be_opened_says_why(lead_client: Client, gold_set: GoldSet) -> None:
    address = f"/gold-sets/{gold_set.name}/rounds/new"
    page = lead_client.post(address, FORM | {"case_ids": "case-0001\nnone", "open": 1})
    assert "the set has no pair of none" in page.content.decode()
    page = lead_client.post(address, FORM | {"labels_per_pair": "9"})
    assert "less than or equal to 5" in page.content.decode()
    assert not Round.objects.exists()


def test_the_round_page_tells_progress_and_warns(
    lead_client: Client,
    make_user: Callable[..., Any],
    gold_set: GoldSet,
    clock: Clock,
) -> None:
    both = make_user("both", Role.LEAD, Role.REVIEWER)
    ann = make_user("ann", Role.REVIEWER)
    round_ = make_round(gold_set, both, ann)
    desk = Desk(round_, ann, clock)
    desk.submit(desk.claim())
    page = lead_client.get(f"/rounds/{round_.pk}/").content.decode()

    assert "1 of 6 in" in page
    assert page.count("Not blind") == 1
    assert "Close the round" in page


def test_members_come_and_go_and_keep_their_labels(
    lead_client: Client, gold_set: GoldSet, reviewer: User, clock: Clock
) -> None:
    round_ = make_round(gold_set)
    name = {"username": reviewer.username}
    assert lead_client.post(f"/rounds/{round_.pk}/add", name).status_code == 302
    desk = Desk(round_, reviewer, clock)
    desk.submit(desk.claim())
    lead_client.post(f"/rounds/{round_.pk}/remove", name)

    assert Label.objects.count() == 1
    assert RoundMember.objects.get().removed_at is not None
    assert lead_client.post(f"/rounds/{round_.pk}/remove", name).status_code == 404


def test_only_labellers_can_be_added(
    lead_client: Client, round_: Round, outsider: User
) -> None:
    page = lead_client.post(f"/rounds/{round_.pk}/add", {"username": outsider.username})
    assert page.status_code == 400
    assert "nobody who holds the role" in page.content.decode()


def test_closing_and_reopening_until_something_was_shown(
    lead_client: Client, round_: Round, desk: Desk, adjudicator: User
) -> None:
    label = desk.submit(desk.claim())
    at = f"/rounds/{round_.pk}/"
    assert lead_client.post(f"{at}close").status_code == 302
    assert lead_client.post(f"{at}close").status_code == 409
    assert "Reopen the round" in lead_client.get(at).content.decode()
    assert lead_client.post(f"{at}reopen").status_code == 302
    lead_client.post(f"{at}close")
    record_exposures(
        user=adjudicator, pair_ids=[label.pair_id], kind=ExposureKind.LABELS, now=START
    )
    assert "Reopen the round" not in lead_client.get(at).content.decode()
    refused = lead_client.post(f"{at}reopen")
    assert refused.status_code == 409
    assert "t be reopened" in lead_client.get(at).content.decode()


def test_the_balance_page_says_when_it_is_not_enough(
    auditor_client: Client, desk: Desk
) -> None:
    address = f"/rounds/{desk.round.pk}/balance/"
    assert "not enough" in auditor_client.get(address).content.decode()
    desk.label_all()
    page = auditor_client.get(address).content.decode()
    assert "3 against 3; sign test, exact" in page
    assert ">even<" in page


def test_the_balance_page_names_reviewers_only_when_a_lead_asks(
    lead_client: Client, auditor_client: Client, desk: Desk
) -> None:
    desk.label_all()
    address = f"/rounds/{desk.round.pk}/balance/"
    name = desk.reviewer.shown_name
    page = lead_client.get(address).content.decode()
    [alias] = reviewer_aliases(desk.round.gold_set).values()
    assert f"Reviewer: {alias}</th>" in page
    assert "Show names" in page
    named = lead_client.post(address).content.decode()
    assert f"Reviewer: {alias}: {name}</th>" in named
    assert "Show names" not in auditor_client.get(address).content.decode()
    assert auditor_client.post(address).status_code == 403


READ = ("", "balance/")
WRITE = ("close", "reopen", "add", "remove")


@pytest.mark.parametrize("name", ["reviewer", "adjudicator", "outsider"])
def test_labellers_and_strangers_are_kept_out(
    name: str,
    request: pytest.FixtureRequest,
    client_of: Callable[[User], Client],
    round_: Round,
) -> None:
    client = client_of(request.getfixturevalue(name))
    for part in READ:
        assert client.get(f"/rounds/{round_.pk}/{part}").status_code == 403
    for part in WRITE:
        assert client.post(f"/rounds/{round_.pk}/{part}").status_code == 403
    new = f"/gold-sets/{round_.gold_set.name}/rounds/new"
    assert client.get(new).status_code == 403


def test_an_auditor_reads_and_changes_nothing(
    auditor_client: Client, round_: Round
) -> None:
    for part in READ:
        page = auditor_client.get(f"/rounds/{round_.pk}/{part}")
        assert page.status_code == 200
        assert "Close the round" not in page.content.decode()
    for part in WRITE:
        assert auditor_client.post(f"/rounds/{round_.pk}/{part}").status_code == 403
    new = f"/gold-sets/{round_.gold_set.name}/rounds/new"
    assert auditor_client.get(new).status_code == 403
