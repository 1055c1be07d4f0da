"""The list of runs over the API."""

from __future__ import annotations

import pytest

from judging.models import Simulation
from judging.services.controlling import stop
from tests.annotation.factory import START
from tests.judging.answers import split_set
from tests.judging.api.test_judges import send
from tests.judging.factory import ADDRESS, make_run

pytestmark = pytest.mark.django_db


def ids(client, query=""):
    status, said = send(client, "get", f"/runs/{query}")
    assert status == 200
    return [row["id"] for row in said["results"]]


def test_runs_are_listed_newest_first_and_by_what_they_are(lead_client):
    one = make_run(ADDRESS, gold_set=split_set(), name="one")
    two = make_run(ADDRESS, gold_set=one.gold_set, name="two")
    stop(run=one, by=None, now=START, reason="Enough.")
    Simulation.objects.create(config=two.config, noted_at=START)
    assert ids(lead_client) == [two.pk, one.pk]
    assert ids(lead_client, "?judge=one") == [one.pk]
    assert ids(lead_client, "?status=pending") == [two.pk]
    assert ids(lead_client, "?gold_set=nowhere") == []
    assert ids(lead_client, "?page_size=1") == [two.pk]
    rows = send(lead_client, "get", "/runs/")[1]["results"]
    assert [row["simulated"] for row in rows] == [True, False]
    assert (rows[1]["judge"], rows[1]["judge_version"]) == ("one", 1)
    assert (rows[1]["status"], rows[1]["halt_reason"]) == ("stopped", "Enough.")


def test_an_unknown_status_is_refused(lead_client):
    assert send(lead_client, "get", "/runs/?status=odd")[0] == 400


def test_auditors_read_it_and_reviewers_do_not(auditor_client, reviewer_client):
    assert ids(auditor_client) == []
    assert send(reviewer_client, "get", "/runs/")[0] == 403


def test_the_list_takes_as_many_queries_for_many_runs(
    lead_client, django_assert_max_num_queries
):
    one = make_run(ADDRESS, gold_set=split_set(), name="one")
    for name in "abc":
        make_run(ADDRESS, gold_set=one.gold_set, name=name)
    with django_assert_max_num_queries(8):
        assert len(ids(lead_client)) == 4
