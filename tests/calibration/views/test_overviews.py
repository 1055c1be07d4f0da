"""Gold sets and runs as leads and auditors see them."""

from __future__ import annotations

import re

import pytest

from annotation.models import Exposure
from calibration.models import Look, Report
from calibration.views.home import home_context
from judging.models import Call, CallState, Run, RunStatus
from tests.annotation.factory import make_round, make_set
from tests.calibration.reviews import looked
from tests.calibration.sealed import seal
from tests.calibration.views.test_reports import words
from tests.calibration.world import make_world

pytestmark = pytest.mark.django_db
PAGES = ["/gold-sets/", "/gold-sets/{set}/", "/runs/{run}/"]


def url_of(pattern, world):
    return pattern.format(set=world.gold_set.name, run=world.run.pk)


class TestWhoMayCome:
    @pytest.mark.parametrize("page", PAGES)
    def test_leads_and_auditors(self, world, lead_client, auditor_client, page):
        assert lead_client.get(url_of(page, world)).status_code == 200
        assert auditor_client.get(url_of(page, world)).status_code == 200

    @pytest.mark.parametrize("page", PAGES)
    def test_nobody_else(self, world, client_of, page, reviewer, adjudicator, outsider):
        for user in (reviewer, adjudicator, outsider):
            assert client_of(user).get(url_of(page, world)).status_code == 403

    @pytest.mark.parametrize("page", ["/gold-sets/nothing/", "/runs/77/"])
    def test_what_is_not_there(self, lead_client, page):
        assert lead_client.get(page).status_code == 404


class TestGoldSet:
    def test_counts_by_split_runs_and_looks(self, world, lead_client, lead):
        report = world.report()
        looked(lead_client, f"/reports/{report.pk}/")
        text = words(lead_client.get(url_of(PAGES[1], world)))
        assert "dev 3 3 held-out 4 4" in text
        assert "Systems, baseline first v12, v13" in text
        assert (
            f"Run {world.run.pk} judge-{world.gold_set.name} v1 simulated done" in text
        )
        assert "14 of 14 1" in text
        assert "1 of 10 used" in text
        assert f"1 Report {report.pk}" in text

    def test_rounds_and_labels(self, lead_client, reviewer, other_reviewer):
        gold_set = make_set(cases=3)
        make_round(gold_set, reviewer, other_reviewer, labels_per_pair=2)
        text = words(lead_client.get(f"/gold-sets/{gold_set.name}/"))
        assert "Round one open 0 of 6 seats 2" in text
        assert "0 of 3 pairs have all 3 labels" in text

    def test_it_shows_no_pair_and_so_exposes_nobody(self, world, lead_client):
        for page in PAGES:
            lead_client.get(url_of(page, world))
        assert not Exposure.objects.exists()
        assert not Look.objects.exists()

    def test_queries_do_not_grow_with_runs(
        self, world, lead_client, django_assert_max_num_queries
    ):
        for name in ("a", "b", "c"):
            world.run_again(name)
        with django_assert_max_num_queries(24):
            lead_client.get(url_of(PAGES[1], world))

    def test_names_are_escaped(self, lead_client):
        make_set(1, name="x", title="<script>1</script>", systems=("<b>", "c"))
        for page in ("/gold-sets/", "/gold-sets/x/"):
            assert b"<script>1" not in lead_client.get(page).content
        assert b"&lt;b&gt;" in lead_client.get("/gold-sets/x/").content


class TestRun:
    def test_calls_and_invalid_by_reason_and_no_outcome(self, world, lead_client):
        text = words(lead_client.get(url_of(PAGES[2], world)))
        assert "14 of 14 calls done" in text
        assert "unparsed 1" in text
        assert "sim-1 — 14" in text
        assert "agreement" not in text.lower()

    def test_a_failed_run_says_why_and_how_to_go_on(self, world, lead_client):
        Run.objects.update(status=RunStatus.FAILED, failure="<b>key</b> refused")
        page = lead_client.get(url_of(PAGES[2], world))
        assert b"&lt;b&gt;key&lt;/b&gt; refused" in page.content
        assert f"run_judge --run {world.run.pk}" in words(page)
        assert "Make report" not in words(page)

    def test_leads_make_reports_and_auditors_do_not(
        self, world, lead_client, auditor_client
    ):
        url = f"/runs/{world.run.pk}/report"
        assert "Make report" not in words(auditor_client.get(f"/runs/{world.run.pk}/"))
        assert auditor_client.post(url).status_code == 403
        assert lead_client.get(url).status_code == 405
        assert not Report.objects.exists()
        reply = lead_client.post(url)
        report = Report.objects.get()
        assert reply["Location"] == f"/reports/{report.pk}/"
        assert report.created_by is not None
        assert report.created_by.username == "lead"

    def test_who_makes_a_report_is_not_asked_for_the_look(
        self, world, lead, lead_client, auditor_client
    ):
        url = f"/runs/{world.run.pk}/report"
        text = words(lead_client.post(url, follow=True))
        assert "Figure Dev Held-out" in text
        assert "Held-out pairs are closed" not in text
        assert Look.objects.get().looked_by == lead
        report = f"/reports/{Report.objects.get().pk}/"
        assert "Held-out pairs are closed" in words(auditor_client.get(report))

    def test_making_one_goes_past_no_budget(self, lead_client):
        world = make_world(look_budget=0)
        text = words(lead_client.post(f"/runs/{world.run.pk}/report", follow=True))
        assert "All 0 looks at the held-out results" in text
        assert "Figure Dev Held-out" not in text
        assert not Look.objects.exists()

    def test_a_report_of_a_sealed_set_is_made_without_a_look(self, lead_client):
        world = make_world()
        seal(world.gold_set)
        text = words(lead_client.post(f"/runs/{world.run.pk}/report", follow=True))
        assert "Held-out results are sealed." in text
        assert not Look.objects.exists()

    def test_the_same_report_is_made_once(self, world, lead_client):
        for _ in range(2):
            lead_client.post(f"/runs/{world.run.pk}/report")
        assert Report.objects.count() == 1

    def test_an_unfinished_run_has_none(self, world, lead_client):
        pair = world.gold_set.pairs.first()
        Call.objects.create(
            run=world.run,
            pair=pair,
            order="baseline_first",
            repeat=2,
            state=CallState.PENDING,
        )
        reply = lead_client.post(f"/runs/{world.run.pk}/report")
        assert reply.status_code == 409
        assert "still lacks 1 call" in words(reply)


class TestHome:
    def test_readers_see_sets_runs_and_reports(self, world, lead):
        report = world.report()
        found = home_context(lead)
        assert [s.name for s in found["gold_sets"]] == [world.gold_set.name]
        assert [s.pair_count for s in found["gold_sets"]] == [7]
        assert [run.pk for run in found["latest_runs"]] == [world.run.pk]
        assert [row.report for row in found["latest_reports"]] == [report]

    def test_others_see_nothing(self, world, reviewer, adjudicator):
        assert home_context(reviewer) == home_context(adjudicator) == {}

    def test_the_start_page_shows_no_held_out_figure(self, lead_client):
        make_world().report()
        page = lead_client.get("/").content.decode()
        assert "Latest reports" in page
        assert "66.7 %" in page
        assert not re.search(r"33\.3 %", page)
