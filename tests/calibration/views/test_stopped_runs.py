"""The page of a run that stopped for good promises nothing."""

from __future__ import annotations

import pytest

from config.errors import Conflict
from judging.models import Run, RunStatus
from judging.services.controlling import how_to_go_on
from judging.services.evidence import pair_evidence
from tests.annotation.factory import START
from tests.judging.answers import split_set
from tests.judging.factory import ADDRESS, make_run

pytestmark = pytest.mark.django_db


def stopped_run():
    run = make_run(ADDRESS, gold_set=split_set())
    Run.objects.update(
        status=RunStatus.STOPPED, failure="no key", halt_reason="x", halted_at=START
    )
    run.refresh_from_db()
    return run


def test_a_run_stopped_for_good_does_not_say_how_to_go_on(lead_client):
    run = stopped_run()
    text = lead_client.get(f"/runs/{run.pk}/").content.decode()
    assert "no key" in text
    assert "stopped for good" in text
    assert "run_judge --run" not in text


def test_nor_does_what_lacks_its_calls():
    run = stopped_run()
    with pytest.raises(Conflict, match="start a new run") as refused:
        pair_evidence(run)
    assert "run_judge" not in str(refused.value)
    Run.objects.update(status=RunStatus.FAILED)
    run.refresh_from_db()
    assert f"run_judge --run {run.pk}" in how_to_go_on(run)
