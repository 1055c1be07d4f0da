"""The pages of cases and disagreements, by role, and by the links of a report."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest
from django.http import QueryDict

from annotation.models import Exposure, RulingRequest
from calibration.forms.reports import CasesForm
from calibration.models import Disposition, Look
from calibration.services.report_cases import CaseFilter, cases
from tests.calibration.reviews import looked, pair_named, review_world
from tests.calibration.views.test_reports import words

if TYPE_CHECKING:
    from django.test import Client

    from tests.calibration.world import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return review_world()


def base(world: World) -> str:
    return f"/reports/{world.report().pk}"


def page_of(world: World, case: str) -> str:
    return f"{base(world)}/disagreements/{pair_named(world, case).pk}/"


class TestRoles:
    DOORS = ("cases/", "disagreements/", "disagreements/{}/")

    @pytest.mark.parametrize("door", DOORS)
    @pytest.mark.parametrize("who", ["lead", "auditor"])
    def test_readers_are_let_in(self, world, request, who, door):
        client: Client = request.getfixturevalue(f"{who}_client")
        pair = pair_named(world, "case-0003").pk
        assert client.get(f"{base(world)}/{door.format(pair)}").status_code == 200

    @pytest.mark.parametrize("door", DOORS)
    @pytest.mark.parametrize("who", ["reviewer", "adjudicator"])
    def test_others_are_not(self, world, request, who, door):
        client: Client = request.getfixturevalue(f"{who}_client")
        pair = pair_named(world, "case-0003").pk
        assert client.get(f"{base(world)}/{door.format(pair)}").status_code == 403

    def test_an_auditor_decides_nothing(self, world, auditor_client):
        url = page_of(world, "case-0003")
        form = {"finding": "case_bad", "note": "x"}
        assert auditor_client.post(f"{url}decide", form).status_code == 403
        assert 'id="decide"' not in auditor_client.get(url).content.decode()


class TestWalk:
    def test_the_list_is_in_order(self, world, lead_client):
        text = words(lead_client.get(f"{base(world)}/disagreements/"))
        places = [text.index(f"case-000{n}") for n in (4, 3, 2)]
        assert places == sorted(places)
        assert "case-0005" not in text

    def test_one_shows_both_sides_of_it(self, world, lead_client):
        text = words(lead_client.get(page_of(world, "case-0003")))
        assert "Gold says candidate , the judge baseline" in text
        assert "note 0 on case-0003" in text
        assert "raw wrong" in text
        assert "Baseline: v12" in text
        assert "Candidate: v13" in text
        assert "Reply 0 to it." in text
        assert "Please answer request number 0003." in text

    def test_noting_a_finding_goes_on_to_the_next(self, world, lead_client):
        url = page_of(world, "case-0003")
        form = {"finding": "gold_wrong", "note": "line one\r\nline two"}
        reply = lead_client.post(f"{url}decide", form, follow=True)
        assert reply.redirect_chain == [(page_of(world, "case-0002"), 302)]
        assert "It was sent to blind adjudication." in words(reply)
        assert Disposition.objects.get().note == "line one\nline two"
        assert RulingRequest.objects.count() == 2
        again = words(lead_client.get(url))
        assert "Decide anew" in again
        assert "sent to blind adjudication" in again

    @pytest.mark.parametrize(
        "form", [{}, {"finding": "x", "note": "y"}, {"finding": "case_bad"}]
    )
    def test_what_is_missing_is_said(self, world, lead_client, form):
        reply = lead_client.post(f"{page_of(world, 'case-0003')}decide", form)
        assert reply.status_code == 400
        assert not Disposition.objects.exists()

    def test_a_note_is_kept_when_it_is_refused(self, world, lead_client):
        reply = lead_client.post(
            f"{page_of(world, 'case-0003')}decide", {"note": "kept text"}
        )
        assert "kept text" in reply.content.decode()


class TestHeldOut:
    def test_a_form_stands_in_front_of_them(self, world, lead_client):
        url = f"{base(world)}/disagreements/?split=held_out"
        reply = lead_client.get(url)
        assert reply.status_code == 403
        assert "Held-out pairs are closed" in words(reply)
        opened = lead_client.post(
            f"{base(world)}/disagreements/open", {"reason": "tuning"}, follow=True
        )
        assert "case-0005" in words(opened)
        assert Look.objects.get().reason == "tuning"
        text = words(lead_client.get(page_of(world, "case-0005")))
        assert "raw closed" in text

    def test_their_address_does_not_open_them(self, world, lead_client):
        url = page_of(world, "case-0005")
        assert lead_client.get(url).status_code == 403
        assert lead_client.post(f"{url}decide", {"finding": "case_bad", "note": "x"})
        assert not Disposition.objects.exists()
        assert not Exposure.objects.exists()

    def test_past_the_budget_a_reason_is_asked_for(self, lead_client):
        world = review_world(look_budget=1)
        looked(lead_client, f"{base(world)}/")
        url = f"{base(world)}/disagreements/open"
        refused = lead_client.post(url)
        assert refused.status_code == 409
        assert "All 1 looks" in words(refused)
        assert lead_client.post(url, {"reason": "audit"}).status_code == 302


# How links to lists name their number: of slices, of figures, of tables.
NUMBERED = (
    r"([\d,]+) (?:cases|pairs) of",
    r"(?:dev|held-out|labelled|differs|shared|differing) +([\d,]+)\s*$",
    r"^\s*([\d,]+)",
)


class TestLinks:
    def test_every_link_leads_to_so_many_pairs_as_it_says(
        self, world, lead_client, lead
    ):
        """Whatever leads to a list of pairs names their number, and none is empty."""
        looked(lead_client, f"{base(world)}/")
        lead_client.post(f"{base(world)}/disagreements/open", {"reason": "tuning"})
        page = lead_client.get(f"{base(world)}/").content.decode()
        links = re.findall(r'/cases/\?([^"]+)">(.*?)</a>', page, re.DOTALL)
        asked = {}
        for query, text in links:
            plain = re.sub(r"<[^>]+>", " ", text)
            told = next(filter(None, (re.search(one, plain) for one in NUMBERED)), None)
            assert told, plain
            count = int(told[1].replace(",", ""))
            assert asked.setdefault(unescape(query), count) == count, plain
        assert {
            "split=dev&slice=language%3Dde&wrong=on",
            "split=dev&consistency=flip",
            "split=dev&figure=position.first_slot_flips",
        } <= set(asked)
        assert len(asked) > 100
        report = world.report()
        for query, count in asked.items():
            form = CasesForm(QueryDict(query))
            assert form.is_valid(), query
            found = cases(report, CaseFilter(**form.wanted()), lead)
            assert found.count() == count > 0, query
        for query in list(asked)[::20]:
            text = words(lead_client.get(f"{base(world)}/cases/?{query}"))
            count = asked[query]
            assert f" {count} pair{'' if count == 1 else 's'}. Whoever" in text, query

    def test_a_file_has_no_links(self, world, lead_client):
        looked(lead_client, f"{base(world)}/")
        page = lead_client.get(f"{base(world)}.html").content.decode()
        assert "/cases/" not in page

    def test_an_unknown_filter_is_refused(self, world, lead_client):
        for query in (
            "gold=both", "gold=tie,both", "verdict=tie,", "labels=most", "figure=n",
        ):  # fmt: skip
            assert lead_client.get(f"{base(world)}/cases/?{query}").status_code == 400


class TestCsv:
    def test_every_figure_is_a_row(self, world, lead_client):
        looked(lead_client, f"{base(world)}/")
        reply = lead_client.get(f"{base(world)}.csv")
        assert reply["Content-Type"] == "text/csv; charset=utf-8"
        assert "report-" in reply["Content-Disposition"]
        lines = reply.content.decode().splitlines()
        assert lines[0].startswith("split,slice,figure,value,numerator,denominator,low")
        rows = {tuple(line.split(",")[:3]): line.split(",") for line in lines[1:]}
        assert rows["dev", "", "exact_agreement"][3:6] == ["0.4", "2", "5"]
        assert rows["dev", "", "confusion.candidate.baseline"][3] == "1"
        assert rows["dev", "language=de", "flip_rate"][4:6] == ["1", "2"]
        assert rows["held_out", "", "exact_agreement"][4:6] == ["1", "2"]
        assert ("dev_less_held_out", "", "exact_agreement") in rows
        assert len(rows) == len(lines) - 1

    def test_it_is_a_look(self, world, lead_client):
        assert lead_client.get(f"{base(world)}.csv").status_code == 409
        assert not Look.objects.exists()
        looked(lead_client, f"{base(world)}/")
        lead_client.get(f"{base(world)}.csv")
        assert Look.objects.get().report == world.report()
