"""The view that is stored with a label is the one that was shown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from annotation.models import Label
from annotation.presenters.texts import LONGEST_RENDERED
from tests.annotation.factory import add_case, make_round, make_set
from tests.annotation.views.test_labelling_more import HTMX, answer, url

if TYPE_CHECKING:
    from django.test import Client

    from config.accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("view", "left", "right", "stored"),
    [
        ("rendered", "a" * LONGEST_RENDERED, "b", None),
        ("rendered", "a" * (LONGEST_RENDERED + 1), "b" * 90_000, ["left", "right"]),
        ("raw", "a" * (LONGEST_RENDERED + 1), "b", None),
        ("diff", "a word", "b word", None),
        ("diff", "a " * 100_000, "b " * 100_000, ["left", "right"]),
    ],
)
def test_with_the_texts_that_were_shown_as_written(
    reviewer_client: Client,
    reviewer: User,
    view: str,
    left: str,
    right: str,
    stored: list[str] | None,
) -> None:
    gold_set = make_set(cases=0)
    add_case(gold_set, list(gold_set.systems.all()), "long-1", [left, right])
    round_ = make_round(gold_set, reviewer, now=timezone.now())
    page = reviewer_client.get(url("label", round_.pk)).content.decode()
    token = value_of("token", page)
    path = f"/label/pairs/{token}/texts?view={view}"
    page = reviewer_client.get(path, headers=HTMX).content.decode()
    said = {"view": view, "as_written": value_of("as_written", page)}
    answer(reviewer_client, round_, token, **said)
    kept = Label.objects.get().view
    assert kept["texts"] == view
    assert kept.get("as_written") == stored


def test_only_texts_are_named(reviewer_client: Client, reviewer: User) -> None:
    round_ = make_round(make_set(cases=1), reviewer, now=timezone.now())
    page = reviewer_client.get(url("label", round_.pk)).content.decode()
    token = value_of("token", page)
    answer(reviewer_client, round_, token, as_written="left <b> v12")
    assert Label.objects.get().view["as_written"] == ["left"]


def value_of(name: str, page: str) -> str:
    found = re.search(f'name="{name}" value="([^"]*)"', page)
    assert found is not None
    return found[1]
