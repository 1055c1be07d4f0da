"""Reviewer quality and the checks as pages."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

import pytest

from annotation.domain.estimates import Estimate, Undefined
from annotation.domain.intervals import SignTest
from annotation.models import Exposure, ExposureKind, GoldSet, Pair, SetAside
from annotation.presenters import figures
from annotation.presenters.figures import Cell, number_cell, rounded, share_cell
from annotation.services.aliases import reviewer_aliases
from calibration.models import Look
from tests.annotation.gold_world import GoldWorld, make_gold_world
from tests.calibration.views.test_reports import words

if TYPE_CHECKING:
    from django.test import Client

    from config.accounts.models import User

QUALITY = "/gold-sets/shop/quality/"
JSON = "application/json"
CHECKS = "/gold-sets/shop/checks/"


@pytest.fixture
def world(db: None) -> GoldWorld:
    return make_gold_world()


class TestQuality:
    def test_figures_come_with_counts_and_intervals(
        self, world: GoldWorld, lead_client: Client
    ) -> None:
        text = words(lead_client.get(QUALITY))
        assert "11 labels on 6 pairs." in text
        # Pairwise agreement: 4 of 5 pairs with two labels.
        assert "80.0 % 5 pairs; 95 %" in text
        one, two = sorted(reviewer_aliases(world.gold_set).values())
        assert f"{one} and {two} 80.0 % 4 of 5; 95 %" in text
        assert "n/a no decisive label with an order" in text

    def test_each_cell_names_its_column_for_narrow_screens(
        self, world: GoldWorld, lead_client: Client, auditor_client: Client
    ) -> None:
        """There a row is a card of its own, without the heads above it."""
        for client, columns in ((lead_client, 9), (auditor_client, 7)):
            page = client.get(QUALITY).content.decode()
            row = page.split('role="rowheader"')[1]
            heads = re.findall(r'data-head="([^"]+)"', row)
            shown = re.findall(r'role="columnheader">([^<]+)<', page)
            assert heads == shown[1:]
            assert len(heads) == columns

    def test_names_are_hidden_until_asked_for(
        self, world: GoldWorld, lead_client: Client
    ) -> None:
        assert "ann" not in words(lead_client.get(QUALITY)).split()
        text = words(lead_client.post(QUALITY))
        assert ": ann" in text
        assert ": bob" in text
        assert "Show names" not in text

    def test_times_are_for_leads(
        self, world: GoldWorld, lead_client: Client, auditor_client: Client
    ) -> None:
        assert "Active seconds" in words(lead_client.get(QUALITY))
        text = words(auditor_client.get(QUALITY))
        assert "Active seconds" not in text
        assert "Show names" not in text

    def test_held_out_pairs_are_a_look_and_others_are_none(
        self, world: GoldWorld, lead_client: Client, auditor_client: Client
    ) -> None:
        for split in ("", "dev"):
            lead_client.get(QUALITY, {"split": split})
        assert not Look.objects.exists()
        asked = lead_client.get(QUALITY, {"split": "held_out"})
        assert asked.status_code == 200
        assert "showing them is a look: 0 of 10 are used" in words(asked)
        assert "Why do you look?" in words(asked)
        assert "labels on" not in words(asked)
        address = f"{QUALITY}?split=held_out"
        assert lead_client.post(address, {"reason": "  "}).status_code == 400
        assert not Look.objects.exists()
        assert GoldSet.objects.get().held_out_seen_at is None
        text = words(lead_client.post(address, {"reason": "an audit"}, follow=True))
        assert Look.objects.get().reason == "an audit"
        assert "4 labels on 2 pairs." in text
        assert "logged as a look" in text
        assert "15 labels on 8 pairs." in words(
            lead_client.get(QUALITY, {"split": "all"})
        )
        # The same person sees the same labels again: one look.
        assert [look.what for look in Look.objects.all()] == ["reviewer quality"]
        address = "/api/v1/gold-sets/shop/quality"
        auditor_client.get(address)
        assert Look.objects.count() == 1
        needed = auditor_client.get(address, {"split": "all"})
        assert (needed.status_code, needed.json()["code"]) == (409, "look_needed")
        detail = needed.json()["detail"]
        assert (detail["n"], detail["budget"], detail["new"]) == (1, 10, False)
        assert "look_reason" in detail["how"]
        for body in ({}, {"look_reason": " "}, {"reason": "x"}):
            refused = auditor_client.post(f"{address}?split=all", body, JSON)
            assert refused.status_code == 400
        assert Look.objects.count() == 1
        given = auditor_client.post(
            f"{address}?split=all", {"look_reason": "to check"}, JSON
        )
        assert given.json() == auditor_client.get(address, {"split": "all"}).json()
        assert [look.reason for look in Look.objects.all()] == ["an audit", "to check"]
        assert lead_client.get(QUALITY, {"split": "x"}).status_code == 400

    def test_past_the_budget_a_look_needs_a_reason(
        self, world: GoldWorld, lead_client: Client
    ) -> None:
        GoldSet.objects.update(look_budget=0)
        asked = lead_client.get(QUALITY, {"split": "held_out"})
        assert asked.status_code == 409
        assert "a further one needs a reason" in words(asked)
        assert "labels on" not in words(asked)
        assert not Look.objects.exists()
        address = f"{QUALITY}?split=held_out"
        given = lead_client.post(address, {"reason": "an audit"}, follow=True)
        assert "4 labels on 2 pairs." in words(given)
        assert Look.objects.get().reason == "an audit"


class TestChecks:
    def test_run_and_read(self, world: GoldWorld, lead_client: Client) -> None:
        assert "Not checked yet." in words(lead_client.get(CHECKS))
        text = words(lead_client.post(CHECKS, follow=True))
        assert "Identity leaks 8 to settle first" in text
        assert "v12 names &#x27;v12&#x27;: As v12 I say 0." in text
        assert "Nothing found: empty responses" in text
        assert "v13 against v12 8 1.00" in text

    def test_whoever_reads_which_system_wrote_what_is_noted(
        self, world: GoldWorld, lead_client: Client, auditor_client: Client, lead: User
    ) -> None:
        lead_client.post(CHECKS)
        assert not Exposure.objects.exists()
        lead_client.get(CHECKS)
        rows = Exposure.objects.filter(user=lead, kind=ExposureKind.SYSTEMS)
        assert rows.count() == 8

    def test_pairs_are_set_aside_and_let_in(
        self, world: GoldWorld, lead_client: Client
    ) -> None:
        lead_client.post(CHECKS)
        url, sent = "/gold-sets/shop/set-aside", {"reason": "identity-leaks"}
        pairs = [world.pair(0).pk, world.pair(1).pk]
        chosen = {**sent, "pairs": [str(pairs[0]), f"{pairs[0]},{pairs[1]}"]}
        text = words(lead_client.post(url, chosen, follow=True))
        assert "2 pairs set aside" in text
        assert "case-1 : identity-leaks" in text

        text = words(lead_client.post(url, {**sent, "all": "on"}, follow=True))
        assert "6 pairs set aside" in text
        assert not Pair.objects.usable().exists()

        back = {"pairs": str(pairs[0])}
        lead_client.post("/gold-sets/shop/let-in", back)
        assert [pair.pk for pair in Pair.objects.usable()] == [pairs[0]]

    @pytest.mark.parametrize(
        "sent",
        [
            {"reason": "identity-leaks"},
            {"reason": "identity-leaks", "pairs": "x"},
            {"reason": "dislike", "pairs": "1"},
            {"reason": "identity-leaks", "pairs": "9" * 40},
            {"reason": "languages", "all": "on"},
        ],
    )
    def test_bad_requests_change_nothing(
        self, world: GoldWorld, lead_client: Client, sent: dict[str, str]
    ) -> None:
        assert lead_client.post("/gold-sets/shop/set-aside", sent).status_code == 400
        assert not SetAside.objects.exists()

    def test_csv_without_formulas(self, world: GoldWorld, lead_client: Client) -> None:
        url = f"{CHECKS}identity-leaks.csv"
        assert lead_client.get(url).status_code == 404
        lead_client.post(CHECKS)
        reply = lead_client.get(url)
        rows = list(csv.reader(io.StringIO(reply.content.decode())))
        assert rows[0] == ["check", "case_ids", "pairs", "detail"]
        assert rows[1][:3] == ["identity-leaks", "case-0", str(world.pair(0).pk)]
        assert len(rows) == 9
        assert "shop-identity-leaks.csv" in reply.headers["Content-Disposition"]
        assert lead_client.get(f"{CHECKS}nothing.csv").status_code == 404

    def test_a_case_shows_its_responses_and_notes_who_looked(
        self, world: GoldWorld, auditor_client: Client, auditor: User
    ) -> None:
        pair = world.pair(6)
        url = f"/gold-sets/shop/cases/{pair.case_id}/"
        text = words(auditor_client.get(url))
        assert "As v12 I say 6." in text
        assert "held-out" in text
        [row] = Exposure.objects.all()
        assert (row.user, row.pair, row.kind) == (auditor, pair, "systems")
        assert auditor_client.get("/gold-sets/shop/cases/9999/").status_code == 404


class TestCells:
    def test_shares(self) -> None:
        given = Estimate(0.6851, 46, 135, 0.2661, 0.4239, 0.95, "wilson, clustered")
        assert share_cell(given) == Cell(
            "68.5 %", "46 of 135; 95 % 26.6\N{EN DASH}42.4, Wilson, clustered"
        )
        assert share_cell(Undefined("0 cases", 0, 0)) == Cell("n/a", "0 cases", True)

    @pytest.mark.parametrize(
        ("value", "shown"),
        [(0, "0.0 %"), (1, "100.0 %"), (0.0001, "< 0.1 %"), (0.9999, "> 99.9 %")],
    )
    def test_only_true_extremes_read_so(self, value: float, shown: str) -> None:
        figure = Estimate(value, None, 9, None, None, None, None)
        assert share_cell(figure) == Cell(shown, "9 pairs; no interval")

    def test_numbers_and_tests(self) -> None:
        kappa = Estimate(0.125, None, 40, -0.05, 0.3, 0.95, "fleiss-cohen-everitt")
        assert number_cell(kappa).detail == (
            "40 pairs; 95 % -0.05 to 0.30, Fleiss-Cohen-Everitt"
        )
        assert number_cell(kappa).value == "0.13"
        assert figures.test_cell(SignTest(9, 1, 0.0214)).value == "p = 0.021"
        assert figures.test_cell(SignTest(9, 1, 0.214)).value == "p = 0.21"
        assert figures.test_cell(SignTest(99, 1, 1e-9)).value == "p < 0.001"
        assert figures.test_cell(Undefined("no decisive cases")).undefined
        assert rounded(-0.004, 2) == "0.00"
