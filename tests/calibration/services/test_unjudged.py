"""Pairs of the set that a release run did not judge: counted, critical ones named."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from annotation.domain.outcomes import Order
from calibration.models import SwapPanel
from tests.annotation.factory import START, add_case
from tests.calibration.releases import LOOSE, Released, make_release, outcome, payload
from tests.calibration.releases import say as judge

if TYPE_CHECKING:
    from django.test import Client

    from config.accounts.models import User

pytestmark = pytest.mark.django_db
NONE = {"of": 10, "pairs": 0, "panel": 0, "critical_cases": []}
WORDS = "2 of 12 pairs of the set were not judged: nothing is said of them."


@pytest.fixture
def released(db: None) -> Released:
    return make_release()


def left_out(released: Released, *names: str, critical: bool = False) -> None:
    systems = list(released.gold_set.systems.all())
    for name in names:
        add_case(released.gold_set, systems, name, (), critical=critical)


def test_a_run_over_every_pair_leaves_none_out(released: Released) -> None:
    assert payload(released.decide())["not_judged"] == NONE


def test_pairs_left_out_are_missing_evidence_and_ship_nothing(
    released: Released, lead_client: Client, lead: User
) -> None:
    assert released.decide(lead).result == "ship"
    left_out(released, "later-1", "later-2")
    decision = released.decide(lead)
    assert decision.result == "human_review"
    found = outcome(decision, "everyPairJudged")
    assert (found["result"], found["value"], found["n"]) == ("not_shown", 10, 12)
    assert payload(decision)["missing"] == [
        {
            "what": "verdicts on 2 pairs of the set not judged",
            "owner": "lead",
            "condition": "everyPairJudged",
        }
    ]
    assert payload(decision)["not_judged"] == NONE | {"of": 12, "pairs": 2}
    for path in (f"/decisions/{decision.pk}/", f"/releases/{released.run.pk}/"):
        assert WORDS in lead_client.get(path).content.decode()
    shown = lead_client.get(f"/api/v1/releases/{released.run.pk}/").json()
    assert shown["not_judged"] == NONE | {"of": 12, "pairs": 2}
    out = StringIO()
    with pytest.raises(SystemExit, match="11"):
        call_command("decide", released.run.pk, policy="usual", stdout=out)
    assert WORDS in out.getvalue()
    junit = lead_client.get(f"/decisions/{decision.pk}.xml").content.decode()
    said = "The run judged 10 of the 12 pairs that it was to judge"
    for text in (junit, out.getvalue()):
        assert said in text
        assert "verdicts on 2 pairs of the set not judged (from lead)" in text


def test_half_a_set_that_the_candidate_won_ships_nothing() -> None:
    """Verdicts on the pairs that the candidate won, and on none that it lost."""
    released = make_release("C" * 10)
    left_out(released, *(f"lost-{number}" for number in range(10)))
    decision = released.decide()
    assert decision.result == "human_review"
    open_ = [c for c in payload(decision)["conditions"] if c["result"] != "pass"]
    assert [one["key"] for one in open_] == ["everyPairJudged"]
    for case in released.gold_set.pairs.filter(case__external_id__startswith="lost"):
        for order in Order:
            judge(released.run, case, order, "C")
    assert released.decide().result == "ship"


def test_a_critical_case_left_out_is_not_shown_and_named(
    released: Released, lead_client: Client, lead: User
) -> None:
    left_out(released, "vital", critical=True)
    decision = released.decide(lead)
    assert decision.result == "human_review"
    found = outcome(decision, "criticalSliceRule")
    assert (found["result"], found["unjudged"]) == ("not_shown", ["vital"])
    assert found["missing"] == "verdicts on critical cases not judged: vital"
    assert payload(decision)["not_judged"]["critical_cases"] == ["vital"]
    page = lead_client.get(f"/releases/{released.run.pk}/").content.decode()
    assert "The run did not judge vital: nothing ships until a run does." in page
    page = lead_client.get(f"/decisions/{decision.pk}/").content.decode()
    assert "The run did not judge vital." in page


def test_beside_judged_critical_cases_it_is_named_too() -> None:
    released = make_release(critical=[0], policy=LOOSE)
    left_out(released, "vital", critical=True)
    found = outcome(released.decide(), "criticalSliceRule")
    assert (found["result"], found["n"], found["value"]) == ("not_shown", 1, 0)
    vital = released.gold_set.pairs.get(case__external_id="vital")
    for order in Order:
        judge(released.run, vital, order, "C")
    assert outcome(released.decide(), "criticalSliceRule")["result"] == "pass"


def test_a_regression_is_still_a_failure_beside_one_left_out() -> None:
    released = make_release(critical=[8])
    left_out(released, "vital", critical=True)
    found = outcome(released.decide(), "criticalSliceRule")
    assert (found["result"], found["names"]) == ("fail", ["r8"])
    assert found["unjudged"] == ["vital"]


def test_what_a_declared_panel_left_out_is_counted_as_such(released: Released) -> None:
    left_out(released, "one", "two", "three")
    SwapPanel.objects.create(
        run=released.run, share=0.7, seed="s", slices=[], drawn=10, pairs=13,
        drawn_at=START,
    )  # fmt: skip
    decision = released.decide()
    assert decision.result == "ship"  # the draw was declared before anybody saw
    assert outcome(decision, "everyPairJudged")["n"] == 10
    left_out(released, "later")
    decision = released.decide()
    assert decision.result == "human_review"
    assert payload(decision)["not_judged"] == {
        "of": 14, "pairs": 1, "panel": 3, "critical_cases": [],
    }  # fmt: skip
