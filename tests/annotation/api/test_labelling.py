"""The labelling API: sessions and tokens, shapes, refusals."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse
from django.utils import timezone
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient

from annotation.models import Assignment, Label, Round, Skip
from annotation.services.rounds import close_round
from tests.annotation.factory import make_round, make_set

if TYPE_CHECKING:
    from config.accounts.models import User

ROUNDS = reverse("api-rounds")


@pytest.fixture
def round_(reviewer: User, other_reviewer: User) -> Round:
    gold_set = make_set(
        cases=2,
        title="Support replies",
        question="Which helps more?",
        strength_wanted=True,
    )
    return make_round(gold_set, reviewer, other_reviewer, now=timezone.now())


@pytest.fixture(params=["session", "token"])
def api(request: pytest.FixtureRequest, reviewer: User) -> APIClient:
    return api_of(reviewer, by=request.param)


def api_of(user: User, *, by: str = "token") -> APIClient:
    client = APIClient()
    if by == "session":
        client.force_login(user)
    else:
        token = Token.objects.create(user=user)
        client.credentials(HTTP_AUTHORIZATION=f"Token {token.key}")
    return client


def next_url(round_: Round) -> str:
    return reverse("api-next", args=[round_.pk])


def label_url(token: object) -> str:
    return reverse("api-label", args=[token])


def skip_url(token: object) -> str:
    return reverse("api-skip", args=[token])


def test_my_open_rounds_with_their_progress(api: APIClient, round_: Round) -> None:
    make_round(make_set(cases=1), now=timezone.now(), name="Not mine")
    reply = api.get(ROUNDS)

    assert reply.status_code == 200
    [row] = reply.json()
    assert row.pop("doors")
    assert [row] == [
        {
            "id": round_.pk,
            "name": "Round one",
            "gold_set": "Support replies",
            "open": True,
            "blind": True,
            "progress": {
                "mine": 0, "waiting": 2, "reserved": 0, "labelled": 0, "seats": 2,
            },
        }
    ]  # fmt: skip


def test_claim_label_and_go_on_until_done(api: APIClient, round_: Round) -> None:
    first = api.post(next_url(round_)).json()
    assert first["state"] == "pair"
    assert set(first["pair"]) == {
        "token", "question", "prompt", "context", "reference", "left", "right",
        "revision", "same_case_again", "asks", "guideline", "draft", "doors",
    }  # fmt: skip
    assert {first["pair"]["left"], first["pair"]["right"]} == {
        "Reply 0 to it.",
        "Reply 1 to it.",
    }
    assert api.post(next_url(round_)).json() == first

    answer = {"choice": "first", "strength": 2, "note": " kept ", "elapsed_seconds": 4}
    second = api.post(label_url(first["pair"]["token"]), answer).json()
    assert second["saved"]["token"] == first["pair"]["token"]
    assert (second["saved"]["choice"], second["saved"]["revision"]) == ("first", 1)
    assert second["next"]["state"] == "pair"
    label = Label.objects.get()
    assert (label.strength, label.note, label.elapsed_seconds) == (2, " kept ", 4.0)

    last = api.post(
        label_url(second["next"]["pair"]["token"]),
        {"choice": "abstain", "abstain_reason": "broken_text"},
    )
    assert last.json()["next"] == {
        "state": "done", "pair": None, "wait_until": None, "change": None,
        "unsent": 0,
    }  # fmt: skip


def test_chat_texts_come_as_role_and_content(api: APIClient, reviewer: User) -> None:
    from annotation.models import System
    from tests.annotation.factory import add_case

    gold_set = make_set(cases=0)
    systems = list(System.objects.filter(gold_set=gold_set))
    chat = [{"role": "user", "content": "Hello"}]
    texts = [[{"role": "assistant", "content": str(n)}] for n in range(2)]
    add_case(gold_set, systems, "chat-0001", texts, prompt=chat, context="c")
    round_ = make_round(gold_set, reviewer, now=timezone.now())
    pair = api.post(next_url(round_)).json()["pair"]

    assert (pair["prompt"], pair["context"], pair["reference"]) == (chat, "c", None)
    assert sorted(pair["left"] + pair["right"], key=str) == texts[0] + texts[1]


def test_the_same_answer_again_is_the_same_label(api: APIClient, round_: Round) -> None:
    token = api.post(next_url(round_)).json()["pair"]["token"]
    replies = [api.post(label_url(token), {"choice": "tie"}).json() for _ in range(2)]

    assert replies[0] == replies[1]
    changed = api.post(label_url(token), {"choice": "second", "revision": 1}).json()
    assert changed["saved"]["revision"] == 2


def test_a_change_without_the_revision_it_changes_is_a_conflict(
    api: APIClient, round_: Round
) -> None:
    pair = api.post(next_url(round_)).json()["pair"]
    assert pair["revision"] == 0
    token = pair["token"]
    api.post(label_url(token), {"choice": "tie"})
    reopened = api.get(reverse("api-labelled-pair", args=[token])).json()
    assert reopened["pair"]["revision"] == reopened["label"]["revision"] == 1

    for sent in ({"choice": "first"}, {"choice": "first", "revision": 2}):
        reply = api.post(label_url(token), sent)
        assert_refused(reply, 409, "label_changed")
        assert reply.json()["detail"] == {"revision": 1}
    assert list(Label.objects.values_list("choice", flat=True)) == ["tie"]


def test_both_replies_on_a_changed_label_say_when_it_was_first_given(
    api: APIClient, round_: Round
) -> None:
    token = api.post(next_url(round_)).json()["pair"]["token"]
    first = api.post(label_url(token), {"choice": "tie"}).json()["saved"]["saved_at"]
    api.post(label_url(token), {"choice": "first", "revision": 1})
    one = api.get(reverse("api-labelled-pair", args=[token])).json()["label"]
    [listed] = api.get(reverse("api-own-labels", args=[round_.pk])).json()["results"]
    assert one == listed
    assert one["first_at"] == first < one["saved_at"]


def test_skip_brings_the_next_pair(api: APIClient, round_: Round) -> None:
    token = api.post(next_url(round_)).json()["pair"]["token"]
    reply = api.post(skip_url(token)).json()

    assert reply["state"] == "pair"
    assert reply["pair"]["token"] != token
    assert Skip.objects.count() == 1


def test_wait_says_until_when(
    api: APIClient, reviewer: User, other_reviewer: User
) -> None:
    round_ = make_round(make_set(cases=1), reviewer, other_reviewer, now=timezone.now())
    api_of(other_reviewer).post(next_url(round_))
    reply = api.post(next_url(round_)).json()

    assert (reply["state"], reply["pair"]) == ("wait", None)
    assert reply["wait_until"] > timezone.now().isoformat()


def test_a_closed_round_is_a_conflict_and_a_stored_label_still_stored(
    api: APIClient, round_: Round
) -> None:
    token = api.post(next_url(round_)).json()["pair"]["token"]
    stored = api.post(label_url(token), {"choice": "tie"}).json()
    close_round(round_=round_, by=None, now=timezone.now())

    for reply in (
        api.post(next_url(round_)),
        api.post(label_url(token), {"choice": "first"}),
        api.post(label_url(stored["next"]["pair"]["token"]), {"choice": "first"}),
        api.post(skip_url(stored["next"]["pair"]["token"])),
    ):
        assert_refused(reply, 409, "round_closed")
    again = api.post(label_url(token), {"choice": "tie"})
    assert again.json()["saved"] == stored["saved"]
    assert again.json()["next"]["state"] == "closed"


def test_a_foreign_or_unknown_token_is_not_found(
    api: APIClient, round_: Round, other_reviewer: User
) -> None:
    foreign = api_of(other_reviewer, by="session").post(next_url(round_)).json()
    for token in (foreign["pair"]["token"], uuid.uuid4()):
        for reply in (
            api.post(label_url(token), {"choice": "first"}),
            api.post(skip_url(token)),
        ):
            assert_refused(reply, 404, "assignment_unknown")


def test_a_round_of_others_is_not_found(round_: Round, adjudicator: User) -> None:
    api = api_of(adjudicator)
    assert api.get(ROUNDS).json() == []
    assert_refused(api.post(next_url(round_)), 404, "round_unknown")


def calls(api: APIClient, round_: Round) -> list[Any]:
    token = uuid.uuid4()
    return [
        api.post(next_url(round_)),
        api.post(label_url(token), {"choice": "first"}),
        api.post(skip_url(token)),
    ]


@pytest.mark.parametrize("role", ["lead", "auditor", "outsider"])
def test_other_roles_are_refused_everywhere(
    role: str, round_: Round, request: pytest.FixtureRequest
) -> None:
    for reply in calls(api_of(request.getfixturevalue(role)), round_):
        assert_refused(reply, 403, "permission_denied")
    assert not Assignment.objects.exists()


def test_who_is_not_signed_in_is_refused_everywhere(round_: Round) -> None:
    for reply in calls(APIClient(), round_):
        assert reply.status_code == 401
        assert set(reply.json()) == {"code", "message", "detail"}


def test_a_session_needs_the_csrf_token(round_: Round, reviewer: User) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(reviewer)
    assert client.post(next_url(round_)).status_code == 403


def test_claiming_is_no_get(api: APIClient, round_: Round) -> None:
    assert_refused(api.get(next_url(round_)), 405, "method_not_allowed")


def assert_refused(reply: Any, status: int, code: str) -> None:
    assert reply.status_code == status
    body = reply.json()
    assert set(body) == {"code", "message", "detail"}
    assert body["code"] == code
    assert body["message"]
