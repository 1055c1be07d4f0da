"""The page of looks: plan, log, sealed looks and unsealing, by role."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from annotation.models import LookPlan, Unsealing
from calibration.models import Look
from tests.calibration.reviews import looked
from tests.calibration.sealed import GOOD, seal
from tests.calibration.views.test_reports import words
from tests.calibration.world import World, make_world

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
SEALED = {"mode": "sealed", "budget": "3", "limit_agreement": "50"}


@pytest.fixture
def good() -> World:
    return make_world(GOOD)


def url(world: World, rest: str = "") -> str:
    return f"/gold-sets/{world.gold_set.name}/looks/{rest}"


class TestRoles:
    @pytest.mark.parametrize("who", ["lead", "auditor"])
    def test_readers_see_the_log(self, good, request, who):
        client: Client = request.getfixturevalue(f"{who}_client")
        text = words(client.get(url(good)))
        assert "Nobody has looked yet." in text
        assert ("Plan the looks" in text) is (who == "lead")

    @pytest.mark.parametrize("who", ["reviewer", "adjudicator"])
    def test_others_do_not(self, good, request, who):
        client: Client = request.getfixturevalue(f"{who}_client")
        assert client.get(url(good)).status_code == 403

    @pytest.mark.parametrize("who", ["auditor", "reviewer"])
    def test_only_leads_act(self, good, request, who):
        client: Client = request.getfixturevalue(f"{who}_client")
        report = good.report().pk
        assert client.post(url(good, "plan"), SEALED).status_code == 403
        assert client.post(url(good, "unseal"), {"reason": "x"}).status_code == 403
        assert client.post(f"/reports/{report}/look").status_code == 403
        assert not LookPlan.objects.exists()


class TestPlan:
    def test_limits_are_in_percent(self, good, lead, lead_client):
        reply = lead_client.post(url(good, "plan"), SEALED, follow=True)
        text = words(reply)
        assert "sealed, held-out results are not shown to anybody" in text
        assert "Exact agreement, at least 50.00 %" in text
        plan = LookPlan.objects.get()
        assert (plan.mode, plan.budget, plan.limits, plan.planned_by) == (
            "sealed", 3, {"agreement": 0.5}, lead,
        )  # fmt: skip

    @pytest.mark.parametrize(
        ("form", "said"),
        [
            ({"mode": "sealed", "budget": "3"}, "at least one limit"),
            ({"mode": "open", "budget": "0"}, "greater than or equal to 1"),
            ({**SEALED, "limit_agreement": "101"}, "less than or equal to 100"),
            ({**SEALED, "mode": "open"}, "no limits"),
        ],
    )
    def test_what_is_wrong_is_said(self, good, lead_client, form, said):
        reply = lead_client.post(url(good, "plan"), form)
        assert reply.status_code == 400
        assert said in words(reply)
        assert not LookPlan.objects.exists()

    def test_after_a_look_there_is_no_form(self, good, lead_client):
        looked(lead_client, f"/reports/{good.report().pk}/")
        text = words(lead_client.get(url(good)))
        assert "Plan the looks" not in text
        assert f"Report {good.report().pk}" in text
        assert good.run.config.digest[:12] in text
        assert lead_client.post(url(good, "plan"), SEALED).status_code == 400


class TestSealed:
    def test_the_report_offers_a_look_and_then_shows_the_word(self, good, lead_client):
        seal(good.gold_set)
        page = f"/reports/{good.report().pk}/"
        before = words(lead_client.get(page))
        assert "0 of 3 looks are used" in before
        assert "Take a look" in before
        reply = lead_client.post(f"{page}look", {"reason": "chosen"}, follow=True)
        after = words(reply)
        assert "Passed: look 1 of 3." in after
        assert "Passed: this judge keeps all limits" in after
        assert "Take a look" not in after
        assert "Held-out results are sealed." in after
        assert Look.objects.get().reason == "chosen"

    def test_a_refused_look_says_why(self, good, lead_client):
        page = f"/reports/{good.report().pk}/"
        reply = lead_client.post(f"{page}look", follow=True)
        assert "is not sealed: open the report itself." in words(reply)

    def test_unsealing_needs_a_reason(self, good, lead_client):
        seal(good.gold_set)
        refused = lead_client.post(url(good, "unseal"), {"reason": " "})
        assert refused.status_code == 400
        assert "Give a reason" in words(refused)
        opened = lead_client.post(url(good, "unseal"), {"reason": "done"}, follow=True)
        assert "This split is used up" in words(opened)
        assert Unsealing.objects.get().reason == "done"
        report = words(lead_client.get(f"/reports/{good.report().pk}/"))
        assert "The held-out pairs were unsealed on" in report

    def test_a_set_says_so_on_its_own_page(self, good, lead_client):
        seal(good.gold_set)
        text = words(lead_client.get(f"/gold-sets/{good.gold_set.name}/"))
        assert "0 of 3 used; sealed" in text
