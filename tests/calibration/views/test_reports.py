"""The report page, its files and the list."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest

from calibration.models import Look
from tests.calibration.reviews import looked
from tests.calibration.world import DEV_ONLY, Told, make_world

pytestmark = pytest.mark.django_db
DOORS = ["/reports/", "/reports/{}/", "/reports/{}.json", "/reports/{}.html"]
EVIL = "<script>alert('x')</script>"


def words(reply) -> str:
    """The page's text, without tags and double spaces."""
    text = re.sub(r"<[^>]+>", " ", reply.content.decode())
    return re.sub(r"\s+", " ", text)


def refuse_constant(name: str) -> None:
    raise AssertionError(name)


class TestWhoMayCome:
    @pytest.mark.parametrize("door", DOORS)
    def test_leads_and_auditors(self, world, client_of, lead, auditor, door):
        url = door.format(world.report().pk)
        for client in (client_of(lead), client_of(auditor)):
            looked(client, f"/reports/{world.report().pk}/")
            assert client.get(url).status_code == 200

    @pytest.mark.parametrize("door", DOORS)
    def test_nobody_else(self, world, client_of, door, reviewer, adjudicator, outsider):
        url = door.format(world.report().pk)
        for user in (reviewer, adjudicator, outsider):
            assert client_of(user).get(url).status_code == 403
        assert not Look.objects.exists()

    @pytest.mark.parametrize("door", DOORS)
    def test_strangers_are_sent_to_sign_in(self, world, client, door):
        reply = client.get(door.format(world.report().pk))
        assert reply["Location"].startswith("/login/?next=/reports/")

    def test_a_report_that_is_not_there(self, lead_client):
        assert lead_client.get("/reports/7/").status_code == 404


class TestPage:
    def test_it_answers_first_and_shows_both_splits(self, world, lead_client):
        text = words(looked(lead_client, f"/reports/{world.report().pk}/"))
        assert "May this judge be trusted?" in text
        assert "Too few pairs with gold to say" in text
        assert "Measured on 3 pairs of the held-out split with gold." in text
        assert "SIMULATED JUDGE" in text
        assert "Figure Dev Held-out" in text
        assert "50.0 % 1 of 2; 95 % 9.5\N{EN DASH}90.5, Wilson" in text
        assert "Held-out looks: 1 of 10 used; this report is look 1." in text

    def test_the_contingency_table_counts_every_pair(self, world, lead_client):
        page = looked(lead_client, f"/reports/{world.report().pk}/").content.decode()
        table = re.findall(r"<table class=\"heat\">.*?</table>", page, re.DOTALL)[1]
        rows = re.findall(r"<tr>.*?</tr>", table, re.DOTALL)
        number = r'<td class="num[^>]*>(?:<a [^>]*>)?([\d,]+)'
        cells = [re.findall(number, row) for row in rows]
        assert cells[1:] == [
            ["1", "1", "0", "0", "0", "2"],
            ["0", "0", "0", "0", "1", "1"],
            ["0", "0", "0", "0", "0", "0"],
            ["0", "0", "0", "0", "0", "0"],
            ["1", "1", "0", "0", "1", "3"],
        ]
        assert "not in this table: 1 pair." in page

    def test_small_slices_are_greyed_and_not_hidden(self, world, lead_client):
        page = looked(lead_client, f"/reports/{world.report().pk}/").content.decode()
        for value in ("de", "en"):
            assert re.search(
                rf'<tr class="small-slice">\s*<th scope="row">{value} ', page
            )

    def test_invalid_is_shown_by_reason(self, world, lead_client):
        text = words(looked(lead_client, f"/reports/{world.report().pk}/"))
        assert "unparsed calls pairs: unparsed, pairs: held-out 1 0 1" in text
        assert "other reasons calls: conflicting, empty" in text

    def test_without_splits_all_pairs_stand_in_one_column(self, lead_client):
        world = make_world([Told("", "B", "B", "B"), Told("", "C", "C", "C")])
        text = words(lead_client.get(f"/reports/{world.report().pk}/"))
        assert "Figure All pairs" in text
        assert "nothing was held out" in text
        assert not Look.objects.exists()

    def test_names_are_escaped(self, lead_client):
        told = Told("dev", "B", "B", "B", {EVIL: EVIL})
        world = make_world([told], systems=(EVIL, "v13"))
        for form in ("/", ".html"):
            page = lead_client.get(f"/reports/{world.report().pk}{form}")
            assert EVIL not in page.content.decode()
            assert "&lt;script&gt;alert(&#x27;x&#x27;)" in page.content.decode()

    def test_nothing_is_inline_and_every_heading_has_its_place(
        self, world, lead_client
    ):
        page = looked(lead_client, f"/reports/{world.report().pk}/").content.decode()
        assert not re.search(r"\sstyle=|<style|\son[a-z]+=", page)
        assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", page))
        levels = [int(level) for level in re.findall(r"<h(\d)", page)]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(b - a <= 1 for a, b in pairwise(levels))
        ids = re.findall(r'\sid="([^"]+)"', page)
        assert len(ids) == len(set(ids))
        named = {
            i for t in re.findall(r'aria-labelledby="([^"]+)"', page) for i in t.split()
        }
        assert named <= set(ids)
        assert not re.search(r"<th(?![^>]*scope=)[ >]", page)

    def test_the_contents_lead_to_every_part(self, world, lead_client):
        url = f"/reports/{world.report().pk}"
        for page in (looked(lead_client, f"{url}/"), lead_client.get(f"{url}.html")):
            text = page.content.decode()
            (contents,) = re.findall(r'<nav class="contents".*?</nav>', text, re.DOTALL)
            links = re.findall(r'href="#([^"]+)"', contents)
            assert set(links) <= set(re.findall(r'\sid="([^"]+)"', text))
            parts = re.findall(r'<div class="part-body" id="([^"]+)"', text)
            assert [link for link in links if link in parts] == parts
            assert text.count("<details") == len(parts) > 15

    def test_the_picture_says_in_words_what_it_shows(self, world, lead_client):
        page = looked(lead_client, f"/reports/{world.report().pk}/").content.decode()
        text = re.search(r"Exact agreement<span[^>]*>(.*?)</span>", page, re.DOTALL)
        assert text
        assert text[1].startswith(": dev 66.7 % (2 of 3;")
        assert "; held-out 33.3 % (1 of 3;" in text[1]


class TestLooks:
    def test_a_look_is_asked_for_once_and_opens_every_form(
        self, world, lead_client, lead
    ):
        url = f"/reports/{world.report().pk}/"
        text = words(lead_client.get(url))
        assert "showing them is a look: 0 of 10 are used, and this would be" in text
        assert "Measured on 3 pairs of the dev split" in text
        assert "Figure Dev Held-out" not in text
        assert "Download JSON" not in text
        assert lead_client.get(url.rstrip("/") + ".json").status_code == 409
        assert not Look.objects.exists()
        assert "Figure Dev Held-out" in words(looked(lead_client, url))
        again = words(lead_client.get(url))
        assert "Figure Dev Held-out" in again
        assert "Held-out pairs are closed" not in again
        assert lead_client.get(url.rstrip("/") + ".json").status_code == 200
        assert [(x.looked_by, x.door, x.reason) for x in Look.objects.all()] == [
            (lead, "page", "the release is due")
        ]

    def test_somebody_else_is_asked_too(self, world, lead_client, auditor_client):
        url = f"/reports/{world.report().pk}/"
        looked(lead_client, url)
        text = words(auditor_client.get(url))
        assert "1 of 10 are used, and this is one of them" in text
        assert Look.objects.count() == 1

    @pytest.mark.parametrize("reason", ["", "  ", "x" * 2001])
    def test_a_look_needs_a_reason(self, world, lead_client, reason):
        url = f"/reports/{world.report().pk}/"
        reply = lead_client.post(url, {"reason": reason})
        assert reply.status_code == 400
        assert "Say why you look" in words(reply)
        assert "Figure Dev Held-out" not in words(reply)
        assert not Look.objects.exists()

    @pytest.mark.parametrize("form", ["/", ".json", ".csv", ".html"])
    def test_asking_for_the_head_is_none(self, world, lead_client, form):
        reply = lead_client.head(f"/reports/{world.report().pk}{form}")
        assert reply.status_code == (200 if form == "/" else 409)
        assert not Look.objects.exists()

    def test_dev_alone_is_none(self, lead_client):
        report = make_world(DEV_ONLY).report()
        assert lead_client.get(f"/reports/{report.pk}/").status_code == 200
        assert not Look.objects.exists()


class TestPastTheBudget:
    @pytest.fixture
    def url(self, db) -> str:
        return f"/reports/{make_world(look_budget=0).report().pk}/"

    def test_dev_is_shown_and_a_reason_asked_for(self, url, lead_client):
        reply = lead_client.get(url)
        text = words(reply)
        assert "All 0 looks at the held-out results" in text
        assert "Measured on 3 pairs of the dev split" in text
        assert "Figure Dev Held-out" not in text
        assert "Download JSON" not in text
        assert not Look.objects.exists()

    def test_no_held_out_figure_gets_out(self, url, lead_client):
        page = lead_client.get(url).content.decode()
        # The verdicts of dev, those of each order, and the classes by gold.
        assert page.count('<table class="heat">') == 4
        assert "<caption>Held-out" not in page
        assert "Held-out results are not shown here." in page

    def test_a_reason_opens_it_and_leaves_its_mark(self, url, lead_client):
        reply = lead_client.post(url, {"reason": "the audit asks"}, follow=True)
        assert reply.redirect_chain == [(url, 302)]
        assert "were disclosed 1 times; planned were 0" in words(reply)
        assert Look.objects.get().reason == "the audit asks"

    def test_a_blank_reason_does_not(self, url, lead_client):
        reply = lead_client.post(url, {"reason": "  "})
        assert "Say why you look" in words(reply)
        assert not Look.objects.exists()

    def test_auditors_may_give_a_reason_and_reviewers_nothing(
        self, url, auditor_client, reviewer_client
    ):
        assert reviewer_client.post(url, {"reason": "why not"}).status_code == 403
        assert auditor_client.post(url, {"reason": "yearly"}).status_code == 302

    @pytest.mark.parametrize("form", [".json", ".csv", ".html"])
    def test_files_are_refused(self, url, lead_client, form):
        reply = lead_client.get(url.rstrip("/") + form)
        assert reply.status_code == 409
        assert not Look.objects.exists()


class TestFiles:
    def test_the_json_is_strict_and_complete(self, world, lead_client):
        report = world.report()
        looked(lead_client, f"/reports/{report.pk}/")
        reply = lead_client.get(f"/reports/{report.pk}.json")
        found = json.loads(reply.content, parse_constant=refuse_constant)
        assert reply["Content-Type"] == "application/json"
        assert reply["Content-Disposition"] == (
            f'attachment; filename="report-{report.pk}.json"'
        )
        assert found["schema"] == "evenhand.report/1"
        assert found["looks"]["n"] == 1
        assert found["splits"]["held_out"]["n"] == 4

    def test_the_html_stands_alone(self, world, lead_client):
        looked(lead_client, f"/reports/{world.report().pk}/")
        page = lead_client.get(f"/reports/{world.report().pk}.html").content.decode()
        assert page.startswith("<!doctype html>")
        assert ".heat td.agrees" in page
        assert re.findall(r'(?:src|href)="(?!#)[^"]*"', page) == []
        assert "url(" not in page
        assert "@import" not in page
        assert "<script" not in page
        assert "SIMULATED JUDGE" in page


class TestList:
    def test_newest_first_and_dev_only(self, world, lead_client):
        first, second = world.report(), world.run_again("other").report()
        text = words(lead_client.get("/reports/"))
        assert text.index(f"Report {second.pk}") < text.index(f"Report {first.pk}")
        assert "66.7 % 2 of 3" in text
        assert "33.3 %" not in text
        assert not Look.objects.exists()

    def test_without_dev_pairs_no_figure(self, lead_client):
        make_world([Told("held_out", "B", "B", "B")]).report()
        text = words(lead_client.get("/reports/"))
        assert "no dev pairs with gold" in text
        assert "100.0 %" not in text

    def test_an_empty_one_says_how_to_begin(self, lead_client):
        assert "No report yet" in words(lead_client.get("/reports/"))

    def test_queries_do_not_grow_with_reports(
        self, world, lead_client, django_assert_max_num_queries
    ):
        for name in ("a", "b", "c"):
            world.run_again(name).report()
        with django_assert_max_num_queries(6):
            lead_client.get("/reports/")
