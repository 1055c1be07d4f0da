"""A release is one candidate against one baseline: no run over three systems is one."""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from annotation.domain.outcomes import Order
from annotation.services.held_out import Viewer
from calibration.domain.release import sample_of
from calibration.models import Decision
from calibration.services.releases import release
from config.errors import Conflict
from judging.models import Run
from tests.annotation.factory import make_set
from tests.calibration.evidence import pair, pairs
from tests.calibration.releases import NOW, Released, make_release, release_of, say

if TYPE_CHECKING:
    from django.test import Client

    from config.accounts.models import User

NAMES = "middle with prod, new with middle, new with prod"


@pytest.fixture
def released(db: None) -> Released:
    """`middle` wins all and `new` loses all: together 20 of 30 for the second."""
    made = make_release()
    gold_set = make_set(10, systems=("prod", "middle", "new"), name="three")
    run = release_of(made.world, gold_set, (), set())
    for one in gold_set.pairs.select_related("candidate__system"):
        letter = "B" if one.candidate.system.name == "new" else "C"
        for order in Order:
            say(run, one, order, letter)
    made.run, made.gold_set = run, gold_set
    return made


def test_no_decision_is_made_and_the_systems_are_named(
    released: Released, lead: User
) -> None:
    with pytest.raises(Conflict, match=NAMES) as caught:
        released.decide(lead)
    assert caught.value.code == "release_many_systems"
    assert not Decision.objects.exists()
    viewer = Viewer(user=lead, door="page")
    with pytest.raises(Conflict, match=NAMES):
        release(run=Run.objects.get(pk=released.run.pk), viewer=viewer, now=NOW)


def test_every_door_refuses_it(released: Released, lead_client: Client) -> None:
    run, policy = released.run.pk, released.policy.pk
    with pytest.raises(CommandError, match=NAMES):
        call_command("decide", run, policy="usual", stdout=StringIO())
    body = json.dumps({"policy": policy})
    replies = [
        lead_client.get(f"/releases/{run}/"),
        lead_client.post(f"/releases/{run}/decide", {"policy": policy}),
        lead_client.get(f"/api/v1/releases/{run}/"),
        lead_client.post(
            f"/api/v1/releases/{run}/decide", body, content_type="application/json"
        ),
    ]
    assert [reply.status_code for reply in replies] == [409] * 4
    assert all(NAMES in reply.content.decode() for reply in replies)
    assert not Decision.objects.exists()


def test_evidence_of_several_comparisons_is_no_sample() -> None:
    rows = [*pairs("CC"), pair(5, "B", systems=["old", "third"])]
    with pytest.raises(ValueError, match="new with old, third with old"):
        sample_of(rows, ["old", "new", "third"])


def test_a_run_over_two_of_three_systems_is_decided(released: Released) -> None:
    run = Run.objects.get(pk=released.run.pk)
    run.pk = None
    run.save(force_insert=True)
    wanted = released.gold_set.pairs.filter(
        baseline__system__name="prod", candidate__system__name="middle"
    )
    for one in wanted:
        for order in Order:
            say(run, one, order, "C")
    assert released.decide(run=run).result == "ship"
