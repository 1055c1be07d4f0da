"""Splits, gold, quality and checks over the API: roles, and the same as the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from annotation.models import (
    Exposure,
    GoldSet,
    GoldVersion,
    Pair,
    SetCheck,
    SplitAssignment,
)
from annotation.services.aliases import reviewer_aliases
from tests.annotation.gold_world import GoldWorld, make_gold_world, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from config.accounts.models import User

BASE = "/api/v1/gold-sets/shop/"
READ = ["splits", "gold", "gold/versions", "gold/versions/1/changes/2", "quality"]
CHANGE: dict[str, dict[str, Any]] = {
    "splits": {"seed": "spring", "reassign": True},
    "gold/versions": {"leave_open": True, "rule": "mode_or_tie"},
    "checks": {},
    "set-aside": {"pairs": [1]},
    "let-in": {"pairs": [1]},
}


@pytest.fixture
def world(db: None) -> GoldWorld:
    return make_gold_world()


def post(client: Client, path: str, body: object = None) -> Any:
    return client.post(BASE + path, body or {}, content_type="application/json")


class TestRoles:
    @pytest.mark.parametrize("path", READ)
    def test_readers_read(
        self, world: GoldWorld, lead_client: Client, auditor_client: Client, path: str
    ) -> None:
        for client in (lead_client, auditor_client):
            assert client.get(BASE + path).status_code == 200

    @pytest.mark.parametrize("path", [*READ, "checks"])
    def test_others_do_not(
        self,
        world: GoldWorld,
        client_of: Callable[[User], Client],
        reviewer: User,
        adjudicator: User,
        outsider: User,
        path: str,
    ) -> None:
        for user in (reviewer, adjudicator, outsider):
            assert client_of(user).get(BASE + path).status_code == 403

    @pytest.mark.parametrize("path", CHANGE)
    def test_only_leads_change(
        self,
        world: GoldWorld,
        client_of: Callable[[User], Client],
        reviewer: User,
        adjudicator: User,
        auditor: User,
        path: str,
    ) -> None:
        for user in (reviewer, adjudicator, auditor):
            reply = post(client_of(user), path, CHANGE[path])
            assert reply.status_code == 403
        assert GoldVersion.objects.count() == 2
        assert not SetCheck.objects.exists()
        assert not SplitAssignment.objects.exists()

    @pytest.mark.parametrize("path", READ)
    def test_an_unknown_set(self, db: None, lead_client: Client, path: str) -> None:
        reply = lead_client.get(f"/api/v1/gold-sets/nothing/{path}")
        assert reply.status_code == 404
        assert reply.json()["code"] == "gold_set_unknown"


class TestSplits:
    def test_counts(self, world: GoldWorld, lead_client: Client) -> None:
        assert lead_client.get(BASE + "splits").json() == {
            "dev": 6,
            "held_out": 2,
            "unassigned": 0,
            "locked": False,
            "slices": ["category"],
        }

    def test_dry_run_then_the_same_for_good(
        self, world: GoldWorld, lead_client: Client, lead: User
    ) -> None:
        wish = {"seed": "s", "slices": ["category"], "reassign": True}
        dry = post(lead_client, "splits", wish | {"dry_run": True}).json()
        assert dry["written"] is False
        assert not SplitAssignment.objects.exists()
        done = post(lead_client, "splits", wish | {"expect": dry["digest"]}).json()
        assert done == dry | {"written": True}
        assert (done["dev"], done["held_out"]) == (4, 4)
        assert SplitAssignment.objects.get().assigned_by == lead

    def test_without_a_seed_one_is_drawn_and_named(
        self, world: GoldWorld, lead_client: Client
    ) -> None:
        wish = {"reassign": True}
        dry = post(lead_client, "splits", wish | {"dry_run": True}).json()
        assert len(dry["seed"]) == 16
        again = wish | {"seed": dry["seed"], "expect": dry["digest"]}
        done = post(lead_client, "splits", again).json()
        assert done == dry | {"written": True}
        assert SplitAssignment.objects.get().seed == dry["seed"]

    @pytest.mark.parametrize(
        ("wish", "status"),
        [
            ({"seed": "s", "held_out": 1.5}, 400),
            ({"seed": "s", "slices": ["x"]}, 400),
            ({"seed": ""}, 400),
            ({"seed": "s", "expect": "0"}, 409),
        ],
    )
    def test_refusals(
        self, world: GoldWorld, lead_client: Client, wish: object, status: int
    ) -> None:
        assert post(lead_client, "splits", wish).status_code == status


class TestGold:
    def test_as_it_stands(self, world: GoldWorld, lead_client: Client) -> None:
        found = lead_client.get(BASE + "gold").json()
        assert (found["pairs"], found["by_consensus"], found["by_ruling"]) == (8, 6, 0)
        assert found["unchanged_from"] == 2
        assert found["open"][0] == {
            "case_id": "case-3",
            "systems": ["v12", "v13"],
            "split": "dev",
            "reason": "disputed",
        }
        tie = lead_client.get(BASE + "gold", {"rule": "mode_or_tie"}).json()
        assert tie["open"] == []
        assert lead_client.get(BASE + "gold", {"rule": "x"}).status_code == 400

    def test_versions_newest_first(self, world: GoldWorld, lead_client: Client) -> None:
        rows = lead_client.get(BASE + "gold/versions").json()["results"]
        assert [row["number"] for row in rows] == [2, 1]
        assert rows[0]["left_open"] == 2
        assert rows[1]["changes_url"] is None
        found = lead_client.get(rows[0]["changes_url"]).json()
        assert [change["kind"] for change in found["changes"]] == ["moved"]

    def test_open_pairs_are_refused_with_counts(
        self, world: GoldWorld, lead_client: Client
    ) -> None:
        reply = post(lead_client, "gold/versions")
        assert reply.status_code == 409
        assert reply.json()["code"] == "gold_open"
        assert reply.json()["detail"] == {
            "open": 2,
            "reasons": {"disputed": 1, "too_few_labels": 1},
        }

    def test_freezing(self, world: GoldWorld, lead_client: Client) -> None:
        say(world.pair(4), "tie", "tie", revision=2, hours=4)
        made = post(lead_client, "gold/versions", {"leave_open": True}).json()
        assert (made["number"], made["left_open"]) == (3, 1)
        again = post(lead_client, "gold/versions", {"leave_open": True}).json()
        assert again == made

    def test_the_difference(
        self, world: GoldWorld, lead_client: Client, lead: User
    ) -> None:
        url = BASE + "gold/versions/1/changes/2"
        found = lead_client.get(url).json()
        [change] = found["changes"]
        assert (change["case_id"], change["kind"]) == ("case-0", "moved")
        assert change["before"]["outcome"] == "candidate"
        aliases = reviewer_aliases(world.gold_set)
        assert {label["by"] for label in change["labels"]} == {*aliases.values()}
        assert found["flow"] == [{"from": "candidate", "to": "tie", "pairs": 1}]
        assert (found["withheld"], found["unchanged"]) == (1, 6)
        assert Exposure.objects.filter(user=lead).exists()
        assert GoldSet.objects.get().held_out_seen_at is None

        needed = lead_client.get(url, {"held_out": "true"})
        assert (needed.status_code, needed.json()["code"]) == (409, "look_needed")
        assert GoldSet.objects.get().held_out_seen_at is None
        asked = {"look_reason": "an audit"}
        look = post(lead_client, "gold/versions/1/changes/2?held_out=true", asked)
        assert len(look.json()["changes"]) == 2
        assert lead_client.get(url, {"held_out": "true"}).json() == look.json()
        assert GoldSet.objects.get().held_out_seen_at is not None


class TestQuality:
    def test_figures_without_names_and_times_for_leads(
        self, world: GoldWorld, lead_client: Client, auditor_client: Client
    ) -> None:
        reply = lead_client.get(BASE + "quality")
        found = reply.json()
        assert "ann" not in reply.content.decode().replace("planned", "")
        aliases = reviewer_aliases(world.gold_set)
        assert [row["reviewer"] for row in found["reviewers"]] == sorted(
            aliases.values()
        )
        between = found["team"]["between"][0]["agreement"]
        assert (between["numerator"], between["denominator"]) == (4, 5)
        left = found["reviewers"][0]["left"]
        assert left["value"] is None
        assert left["undefined"] == "no decisive label with an order"
        assert found["reviewers"][0]["elapsed"]["undefined"] == "no times recorded"
        other = auditor_client.get(BASE + "quality", {"split": "dev"}).json()
        assert other["reviewers"][0]["elapsed"] is None
        assert other["team"]["pairs"] == 6


class TestChecks:
    def test_run_read_and_act(self, world: GoldWorld, lead_client: Client) -> None:
        assert lead_client.get(BASE + "checks").json()["code"] == "not_checked"
        made = post(lead_client, "checks").json()
        assert made == lead_client.get(BASE + "checks").json()
        leaks = next(c for c in made["checks"] if c["check"] == "identity-leaks")
        assert (leaks["count"], leaks["severity"]) == (8, "settle_first")
        assert made["lengths"][0]["unbalanced"] is False
        assert Exposure.objects.filter(kind="systems").count() == 8

        pairs = [pair for f in leaks["findings"] for pair in f["pairs"]]
        sent = {"pairs": pairs, "reason": "identity-leaks", "note": "all of them"}
        assert post(lead_client, "set-aside", sent).json() == {"count": 8}
        assert post(lead_client, "let-in", {"pairs": pairs[:3]}).json() == {"count": 3}
        assert Pair.objects.usable().count() == 3

    @pytest.mark.parametrize(
        ("sent", "status"),
        [
            ({"pairs": []}, 400),
            ({"pairs": ["x"]}, 400),
            ({"pairs": [0]}, 400),
            ({"pairs": [2**61]}, 404),
            ({"pairs": [1], "reason": "x"}, 400),
        ],
    )
    def test_refusals(
        self, world: GoldWorld, lead_client: Client, sent: object, status: int
    ) -> None:
        assert post(lead_client, "set-aside", sent).status_code == status
