"""A set's internal name may name its systems; reviewers see its title or nothing."""

from __future__ import annotations

import pytest

from annotation.services.gold_sets import SetPlan, create_gold_set
from annotation.services.round_planning import RoundPlan
from annotation.services.rounds import open_round
from tests.annotation.factory import START, add_case

pytestmark = pytest.mark.django_db
NAME = "canary-old-against-canary-new"


def test_without_a_title_the_name_stays_inside(reviewer, reviewer_client, lead_client):
    plan = SetPlan(name=NAME, systems=["old", "new"])
    gold_set = create_gold_set(plan=plan, by=None, now=START)
    assert gold_set.title == ""
    add_case(gold_set, list(gold_set.systems.all()), "case-1")
    open_round(
        gold_set=gold_set,
        plan=RoundPlan(name="First", labels_per_pair=1),
        pairs=list(gold_set.pairs.select_related("case")),
        reviewers=[reviewer],
        by=None,
        now=START,
    )
    for address in ("/", "/api/v1/rounds/"):
        reply = reviewer_client.get(address)
        assert reply.status_code == 200
        assert b"First" in reply.content
        assert NAME.encode() not in reply.content
    [row] = reviewer_client.get("/api/v1/rounds/").json()
    assert row["gold_set"] == ""
    [row] = lead_client.get("/api/v1/rounds/").json()
    assert row["gold_set"] == NAME, "who leads is told which set it is"
