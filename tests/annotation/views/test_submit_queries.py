"""The one request that a reviewer makes all day: what it asks of the database."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.models import Assignment, Draft, Guideline, Label
from annotation.services.guidelines import note_first_seen
from tests.annotation.factory import START, make_round, make_set
from tests.queries import statements

if TYPE_CHECKING:
    from django.test import Client

    from annotation.models import Round
    from config.accounts.models import User

# Session; user with roles; lock and all about the label; seat, label and claim; what
# the claim changes, an earlier draft, progress and texts; what waits (a large round
# counts that now and then). SQLite gets what goes together one by one.
MOST = {"postgresql": 6, "sqlite": 14}
AROUND = re.compile("(BEGIN|COMMIT|SAVEPOINT|RELEASE)")


@pytest.fixture
def round_(reviewer: User, other_reviewer: User) -> Round:
    return make_round(make_set(cases=12), reviewer, other_reviewer, now=timezone.now())


def submit(client: Client, round_: Round) -> list[str]:
    """Answer the pair on the screen; the queries of that, without the transaction's."""
    held = Assignment.objects.get(reviewer__username="reviewer", ended_at=None)
    data = {"token": str(held.token), "choice": "first", "elapsed": "2", "note": "n"}
    url = reverse("annotation:answer", args=[round_.pk])
    with CaptureQueriesContext(connection) as queries:
        reply: Any = client.post(url, data, headers={"HX-Request": "true"})
    assert reply.status_code == 200
    assert str(held.token) not in reply.content.decode()
    return [sql for sql in statements(queries) if not AROUND.match(sql)]


@pytest.mark.parametrize("guideline", [False, True])
def test_submitting_asks_little(
    reviewer_client: Client,
    reviewer: User,
    round_: Round,
    guideline: bool,
) -> None:
    if guideline:
        Guideline.objects.create(
            gold_set=round_.gold_set, version=1, text="t", digest="1", created_at=START
        )
        set_id = round_.gold_set_id
        note_first_seen(gold_set_id=set_id, reviewer=reviewer, now=START)
    reviewer_client.get(reverse("annotation:label", args=[round_.pk]))

    for _ in range(3):
        found = submit(reviewer_client, round_)
        assert len(found) <= MOST[connection.vendor], "\n".join(found)
    assert Label.objects.count() == 3


def test_a_draft_costs_one_more(reviewer_client: Client, round_: Round) -> None:
    reviewer_client.get(reverse("annotation:label", args=[round_.pk]))
    submit(reviewer_client, round_)
    held = Assignment.objects.get(ended_at=None)
    Draft.objects.create(assignment=held, saved_at=START)

    found = submit(reviewer_client, round_)

    assert len(found) <= MOST[connection.vendor] + 1, "\n".join(found)
    assert not Draft.objects.exists()


def test_nothing_is_counted_pair_by_pair(
    reviewer_client: Client, round_: Round
) -> None:
    """The next reply costs the same, however many labels are in."""
    reviewer_client.get(reverse("annotation:label", args=[round_.pk]))
    first = len(submit(reviewer_client, round_))
    for _ in range(4):
        submit(reviewer_client, round_)
    assert len(submit(reviewer_client, round_)) == first
