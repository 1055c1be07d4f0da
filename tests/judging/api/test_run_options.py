"""What a run may be asked to be: budgets that can't be, and options of another run."""

from __future__ import annotations

import pytest

from judging.models import Run
from judging.services.panels import runs_behind
from tests.judging.answers import split_set
from tests.judging.api.test_judges import send
from tests.judging.factory import ADDRESS, make_judge, make_run
from tests.judging.services.test_panel_runs import judges, panel_of
from tests.judging.views.test_panels import done_run

pytestmark = pytest.mark.django_db

IMPOSSIBLE = [
    {"max_calls": 10**25},
    {"max_calls": 0},
    {"max_tokens": 10**25},
    {"max_cost": "-1"},
    {"max_cost": "0"},
    {"max_cost": "NaN"},
    {"max_cost": "1e30"},
]


@pytest.mark.parametrize("limits", IMPOSSIBLE)
def test_a_budget_that_can_not_be_is_refused_everywhere(lead_client, limits):
    run = make_run(ADDRESS, gold_set=split_set())
    wish = {"judge": "judge", "gold_set": run.gold_set.name, **limits}
    assert send(lead_client, "post", "/runs/estimate/", wish)[0] == 400
    assert send(lead_client, "post", "/runs/", wish)[0] == 400
    assert send(lead_client, "put", f"/runs/{run.pk}/budget/", limits)[0] == 400
    page = lead_client.post(f"/runs/{run.pk}/budget", {**limits, "currency": "USD"})
    assert page.status_code == 400
    form = {**wish, "judge": "judge:1", "concurrency": "4", "purpose": "calibration",
            "reuse": "on", "currency": "USD"}  # fmt: skip
    for act in ("estimate", "start"):
        assert lead_client.post("/runs/new/", {**form, "act": act}).status_code == 400
    assert Run.objects.count() == 1
    run.refresh_from_db()
    assert not run.has_budget


def test_a_price_that_is_not_known_leaves_no_run(lead_client):
    make_judge(ADDRESS)
    wish = {"judge": "judge", "gold_set": split_set().name, "max_cost": "1"}
    assert send(lead_client, "post", "/runs/", wish)[0] == 409
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ({"again": True}, "no new one is started"),
        ({"reuse": False}, "it copies earlier replies"),
        ({"batches": True}, "call by call"),
        ({"max_calls": 3}, "its budget is another"),
        ({"concurrency": 5}, "it keeps 4 calls in flight"),
    ],
)
def test_an_unfinished_run_with_other_options_is_no_answer(lead_client, option, words):
    run = make_run(ADDRESS, gold_set=split_set(), concurrency=4)
    wish = {"judge": "judge", "gold_set": run.gold_set.name}
    assert send(lead_client, "post", "/runs/", wish)[0] == 200
    status, said = send(lead_client, "post", "/runs/", {**wish, **option})
    assert (status, said["code"]) == (409, "run_unfinished")
    assert words in said["message"]
    assert f"Run {run.pk} " in said["message"]
    page = lead_client.post(
        "/runs/new/",
        {**wish, "judge": "judge:1", "concurrency": "4", "purpose": "calibration",
         "currency": "USD", "act": "start"}
        | ({} if "reuse" in option else {"reuse": "on"})
        | {name: str(value) for name, value in option.items() if name != "reuse"},
        follow=True,
    )  # fmt: skip
    assert words in page.content.decode()
    assert Run.objects.count() == 1


def test_a_panels_members_runs_are_told_and_may_be_named(lead_client):
    gold_set, members = split_set(), judges(2)
    panel = panel_of(members)
    older, newer = (done_run(members[0], gold_set) for _ in range(2))
    wish = {"judge": "panel", "gold_set": gold_set.name}
    _, found = send(lead_client, "post", "/runs/estimate/", wish)
    seat, other = sorted(found["members"], key=lambda each: each["judge"])
    assert seat == {
        "judge": "j0",
        "version": 1,
        "digest": members[0].digest,
        "run": newer.pk,
        "status": "done",
        "named": False,
    }
    assert (other["judge"], other["run"], other["status"]) == ("j1", None, None)
    named = {**wish, "member_runs": [older.pk]}
    _, found = send(lead_client, "post", "/runs/estimate/", named)
    assert {"run": older.pk, "named": True}.items() <= next(
        each for each in found["members"] if each["judge"] == "j0"
    ).items()
    status, said = send(lead_client, "post", "/runs/", {**wish, "member_runs": [9999]})
    assert (status, said["code"]) == (400, "member_run_unknown")
    assert send(lead_client, "post", "/runs/", named)[0] == 201
    assert older in runs_behind(Run.objects.get(config=panel))
    status, said = send(
        lead_client, "post", "/runs/", {**wish, "member_runs": [newer.pk]}
    )
    assert (status, said["code"]) == (409, "run_unfinished")
    assert "it takes its votes from runs" in said["message"]
