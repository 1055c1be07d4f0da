"""Trying a judge: real requests to a simulated provider, and nothing kept."""

from __future__ import annotations

import pytest

from annotation.models import Exposure
from judging.models import Attempt, Call, Reply, Run
from judging.simulator.options import Options, Shape
from judging.simulator.running import SimulatedJudge
from tests.judging.answers import split_set
from tests.judging.factory import ADDRESS, make_judge
from tests.judging.pointwise_judges import pointwise_judge
from tests.judging.rubric_judges import STEP

pytestmark = pytest.mark.django_db(transaction=True)

TEST = "/judges/judge/1/test"


def said(client, **data):
    reply = client.post(TEST, data, headers={"HX-Request": "true"})
    return reply.status_code, " ".join(reply.content.decode().split())


def test_a_pair_is_asked_in_both_orders_and_nothing_is_stored(lead_client, lead):
    gold_set = split_set(dev=2, held_out=1)
    with SimulatedJudge(Options()) as server:
        make_judge(server.base_url)
        status, text = said(lead_client, what="pair", gold_set=gold_set.name, number=2)
    assert status == 200
    assert "Case case-0001" in text
    assert text.count("<mark>") == 2
    assert "Baseline first" in text
    assert "Candidate first" in text
    seen = Exposure.objects.filter(user=lead).values_list(
        "pair__case__external_id", "kind"
    )
    assert set(seen) == {("case-0001", "systems"), ("case-0001", "verdicts")}
    for model in (Run, Call, Reply, Attempt):
        assert not model.objects.exists()


def test_a_connection_that_works_and_one_that_does_not(lead_client):
    with SimulatedJudge(Options()) as server:
        make_judge(server.base_url)
        status, text = said(lead_client, what="connection")
    assert status == 200
    assert "The provider answers." in text
    status, text = said(lead_client, what="connection")
    assert status == 200
    assert "No answer" in text


def test_a_pair_must_be_chosen_and_held_out_ones_can_t_be(lead_client):
    make_judge(ADDRESS)
    status, text = said(lead_client, what="pair")
    assert status == 200
    assert "Choose a gold set" in text
    held = split_set(dev=0, held_out=1)
    _, text = said(lead_client, what="pair", gold_set=held.name)
    assert "gold_set: Select a valid choice" in text
    assert not Exposure.objects.exists()


def test_only_leads_spend(auditor_client, reviewer_client, adjudicator_client):
    make_judge(ADDRESS)
    for client in (auditor_client, reviewer_client, adjudicator_client):
        assert said(client, what="connection")[0] == 403


def test_a_pointwise_judge_is_tried_on_each_response(lead_client):
    gold_set = split_set(dev=1, held_out=0)
    with SimulatedJudge(Options(shapes={})) as server:
        pointwise_judge(server.base_url, name="judge")
        _, text = said(lead_client, what="pair", gold_set=gold_set.name)
        assert server.stats()["bought"] == 2
    assert "Baseline response" in text
    assert "Candidate response" in text
    assert text.count("<mark>") == 2
    assert "score " in text
    assert not Reply.objects.exists()


def test_a_rubric_is_written_first_and_both_orders_use_it(lead_client):
    gold_set = split_set(dev=1, held_out=0)
    with SimulatedJudge(Options()) as server:
        make_judge(server.base_url, rubric_step=STEP)
        _, text = said(lead_client, what="pair", gold_set=gold_set.name)
        stats = server.stats()
    assert stats["bought"] == 3
    assert stats["choices"]["rubric"] == 1
    assert "- It answers the request (" in text
    assert text.count("<mark>") == 2


def test_a_rubric_that_fails_leaves_nothing_to_compare_by(lead_client):
    gold_set = split_set(dev=1, held_out=0)
    with SimulatedJudge(Options(shapes={Shape.REFUSED: 1})) as server:
        make_judge(server.base_url, rubric_step=STEP)
        _, text = said(lead_client, what="pair", gold_set=gold_set.name)
        assert server.stats()["bought"] == 1
    assert text.count("invalid: refused") == 3
    assert "no rubric for this case" in text
