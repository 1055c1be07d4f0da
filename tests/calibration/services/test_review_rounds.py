"""Abstained pairs go to people as the policy says, and come back as gold."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from annotation.domain.consensus import ConsensusRule
from annotation.models import Label, Round
from annotation.services.freezing import freeze_gold
from annotation.services.round_planning import RoundPlan
from annotation.services.rounds import close_round
from calibration.services.policies import draft_policy, frozen_policy
from calibration.services.review_rounds import open_review, waiting_pairs
from config.errors import Conflict
from tests.annotation.factory import START
from tests.calibration.releases import LOOSE, NOW, Released, make_release

if TYPE_CHECKING:
    from django.test import Client

    from calibration.models import Decision, ReviewRound
    from config.accounts.models import User

pytestmark = pytest.mark.django_db
PLAN = RoundPlan(name="More labels", labels_per_pair=1)


def with_path(path: str, **changes: Any) -> Released:
    policy = LOOSE | {"abstainPath": path} | changes
    return make_release("CCCCCCCCAAAA", policy=policy)


def opened(
    released: Released, lead: User, reviewer: User, **changes: Any
) -> ReviewRound:
    given: dict[str, Any] = {
        "run": released.run, "policy": released.policy, "plan": PLAN,
    }  # fmt: skip
    return open_review(**(given | changes), reviewers=[reviewer], by=lead, now=NOW)


def condition(decision: Decision) -> dict[str, Any]:
    every = json.loads(decision.payload)["conditions"]
    (found,) = [one for one in every if one["key"] == "abstainPath"]
    return dict(found)


def settle(released: Released, made: ReviewRound, reviewer: User) -> None:
    pairs = made.round.seats.values_list("pair", flat=True)
    Label.objects.bulk_create(
        Label(
            pair_id=pair, outcome="tie", external_reviewer="ann", revision=1,
            created_at=START,
        )
        for pair in pairs
    )  # fmt: skip
    close_round(round_=made.round, by=None, now=NOW)
    del reviewer
    type(released.gold_set).objects.filter(pk=released.gold_set.pk).update(
        labels_per_pair=1
    )
    released.gold_set.refresh_from_db()
    freeze_gold(
        gold_set=released.gold_set,
        rule=ConsensusRule(released.gold_set.consensus_rule),
        by=None,
        now=NOW,
        leave_open=True,
    )


@pytest.mark.parametrize(
    ("path", "changes", "n"),
    [
        ("mandatory-human", {}, 4),
        ("review-sample", {}, 1),
        ("review-sample", {"abstainSampleShare": 0.5}, 2),
    ],
)
def test_the_pairs_of_the_policy_get_a_round_and_then_gold(
    lead: User, reviewer: User, path: str, changes: dict[str, Any], n: int
) -> None:
    released = with_path(path, **changes)
    first = released.decide()
    assert (first.result, condition(first)["n"]) == ("human_review", n)
    made = opened(released, lead, reviewer)
    assert (made.pairs, made.round.seats.count()) == (n, n)
    settle(released, made, reviewer)
    found = released.decide()
    assert condition(found)["result"] == "pass"
    assert found.result == "ship"
    assert waiting_pairs(released.run, released.policy) == []


def test_pairs_under_way_are_not_asked_for_twice(lead: User, reviewer: User) -> None:
    released = with_path("mandatory-human")
    opened(released, lead, reviewer)
    with pytest.raises(Conflict, match="under way"):
        opened(released, lead, reviewer, plan=RoundPlan("Second", 1))
    assert Round.objects.count() == 1


def test_without_a_path_nothing_is_sent(lead: User, reviewer: User) -> None:
    released = make_release("CCCA")
    assert waiting_pairs(released.run, released.policy) == []
    with pytest.raises(Conflict, match="sends no pair"):
        opened(released, lead, reviewer)


def test_a_draft_sends_nothing(lead: User, reviewer: User) -> None:
    released = with_path("mandatory-human")
    draft = draft_policy(name="draft", document=LOOSE, by=None, now=START)
    with pytest.raises(Conflict, match="draft"):
        opened(released, lead, reviewer, policy=draft)


def test_a_policy_that_is_too_late_for_the_run_sends_nothing(
    lead: User, reviewer: User
) -> None:
    """Its digest draws the sample, so that who freezes it later chooses the pairs."""
    released = with_path("review-sample")
    late = frozen_policy(
        name="late", document=released.policy.document, by=None, now=NOW
    )
    with pytest.raises(Conflict, match="before the run that it decides") as caught:
        opened(released, lead, reviewer, policy=late)
    assert caught.value.code == "policy_too_late"
    assert not Round.objects.exists()


def test_a_round_with_too_few_labels_to_settle_anything_says_so(
    lead_client: Client, reviewer: User
) -> None:
    released = with_path("mandatory-human")
    wish = {"policy": released.policy.pk, "name": "Few", "reviewers": ["reviewer"]}
    said = "The round asks 1 label of each pair, and the set wants 3"
    enough = lead_client.post(
        f"/api/v1/releases/{released.run.pk}/review",
        json.dumps(wish | {"labels_per_pair": 3, "name": "All"}),
        content_type="application/json",
    )
    assert enough.status_code == 201
    assert not any(said in note for note in enough.json()["notes"])
    close_round(round_=Round.objects.get(), by=None, now=NOW)
    few = lead_client.post(
        f"/api/v1/releases/{released.run.pk}/review",
        json.dumps(wish | {"labels_per_pair": 1}),
        content_type="application/json",
    )
    (note,) = few.json()["notes"]
    assert note.startswith(said)
    close_round(round_=Round.objects.get(name="Few"), by=None, now=NOW)
    page = lead_client.post(
        f"/releases/{released.run.pk}/review",
        wish | {"labels_per_pair": 1, "name": "Fewer"},
        follow=True,
    )
    assert f"Fewer is open. {said}" in page.content.decode()
