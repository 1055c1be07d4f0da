"""Pages on splits, gold versions and their difference: what they show, who may."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from annotation.domain.consensus import ConsensusRule
from annotation.domain.outcomes import Outcome
from annotation.models import Exposure, GoldSet, GoldVersion, SplitAssignment
from annotation.services.adjudicating import Opinion, adjudicate
from annotation.services.aliases import reviewer_aliases
from annotation.services.freezing import freeze_gold
from annotation.services.held_out import note_held_out_seen
from tests.annotation.factory import START
from tests.annotation.gold_world import GoldWorld, make_gold_world, say
from tests.calibration.views.test_reports import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from config.accounts.models import User

PAGES = ["splits/", "gold/", "gold/1/2/", "quality/", "checks/"]
WISH = {"share": "25", "slices": "category", "seed": "spring", "reassign": "on"}


@pytest.fixture
def world(db: None) -> GoldWorld:
    return make_gold_world()


def hidden(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]+)"', page)
    assert found is not None
    return found[1]


class TestWhoMayCome:
    @pytest.mark.parametrize("page", PAGES)
    def test_leads_and_auditors(
        self, world: GoldWorld, lead_client: Client, auditor_client: Client, page: str
    ) -> None:
        for client in (lead_client, auditor_client):
            assert client.get(f"/gold-sets/shop/{page}").status_code == 200

    @pytest.mark.parametrize("page", PAGES)
    @pytest.mark.parametrize("method", ["get", "post"])
    def test_nobody_else(
        self,
        world: GoldWorld,
        client_of: Callable[[User], Client],
        reviewer: User,
        adjudicator: User,
        outsider: User,
        page: str,
        method: str,
    ) -> None:
        for user in (reviewer, adjudicator, outsider):
            ask = getattr(client_of(user), method)
            assert ask(f"/gold-sets/shop/{page}").status_code == 403

    @pytest.mark.parametrize(
        "page",
        [
            ("splits/"),
            ("gold/"),
            ("quality/"),
            ("checks/"),
            ("set-aside"),
            ("let-in"),
        ],
    )
    def test_auditors_change_nothing(
        self, world: GoldWorld, auditor_client: Client, page: str
    ) -> None:
        reply = auditor_client.post(
            f"/gold-sets/shop/{page}", {"rule": "mode_or_tie", "pairs": "1", **WISH}
        )
        assert reply.status_code == 403
        assert GoldVersion.objects.count() == 2
        assert not SplitAssignment.objects.exists()

    def test_strangers_are_sent_to_sign_in(
        self, world: GoldWorld, client: Client
    ) -> None:
        assert client.get("/gold-sets/shop/gold/").status_code == 302

    @pytest.mark.parametrize("page", ["splits/", "gold/", "gold/1/9/", "gold/1/2/"])
    def test_what_is_not_there(
        self, world: GoldWorld, lead_client: Client, page: str
    ) -> None:
        name = "shop" if "9" in page else "nothing"
        assert lead_client.get(f"/gold-sets/{name}/{page}").status_code == 404


class TestSplits:
    URL = "/gold-sets/shop/splits/"

    def test_shown_first_and_then_written_as_shown(
        self, world: GoldWorld, lead_client: Client, lead: User
    ) -> None:
        page = lead_client.get(self.URL, WISH).content.decode()
        text = re.sub(r"\s+", " ", page)
        assert "6 cases in dev, 2 held out." in text
        assert "category=order" in text
        assert not SplitAssignment.objects.exists()

        expect = hidden(page, "expect")
        reply = lead_client.post(self.URL, {**WISH, "expect": expect}, follow=True)
        row = SplitAssignment.objects.get()
        assert (row.digest, row.assigned_by, row.reassigned) == (expect, lead, True)
        assert "6 cases are in dev and 2 held out" in words(reply)

    def test_what_changed_in_between_is_refused(
        self, world: GoldWorld, lead_client: Client
    ) -> None:
        reply = lead_client.post(self.URL, {**WISH, "expect": "0" * 64})
        assert reply.status_code == 409
        assert "look again" in words(reply)

    @pytest.mark.parametrize(
        "bad", [{"share": "0"}, {"slices": "colour"}, {"seed": ""}]
    )
    def test_a_bad_wish_is_explained(
        self, world: GoldWorld, lead_client: Client, bad: dict[str, str]
    ) -> None:
        page = lead_client.get(self.URL, WISH | bad)
        assert page.status_code == 200
        assert 'role="alert"' in page.content.decode()
        assert lead_client.post(self.URL, WISH | bad).status_code == 400

    def test_locked_once_held_out_was_seen(
        self, world: GoldWorld, lead_client: Client
    ) -> None:
        note_held_out_seen(gold_set_id=world.gold_set.pk, now=START)
        text = words(lead_client.get(self.URL))
        assert "Locked since 2030-05-06 09:00" in text
        assert "Show what it comes to" not in text
        assert lead_client.post(self.URL, WISH).status_code == 409

    def test_an_auditor_sees_counts_and_no_form(
        self, world: GoldWorld, auditor_client: Client
    ) -> None:
        page = auditor_client.get(self.URL)
        assert "Dev 6 cases Held-out 2 cases In no split 0 cases" in words(page)
        assert "<form class=" not in page.content.decode()


class TestFreezing:
    URL = "/gold-sets/shop/gold/"

    def test_open_pairs_and_versions_are_shown(
        self, world: GoldWorld, lead_client: Client
    ) -> None:
        text = words(lead_client.get(self.URL))
        assert "Settled by labels 6 of 8 pairs" in text
        assert "case-3 v12 | v13 dev disputed" in text
        assert "case-4 v12 | v13 dev too few labels" in text
        assert "This is the gold of version 2: under this rule" in text
        assert "there is nothing new to freeze" in text
        assert "Freeze version" not in text
        assert "with v1" in text

    def test_the_way_to_adjudication(
        self, world: GoldWorld, lead_client: Client
    ) -> None:
        text = words(lead_client.get(self.URL))
        assert "1 is disputed: adjudicators get them on their page Adjudicate" in text

    def test_open_pairs_are_refused_unless_left_out(
        self, world: GoldWorld, lead_client: Client, lead: User
    ) -> None:
        say(world.pair(4), "tie", "tie", revision=2, hours=4)
        sent = {"rule": "majority_else_adjudicate"}
        refused = lead_client.post(self.URL, sent)
        assert refused.status_code == 409
        assert "case-3 (v12|v13: disputed)" in words(refused)

        reply = lead_client.post(self.URL, {**sent, "leave_open": "on"}, follow=True)
        assert "Version 3 is frozen." in words(reply)
        version = GoldVersion.objects.get(number=3)
        assert (version.left_open, version.created_by) == (1, lead)

    def test_the_same_gold_again_says_so(
        self, world: GoldWorld, lead_client: Client
    ) -> None:
        sent = {"rule": "majority_else_adjudicate", "leave_open": "on"}
        reply = lead_client.post(self.URL, sent, follow=True)
        assert "Nothing changed: the gold is that of version 2." in words(reply)

    def test_another_rule_is_shown_before_it_is_used(
        self, world: GoldWorld, lead_client: Client
    ) -> None:
        text = words(lead_client.get(self.URL, {"rule": "mode_or_tie"}))
        assert "Settled by labels 8 of 8 pairs" in text
        assert "Every pair has gold." in text
        assert "Freeze version 3" in text

    def test_a_rule_that_does_not_exist(
        self, world: GoldWorld, lead_client: Client
    ) -> None:
        assert lead_client.get(self.URL, {"rule": "guess"}).status_code == 200
        assert lead_client.post(self.URL, {"rule": "guess"}).status_code == 400

    def test_looking_keeps_nobody_from_a_pair(
        self, world: GoldWorld, lead_client: Client
    ) -> None:
        lead_client.get(self.URL)
        assert not Exposure.objects.exists()


class TestDifference:
    URL = "/gold-sets/shop/gold/1/2/"

    def test_dev_pairs_are_shown_and_held_out_ones_counted(
        self, world: GoldWorld, lead_client: Client, lead: User
    ) -> None:
        text = words(lead_client.get(self.URL))
        assert "case-0 moved" in text
        assert "candidate by consensus" in text
        for alias in reviewer_aliases(world.gold_set).values():
            assert f"{alias}, revision 2: tie" in text
        assert "case-7" not in text
        assert "1 of these pairs is or was held out and not shown." in text
        seen = Exposure.objects.filter(user=lead).values_list("pair", flat=True)
        assert set(seen) == {world.pair(0).pk}

    def test_held_out_pairs_on_request_only(
        self, world: GoldWorld, auditor_client: Client
    ) -> None:
        text = words(auditor_client.post(self.URL))
        assert "case-7 moved" in text
        assert GoldSet.objects.get(name="shop").held_out_seen_at is not None

    def test_no_label_is_given_a_name(
        self, world: GoldWorld, lead_client: Client
    ) -> None:
        text = words(lead_client.post(self.URL))
        assert "ann" not in re.findall(r"\w+", text)

    def test_why_it_moved_is_in_words(
        self, world: GoldWorld, lead_client: Client, adjudicator: User
    ) -> None:
        opinion = Opinion(Outcome.CANDIDATE, "reviewer_slip", "Read it again.")
        hour = timedelta(hours=1)
        adjudicate(
            pair=world.pair(3), opinion=opinion, by=adjudicator, now=START + 4 * hour
        )
        freeze_gold(
            gold_set=world.gold_set, rule=ConsensusRule.MODE_OR_TIE, by=None,
            now=START + 5 * hour, leave_open=True,
        )  # fmt: skip
        text = words(lead_client.post("/gold-sets/shop/gold/2/3/"))
        assert "Reviewer slip: somebody overlooked something" in text
        assert "reviewer_slip" not in text

    def test_a_version_with_itself(self, world: GoldWorld, lead_client: Client) -> None:
        assert lead_client.get("/gold-sets/shop/gold/1/1/").status_code == 400
