"""A set's settings and guideline: leads change them, auditors read, others neither."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from annotation.models import GoldSet, Guideline, System
from tests.annotation.factory import make_set

if TYPE_CHECKING:
    from django.test import Client

    from config.accounts.models import User

GOOD = {
    "title": "Replies", "question": "Which helps?", "labels_per_pair": "2",
    "strength_wanted": "on", "critical_errors": "Invented action\nleak: Shows data",
    "ruling_categories": "too_long: Far too long", "blind_first_ruling": "on",
    "aliases-0": "old bot, bot 12 ,", "aliases-1": "",
    "family-0": " gpt ", "family-1": "",
}  # fmt: skip


@pytest.fixture
def gold_set(db: None) -> GoldSet:
    return make_set(cases=1, title="Before")


def page(name: str, gold_set: GoldSet) -> str:
    return reverse(f"annotation:{name}", args=[gold_set.name])


def test_a_lead_stores_the_settings(lead_client: Client, gold_set: GoldSet) -> None:
    reply = lead_client.post(page("set-options", gold_set), GOOD)
    assert reply.status_code == 302
    gold_set.refresh_from_db()

    assert (gold_set.title, gold_set.labels_per_pair) == ("Replies", 2)
    assert gold_set.strength_wanted
    assert gold_set.blind_first_ruling
    assert gold_set.critical_errors == [
        {"code": "invented_action", "label": "Invented action"},
        {"code": "leak", "label": "Shows data"},
    ]
    assert System.objects.get(gold_set=gold_set, name="v12").aliases == [
        "old bot", "bot 12",
    ]  # fmt: skip
    assert [one.family for one in gold_set.systems.order_by("position")] == ["gpt", ""]
    text = lead_client.get(page("set-options", gold_set)).content.decode()
    assert 'value="gpt"' in text
    assert "leak: Shows data" in text
    assert "old bot, bot 12" in text


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"labels_per_pair": "6"}, "less than or equal to 5"),
        ({"critical_errors": "a: x\na: y"}, "line 2: a occurs twice"),
        ({"critical_errors": "???"}, "line 1: "),
        ({"ruling_categories": "bad_case: B"}, "bad_case is there anyway"),
        ({"aliases-1": "x" * 121}, "at most 120 characters"),
    ],
)
def test_bad_settings_are_refused_in_words(
    change: dict[str, str], says: str, lead_client: Client, gold_set: GoldSet
) -> None:
    reply = lead_client.post(page("set-options", gold_set), GOOD | change)
    assert reply.status_code == 400
    assert says in reply.content.decode()
    gold_set.refresh_from_db()
    assert gold_set.title == "Before"


def test_a_lead_adds_versions_and_sees_what_changed(
    lead_client: Client, gold_set: GoldSet
) -> None:
    for text in ("# Facts\r\nold", "# Facts\r\nnew"):
        sent = {"text": text, "criteria": "Tone"}
        assert lead_client.post(page("guideline", gold_set), sent).status_code == 302
    shown = lead_client.get(page("guideline", gold_set)).content.decode()

    assert "<del>old</del>" in shown
    assert "<ins>new</ins>" in shown
    newest = Guideline.objects.get(version=2)
    assert newest.text == "# Facts\nnew"
    assert newest.criteria == [{"code": "tone", "label": "Tone"}]


@pytest.mark.parametrize("name", ["set-options", "guideline"])
def test_auditors_read_and_others_do_not_even(
    name: str,
    gold_set: GoldSet,
    auditor_client: Client,
    reviewer_client: Client,
    adjudicator_client: Client,
) -> None:
    url = page(name, gold_set)
    text = auditor_client.get(url).content.decode()
    assert 'type="submit">Store' not in text
    assert "Put it in force" not in text
    assert auditor_client.post(url, GOOD | {"text": "x"}).status_code == 403
    for client in (reviewer_client, adjudicator_client):
        assert client.get(url).status_code == 403
        assert client.post(url, GOOD | {"text": "x"}).status_code == 403
    gold_set.refresh_from_db()
    assert gold_set.title == "Before"
    assert not Guideline.objects.exists()


def api_of(user: User) -> Any:
    client = APIClient()
    client.force_login(user)
    return client


def test_the_api_changes_what_it_is_sent_and_nothing_else(
    lead: User, gold_set: GoldSet
) -> None:
    api, url = api_of(lead), reverse("api-set-options", args=[gold_set.name])
    errors = [{"code": "leak", "label": "Shows data"}]
    sent = {
        "critical_errors": errors,
        "aliases": {"v13": ["new bot"]},
        "families": {"v13": "claude"},
    }
    reply = api.patch(url, sent, format="json").json()

    assert reply["critical_errors"] == errors
    assert reply["aliases"] == {"v12": [], "v13": ["new bot"]}
    assert reply["families"] == {"v12": "", "v13": "claude"}
    assert reply["title"] == "Before"
    assert api.get(url).json() == reply
    wrong: list[Any] = [
        {"aliases": {"v99": []}}, {"labels_per_pair": 0}, {"families": {"v99": "gpt"}},
        {"families": {"v13": "x" * 121}},
    ]  # fmt: skip
    for bad in wrong:
        assert api.patch(url, bad, format="json").status_code == 400


def test_guideline_versions_by_api(lead: User, gold_set: GoldSet) -> None:
    api, url = api_of(lead), reverse("api-guidelines", args=[gold_set.name])
    sent = {"text": "Facts.\n", "criteria": [{"code": "tone", "label": "Tone"}]}
    first = api.post(url, sent, format="json").json()
    assert (first["version"], first["text"]) == (1, "Facts.\n")
    assert first.pop("notices") == []
    assert api.post(url, sent, format="json").json()["version"] == 1
    assert api.get(url).json() == [first]


@pytest.mark.parametrize("name", ["api-set-options", "api-guidelines"])
def test_the_api_lets_auditors_read_only_and_others_not_at_all(
    name: str, gold_set: GoldSet, auditor: User, reviewer: User, adjudicator: User
) -> None:
    url = reverse(name, args=[gold_set.name])
    assert api_of(auditor).get(url).status_code == 200
    for user in (auditor, reviewer, adjudicator):
        api = api_of(user)
        assert api.post(url, {"text": "x"}, format="json").status_code == 403
        assert api.patch(url, {"title": "x"}, format="json").status_code == 403
    assert api_of(reviewer).get(url).status_code == 403
