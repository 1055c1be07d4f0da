"""Drafts, own labels, views of the texts and a changed guideline, page and API."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import Draft, GoldSet, GuidelineSeen, Label, Round
from annotation.services.gold_sets import add_guideline
from annotation.services.rounds import close_round
from tests.annotation.factory import make_round, make_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from config.accounts.models import User

HTMX = {"HX-Request": "true"}
DRAFT = reverse("annotation:draft")


@pytest.fixture
def round_(reviewer: User, other_reviewer: User) -> Round:
    return make_round(make_set(cases=3), reviewer, other_reviewer, now=timezone.now())


def url(name: str, *place: object) -> str:
    return reverse(f"annotation:{name}", args=place)


def token_in(page: Any) -> str:
    found = re.search(r'name="token" value="([^"]+)"', page.content.decode())
    assert found is not None, page.content.decode()
    return found[1]


def claim(client: Client, round_: Round) -> str:
    return token_in(client.get(url("label", round_.pk)))


def answer(client: Client, round_: Round, token: str, **said: Any) -> Any:
    body = {"token": token, "choice": "first"} | said
    return client.post(url("answer", round_.pk), body, headers=HTMX)


def test_a_draft_is_kept_and_fills_the_form(
    reviewer_client: Client, round_: Round
) -> None:
    GoldSet.objects.update(critical_errors=[{"code": "leak", "label": "Leak"}])
    token = claim(reviewer_client, round_)
    said = {
        "token": token, "choice": "second", "note": "half\r\na thought",
        "critical-second": "leak", "active": "4",
    }  # fmt: skip
    reply = reviewer_client.post(DRAFT, said)
    assert reply.json()["reservation"] == "held"
    assert Draft.objects.get().content["note"] == "half\na thought"

    text = reviewer_client.get(url("label", round_.pk)).content.decode()
    assert re.search(r'name="choice" value="second" checked', text)
    assert re.search(r'name="critical-second" value="leak" checked', text)
    assert "half\na thought</textarea>" in text
    assert 'data-active="4.0"' in text


@pytest.mark.parametrize(
    ("elapsed", "active", "stored"),
    [("3.5", "3.4", (3.5, 3.4)), ("3.5", "9", (9.0, 9.0)), ("", "9", (None, 9.0))],
)
def test_the_time_of_an_answer_is_at_least_the_work_in_it(
    reviewer_client: Client,
    round_: Round,
    elapsed: str,
    active: str,
    stored: tuple[float | None, float],
) -> None:
    token = claim(reviewer_client, round_)
    answer(reviewer_client, round_, token, elapsed=elapsed, active=active)
    label = Label.objects.get()
    assert (label.elapsed_seconds, label.active_seconds) == stored


@pytest.mark.parametrize(
    "said",
    [
        {"critical-first": "A B"}, {"criterion-<x>": "tie"}, {"criterion-tone": "left"},
        {"confidence": "4"}, {"choice": "left"}, {"note": "a\x00"}, {"active": "nan"},
    ],
)  # fmt: skip
def test_a_draft_of_what_nobody_could_say_is_refused(
    said: dict[str, str], reviewer_client: Client, round_: Round
) -> None:
    token = claim(reviewer_client, round_)
    assert reviewer_client.post(DRAFT, {"token": token} | said).status_code == 400
    assert not Draft.objects.exists()


def test_a_skipped_pair_has_no_draft(reviewer_client: Client, round_: Round) -> None:
    token = claim(reviewer_client, round_)
    reviewer_client.post(DRAFT, {"token": token, "choice": "tie"})
    reviewer_client.post(url("skip", round_.pk), {"token": token}, headers=HTMX)
    assert not Draft.objects.exists()


def test_my_labels_are_listed_and_opened_until_the_round_closes(
    reviewer_client: Client, round_: Round
) -> None:
    token = claim(reviewer_client, round_)
    answer(reviewer_client, round_, token, note="because", confidence="3")
    text = reviewer_client.get(url("my-labels", round_.pk)).content.decode()
    assert "because" in text
    assert url("reopen", token) in text

    again = reviewer_client.get(url("reopen", token))
    assert token_in(again) == token
    assert re.search(r'name="confidence" value="3" checked', again.content.decode())
    last = reviewer_client.get(url("my-last-label", round_.pk), headers=HTMX)
    assert token_in(last) == token
    assert 'name="revision" value="1"' in last.content.decode()
    answer(reviewer_client, round_, token, choice="tie", revision="1")
    assert Label.objects.latest("pk").revision == 2

    close_round(round_=round_, by=None, now=timezone.now())
    text = reviewer_client.get(url("my-labels", round_.pk)).content.decode()
    assert "revision 2" in text
    assert url("reopen", token) not in text
    closed = reviewer_client.get(url("reopen", token))
    assert closed.headers["Location"] == url("my-labels", round_.pk)
    partly = reviewer_client.get(url("reopen", token), headers=HTMX)
    assert partly.status_code == 409


@pytest.mark.parametrize("seen", ["0", "", "7"])
def test_a_stale_page_overwrites_nothing_and_keeps_what_it_says(
    seen: str, reviewer_client: Client, round_: Round
) -> None:
    token = claim(reviewer_client, round_)
    answer(reviewer_client, round_, token, choice="tie")
    reply = answer(
        reviewer_client, round_, token, choice="first", note="mine", revision=seen
    )

    text = reply.content.decode()
    assert reply.status_code == 409
    assert "label_changed" in text
    assert "kept as a draft" in text
    assert [label.choice for label in Label.objects.all()] == ["tie"]
    again = reviewer_client.get(url("reopen", token)).content.decode()
    assert 'name="revision" value="1"' in again
    assert ">mine</textarea>" in again
    answer(reviewer_client, round_, token, choice="first", note="mine", revision="1")
    assert Label.objects.latest("pk").note == "mine"
    assert not Draft.objects.exists()


def test_own_labels_of_a_closed_round_are_found_from_the_start_page(
    reviewer_client: Client, adjudicator_client: Client, round_: Round
) -> None:
    token = claim(reviewer_client, round_)
    answer(reviewer_client, round_, token, choice="abstain",
           abstain_reason="outside_expertise")  # fmt: skip
    mine = url("my-labels", round_.pk)
    assert mine not in reviewer_client.get("/").content.decode()
    close_round(round_=round_, by=None, now=timezone.now())
    assert mine in reviewer_client.get("/").content.decode()
    assert mine not in adjudicator_client.get("/").content.decode()
    text = reviewer_client.get(mine).content.decode()
    assert "Abstain: outside what I know" in text


@pytest.mark.parametrize(
    ("view", "shows"), [("rendered", "<p dir"), ("raw", "<pre"), ("diff", "<mark>")]
)
def test_the_texts_in_another_view_which_is_remembered(
    view: str, shows: str, reviewer_client: Client, round_: Round
) -> None:
    token = claim(reviewer_client, round_)
    where = f"{url('texts', token)}?view={view}"
    part = reviewer_client.get(where, headers=HTMX)
    assert part.content.decode().lstrip().startswith('<div id="texts"')
    assert shows in part.content.decode()
    page = reviewer_client.get(url("label", round_.pk)).content.decode()
    assert f'name="view" value="{view}"' in page
    assert reviewer_client.get(where).status_code == 302
    unknown = reviewer_client.get(f"{url('texts', token)}?view=x", headers=HTMX)
    assert unknown.status_code == 400


def test_what_changed_in_the_guideline_goes_before_the_next_pair(
    reviewer_client: Client, round_: Round, lead: User
) -> None:
    def publish(text: str) -> None:
        add_guideline(gold_set=round_.gold_set, text=text, by=lead, now=timezone.now())

    publish("old")
    token = claim(reviewer_client, round_)
    publish("new")
    reply = answer(reviewer_client, round_, token).content.decode()
    assert "The guideline has changed" in reply
    assert 'name="token"' not in reply
    assert Label.objects.get().guideline == round_.gold_set.guidelines.get(version=1)

    read = url("guideline-read", round_.pk)
    for version, status in (("1", 409), ("", 409), ("9" * 30, 409), ("2", 302)):
        sent = {"version": version}
        assert reviewer_client.post(read, sent).status_code == status
    assert GuidelineSeen.objects.count() == 2
    claim(reviewer_client, round_)


def test_all_of_it_is_for_the_one_reviewer_alone(
    reviewer_client: Client,
    client_of: Callable[[User], Client],
    other_reviewer: User,
    lead_client: Client,
    round_: Round,
) -> None:
    token = claim(reviewer_client, round_)
    answer(reviewer_client, round_, token)
    other = client_of(other_reviewer)
    pages = [url("reopen", token), f"{url('texts', token)}?view=raw"]
    for where in pages:
        assert other.get(where, headers=HTMX).status_code == 404
        assert lead_client.get(where, headers=HTMX).status_code == 403
    assert other.post(DRAFT, {"token": token}).status_code == 404
    assert lead_client.post(DRAFT, {"token": token}).status_code == 403
    assert lead_client.get(url("my-labels", round_.pk)).status_code == 403
    assert other.get(url("my-last-label", round_.pk)).status_code == 404


def test_the_api_does_the_same(reviewer_client: Client, round_: Round) -> None:
    api = f"/api/v1/rounds/{round_.pk}"
    json: Any = {"content_type": "application/json"}
    token = reviewer_client.post(f"{api}/next").json()["pair"]["token"]
    draft = f"/api/v1/assignments/{token}/draft"
    kept = reviewer_client.put(draft, {"choice": "tie", "note": "n"}, **json)
    assert kept.json()["reservation"] == "held"
    again = reviewer_client.post(f"{api}/next").json()["pair"]
    assert (again["draft"]["choice"], again["draft"]["note"]) == ("tie", "n")
    said = {"choice": "tie", "note": "n"}
    reviewer_client.post(f"/api/v1/assignments/{token}/label", said, **json)

    mine = reviewer_client.get(f"{api}/labels").json()
    assert [(row["token"], row["choice"]) for row in mine["results"]] == [
        (token, "tie")
    ]
    opened = reviewer_client.get(f"/api/v1/assignments/{token}/").json()
    assert (opened["pair"]["token"], opened["label"]["note"]) == (token, "n")
    assert opened["pair"]["draft"] is None


def test_the_api_tells_of_a_changed_guideline(
    reviewer_client: Client, round_: Round, lead: User
) -> None:
    api = f"/api/v1/rounds/{round_.pk}"
    found: Any = None
    for text in ("old", "new"):
        add_guideline(gold_set=round_.gold_set, text=text, by=lead, now=timezone.now())
        found = reviewer_client.post(f"{api}/next").json()
    assert found["state"] == "guideline"
    assert found["change"]["lines"] == [
        {"change": "removed", "text": "old"}, {"change": "added", "text": "new"},
    ]  # fmt: skip
    sent = {"version": found["change"]["version"]}
    read = reviewer_client.post(
        f"{api}/guideline", sent, content_type="application/json"
    )
    assert read.json() == {"version": 2}
    pair = reviewer_client.post(f"{api}/next").json()["pair"]
    assert pair["guideline"] == {"version": 2, "text": "new"}
