"""The reviewer's page, with htmx and without, and who is refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import Assignment, Guideline, Label, Round, Seat, Skip
from annotation.services.labelling import LONGEST_NOTE
from annotation.services.rounds import close_round
from tests.annotation.factory import make_round, make_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from config.accounts.models import User

HTMX = {"HX-Request": "true"}


@pytest.fixture
def round_(reviewer: User, other_reviewer: User) -> Round:
    return make_round(make_set(cases=2), reviewer, other_reviewer, now=timezone.now())


def url(name: str, round_: Round) -> str:
    return reverse(f"annotation:{name}", args=[round_.pk])


def shown_token(page: Any) -> str:
    found = re.search(r'name="token" value="([^"]+)"', page.content.decode())
    assert found is not None
    return found[1]


def send(client: Client, round_: Round, token: str, **data: Any) -> Any:
    name = data.pop("to", "answer")
    headers = data.pop("headers", HTMX)
    body = {"token": token, "choice": "first", "note": "", "elapsed": "3.5"} | data
    return client.post(url(name, round_), body, headers=headers)


def test_the_page_shows_a_pair_under_left_and_right(
    reviewer_client: Client, round_: Round
) -> None:
    page = reviewer_client.get(url("label", round_))
    text = page.content.decode()

    assert page.status_code == 200
    assert "no-store" in page.headers["Cache-Control"]
    assert text.index(">Left</h2>") < text.index(">Right</h2>")
    assert {"Reply 0 to it.", "Reply 1 to it."} <= set(
        re.findall(r"Reply \d to it\.", text)
    )


def test_the_first_slot_of_the_order_stands_left(
    reviewer_client: Client, round_: Round
) -> None:
    text = reviewer_client.get(url("label", round_)).content.decode()
    baseline_left = text.index("Reply 0 to it.") < text.index("Reply 1 to it.")
    assert baseline_left == (Assignment.objects.get().order == "baseline_first")


def test_an_answer_by_htmx_brings_the_next_pair_alone(
    reviewer_client: Client, round_: Round
) -> None:
    first = shown_token(reviewer_client.get(url("label", round_)))
    reply = send(reviewer_client, round_, first, choice="second", note="so\r\nthat")

    assert reply.status_code == 200
    assert (
        reply.content.decode()
        .lstrip()
        .startswith('<div class="work" data-done="saved">')
    )
    assert shown_token(reply) != first
    label = Label.objects.get()
    assert (label.choice, label.note, label.elapsed_seconds) == (
        "second",
        "so\nthat",
        3.5,
    )


def test_an_answer_without_script_leads_back_to_the_page(
    reviewer_client: Client, round_: Round
) -> None:
    first = shown_token(reviewer_client.get(url("label", round_)))
    reply = send(reviewer_client, round_, first, headers={}, elapsed="")

    assert (reply.status_code, reply.headers["Location"]) == (302, url("label", round_))
    assert Label.objects.get().elapsed_seconds is None
    assert shown_token(reviewer_client.get(reply.headers["Location"])) != first


def test_the_last_answer_brings_done(reviewer_client: Client, round_: Round) -> None:
    page = reviewer_client.get(url("label", round_))
    for _ in range(2):
        page = send(reviewer_client, round_, shown_token(page), choice="tie")

    text = page.content.decode()
    assert "<h2>Done</h2>" in text
    assert "2\n        labels of yours are in" in text
    assert 'name="token"' not in text


def test_while_others_hold_the_rest_it_says_when_to_come_back(
    client_of: Callable[[User], Client],
    reviewer: User,
    other_reviewer: User,
) -> None:
    round_ = make_round(make_set(cases=1), reviewer, other_reviewer, now=timezone.now())
    client_of(other_reviewer).get(url("label", round_))
    text = client_of(reviewer).get(url("label", round_)).content.decode()

    assert "Nothing free right now" in text
    held = Seat.objects.get().available_at
    assert held is not None
    assert f'<time datetime="{held.isoformat()}">{held:%H:%M} UTC</time>' in text
    assert "Done" not in text


@pytest.mark.parametrize("headers", [HTMX, {}])
def test_skip_brings_another_pair(
    headers: dict[str, str], reviewer_client: Client, round_: Round
) -> None:
    first = shown_token(reviewer_client.get(url("label", round_)))
    reply = send(reviewer_client, round_, first, to="skip", choice="", headers=headers)
    if not headers:
        reply = reviewer_client.get(reply.headers["Location"])

    assert shown_token(reply) != first
    assert (Skip.objects.count(), Label.objects.count()) == (1, 0)


def test_a_closed_round_says_so(reviewer_client: Client, round_: Round) -> None:
    token = shown_token(reviewer_client.get(url("label", round_)))
    close_round(round_=round_, by=None, now=timezone.now())

    assert (
        "This round is closed"
        in reviewer_client.get(url("label", round_)).content.decode()
    )
    reply = send(reviewer_client, round_, token)
    assert reply.status_code == 409
    assert "This round was closed meanwhile." in reply.content.decode()


def test_a_round_that_closes_after_the_label_came_in_does_not_hide_that(
    reviewer_client: Client, round_: Round
) -> None:
    """The browser sends again what was stored before the round was closed."""
    token = shown_token(reviewer_client.get(url("label", round_)))
    send(reviewer_client, round_, token)
    close_round(round_=round_, by=None, now=timezone.now())
    reply = send(reviewer_client, round_, token)

    assert reply.status_code == 200
    assert 'data-done="saved"' in reply.content.decode()
    assert "This round is closed" in reply.content.decode()
    assert Label.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"choice": ""}, "choice: "),
        ({"choice": "baseline"}, "choice: "),
        ({"token": ""}, "token: "),
        ({"token": "7"}, "token: "),
        ({"note": "a\x00b"}, "note: "),
        ({"note": "n" * (LONGEST_NOTE + 1)}, "note: "),
        ({"elapsed": "-1"}, "elapsed: "),
        ({"elapsed": "nan"}, "elapsed: "),
        ({"elapsed": "soon"}, "elapsed: "),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_bad_answer_is_refused_by_field(
    change: dict[str, str], says: str, reviewer_client: Client, round_: Round
) -> None:
    token = shown_token(reviewer_client.get(url("label", round_)))
    reply = send(reviewer_client, round_, **({"token": token} | change))

    assert reply.status_code == 400
    assert says in reply.content.decode()
    assert Label.objects.count() == 0


def test_line_breaks_do_not_make_a_note_too_long(
    reviewer_client: Client, round_: Round
) -> None:
    token = shown_token(reviewer_client.get(url("label", round_)))
    note = "\n" * (LONGEST_NOTE - 1) + "x"
    reply = send(reviewer_client, round_, token, note=note.replace("\n", "\r\n"))

    assert reply.status_code == 200
    assert Label.objects.get().note == note


def test_the_guideline_in_force_is_shown(
    reviewer_client: Client, round_: Round
) -> None:
    Guideline.objects.create(
        gold_set=round_.gold_set,
        version=3,
        text="# Prefer *facts*",
        digest="x",
        created_at=timezone.now(),
    )
    text = reviewer_client.get(url("label", round_)).content.decode()

    assert "Guideline, version 3" in text
    assert '<h2 dir="auto">Prefer <em>facts</em></h2>' in text


NAMES = ["label", "answer", "skip"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("role", ["lead", "auditor", "outsider"])
def test_other_roles_are_refused(
    name: str,
    role: str,
    round_: Round,
    client_of: Callable[[User], Client],
    request: pytest.FixtureRequest,
) -> None:
    client = client_of(request.getfixturevalue(role))
    reply = call(client, name, round_)
    assert reply.status_code == 403
    assert not Assignment.objects.exists()


@pytest.mark.parametrize("name", NAMES)
def test_a_labeller_who_is_no_member_does_not_learn_of_the_round(
    name: str, round_: Round, adjudicator_client: Client
) -> None:
    reply = call(adjudicator_client, name, round_)
    assert reply.status_code == 404
    assert round_.name not in reply.content.decode()


@pytest.mark.parametrize("name", NAMES)
def test_who_is_not_signed_in_is_sent_to_the_login(
    name: str, round_: Round, client: Client
) -> None:
    reply = call(client, name, round_)
    assert reply.status_code == 302
    assert reply.headers["Location"].startswith(reverse("login"))


def test_an_adjudicator_may_label_in_their_round(
    adjudicator: User, adjudicator_client: Client
) -> None:
    round_ = make_round(make_set(cases=1), adjudicator, now=timezone.now())
    assert call(adjudicator_client, "label", round_).status_code == 200


def test_a_foreign_token_is_not_found(
    reviewer_client: Client,
    client_of: Callable[[User], Client],
    other_reviewer: User,
    round_: Round,
) -> None:
    foreign = shown_token(client_of(other_reviewer).get(url("label", round_)))
    for to in ("answer", "skip"):
        assert send(reviewer_client, round_, foreign, to=to).status_code == 404
    assert (Label.objects.count(), Skip.objects.count()) == (0, 0)


def test_a_form_from_another_site_is_refused(reviewer: User, round_: Round) -> None:
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(reviewer)
    token = shown_token(client.get(url("label", round_)))
    assert send(client, round_, token).status_code == 403


def call(client: Client, name: str, round_: Round) -> Any:
    if name == "label":
        return client.get(url(name, round_))
    return client.post(url(name, round_), {"token": "x"}, headers=HTMX)
