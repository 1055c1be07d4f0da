"""Answers that the labelling API refuses, each by the name of its field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from annotation.models import Label, Round
from annotation.services.labelling import LONGEST_NOTE
from tests.annotation.api.test_labelling import (
    api,
    assert_refused,
    label_url,
    next_url,
    round_,
)

if TYPE_CHECKING:
    from rest_framework.test import APIClient

__all__ = ["api", "round_"]  # fixtures


@pytest.mark.parametrize(
    ("answer", "field"),
    [
        ({}, "choice"),
        ({"choice": "baseline"}, "choice"),
        ({"choice": None}, "choice"),
        ({"choice": "first", "confidance": 2}, "confidance"),
        ({"choice": "first", "view": {}}, "view"),
        ({"choice": "first", "revision": -1}, "revision"),
        ({"choice": "abstain", "abstain_reason": "bored"}, "abstain_reason"),
        ({"choice": "first", "confidence": 4}, "confidence"),
        ({"choice": "first", "critical": {"left": ["a"]}}, "critical"),
        ({"choice": "first", "critical": {"first": ["A B"]}}, "critical"),
        ({"choice": "first", "criteria": {"tone": "left"}}, "criteria"),
        ({"choice": "first", "strength": 3}, "strength"),
        ({"choice": "first", "note": "n" * (LONGEST_NOTE + 1)}, "note"),
        ({"choice": "first", "note": "a\x00b"}, "note"),
        ({"choice": "first", "elapsed_seconds": -1}, "elapsed_seconds"),
        ({"choice": "first", "note": 5}, "note"),
        ({"choice": "first", "strength": "1"}, "strength"),
        ({"choice": "first", "confidence": True}, "confidence"),
        ({"choice": "first", "revision": "0"}, "revision"),
        ({"choice": "first", "elapsed_seconds": "4"}, "elapsed_seconds"),
        ({"choice": "first", "critical": {"first": [5]}}, "critical"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_bad_answer_names_the_field(
    answer: dict[str, Any], field: str, api: APIClient, round_: Round
) -> None:
    token = api.post(next_url(round_)).json()["pair"]["token"]
    reply = api.post(label_url(token), answer)

    assert_refused(reply, 400, "invalid")
    assert list(reply.json()["detail"]) == [field]
    assert Label.objects.count() == 0


@pytest.mark.parametrize(
    ("answer", "field"),
    [
        ({"choice": "tie", "strength": 1}, "strength"),
        ({"choice": "abstain"}, "abstain_reason"),
        ({"choice": "tie", "critical": {"first": ["leak"]}}, "critical"),
        ({"choice": "tie", "criteria": {"tone": "tie"}}, "criteria"),
    ],
)
def test_what_the_set_does_not_ask_is_refused_by_the_service(
    answer: dict[str, Any], field: str, api: APIClient, round_: Round
) -> None:
    token = api.post(next_url(round_)).json()["pair"]["token"]
    reply = api.post(label_url(token), answer)
    assert_refused(reply, 400, "label_invalid")
    assert reply.json()["message"].startswith(f"{field}: ")
    assert not Label.objects.exists()


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_a_number_that_is_none_is_refused(
    number: str, api: APIClient, round_: Round
) -> None:
    token = api.post(next_url(round_)).json()["pair"]["token"]
    body = f'{{"choice": "first", "elapsed_seconds": {number}}}'
    reply = api.post(label_url(token), body, content_type="application/json")
    assert reply.status_code == 400
    assert Label.objects.count() == 0


@pytest.mark.parametrize("body", ["{", "[]", "7", '"x"', "null", "\xff"])
def test_a_body_of_another_shape_is_refused(
    body: str, api: APIClient, round_: Round
) -> None:
    token = api.post(next_url(round_)).json()["pair"]["token"]
    reply = api.post(
        label_url(token), body.encode("latin-1"), content_type="application/json"
    )
    assert reply.status_code == 400
    assert set(reply.json()) == {"code", "message", "detail"}


@pytest.mark.parametrize(
    ("answer", "field"),
    [
        ({"choice": "first", "revision": 1}, "revision"),
        ({"choice": "tie", "active_seconds": 4.1, "elapsed_seconds": 4}, "active"),
    ],
)
def test_what_cannot_be_so_stores_nothing(
    answer: dict[str, Any], field: str, api: APIClient, round_: Round
) -> None:
    token = api.post(next_url(round_)).json()["pair"]["token"]
    reply = api.post(label_url(token), answer)
    assert_refused(reply, 400, "label_invalid")
    assert reply.json()["message"].startswith(field)
    assert not Label.objects.exists()


def test_as_much_work_as_time_is_taken(api: APIClient, round_: Round) -> None:
    token = api.post(next_url(round_)).json()["pair"]["token"]
    times = {"active_seconds": 4, "elapsed_seconds": 4.0}
    assert api.post(label_url(token), {"choice": "tie"} | times).status_code == 200
    stale = api.post(label_url(token), {"choice": "first", "revision": 9})
    assert_refused(stale, 409, "label_changed")
    assert "another tab" not in stale.json()["message"]
    assert Label.objects.get().choice == "tie"
