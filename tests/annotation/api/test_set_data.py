"""Gold sets, cases and pairs over the API: found without a name, and who may."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from annotation.models import Case, Exposure, LookPlan, Pair, SetAside
from config.accounts.roles import Role
from tests.annotation.factory import add_case, make_set
from tests.annotation.gold_world import GoldWorld, make_gold_world

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from config.accounts.models import User

SETS = "/api/v1/gold-sets/"
BASE = f"{SETS}shop/"
LISTS = ["cases/", "pairs/"]
ROLES = {
    Role.LEAD: 200, Role.AUDITOR: 200, Role.REVIEWER: 403, Role.ADJUDICATOR: 403,
    None: 403,
}  # fmt: skip


@pytest.fixture
def world(db: None) -> GoldWorld:
    return make_gold_world()


def rows(client: Client, url: str, **query: Any) -> list[dict[str, Any]]:
    """All pages of a list, two rows at a time."""
    found: list[dict[str, Any]] = []
    reply = client.get(url, {"page_size": 2, **query})
    while True:
        assert reply.status_code == 200, reply.content
        body = reply.json()
        assert len(body["results"]) <= 2
        found += body["results"]
        if body["next"] is None:
            return found
        reply = client.get(body["next"])


def seal(gold_set: Any, lead: User) -> None:
    LookPlan.objects.create(
        gold_set=gold_set, sequence=1, mode="sealed", budget=3, planned_by=lead,
        planned_at=timezone.now(),
    )  # fmt: skip


def put_aside(pair: Pair) -> None:
    SetAside.objects.create(pair=pair, reason="by-hand", set_aside_at=timezone.now())


class TestRoles:
    def test_readers_read_and_others_do_not(
        self,
        world: GoldWorld,
        client_of: Callable[[User], Client],
        make_user: Callable[..., User],
    ) -> None:
        case = f"shop/cases/{world.pair(0).case_id}/"
        for role, status in ROLES.items():
            client = client_of(make_user(f"a-{role}", *([role] if role else [])))
            for path in ("", "shop/", "shop/cases/", "shop/pairs/", case):
                reply = client.get(SETS + path)
                assert reply.status_code == status, (role, path)

    @pytest.mark.parametrize("path", ["", *LISTS, "cases/1/"])
    def test_an_unknown_set(self, db: None, lead_client: Client, path: str) -> None:
        reply = lead_client.get(f"{SETS}nothing/{path}")
        assert (reply.status_code, reply.json()["code"]) == (404, "gold_set_unknown")


class TestSets:
    def test_the_list_is_newest_first(
        self, world: GoldWorld, lead_client: Client
    ) -> None:
        for name in ("two", "three"):
            make_set(cases=0, name=name)
        found = rows(lead_client, SETS)
        assert [one["name"] for one in found] == ["three", "two", "shop"]
        assert found[-1] | {"created_at": ""} == {
            "name": "shop",
            "title": "The shop",
            "question": world.gold_set.question,
            "systems": ["v12", "v13"],
            "labels_per_pair": 2,
            "rule": "majority_else_adjudicate",
            "primary_slice": world.gold_set.primary_slice,
            "simulated": False,
            "created_at": "",
        }

    def test_one_set_says_what_it_holds(
        self, world: GoldWorld, lead_client: Client
    ) -> None:
        put_aside(world.pair(1))
        found = lead_client.get(BASE).json()
        assert found["cases"] == {"dev": 6, "held_out": 2, "unassigned": 0}
        assert found["pairs"] == {"all": 8, "set_aside": 1, "under_seal": 0}
        assert found["slices"] == ["category"]
        assert (found["splits_locked"], found["sealed"]) == (False, False)
        assert (found["guideline"], found["gold_version"]) == (None, 2)

    def test_its_doors_are_those_of_the_role(
        self, world: GoldWorld, lead_client: Client, auditor_client: Client
    ) -> None:
        doors = {}
        for client, who in ((lead_client, "lead"), (auditor_client, "auditor")):
            listed = client.get(BASE).json()["doors"]
            doors[who] = {d["url"].partition("shop/")[2]: d["methods"] for d in listed}
        assert doors["lead"]["splits"] == ["GET", "POST"]
        assert doors["auditor"]["splits"] == ["GET"]
        assert doors["lead"]["set-aside"] == ["POST"]
        assert "set-aside" not in doors["auditor"]
        assert set(LISTS) | {"exports/labels", "rounds/"} <= set(doors["auditor"])
        # What each door offers, it keeps.
        for path, methods in doors["auditor"].items():
            if "GET" in methods and "?" not in path:
                assert auditor_client.get(BASE + path).status_code != 403, path


class TestCasesAndPairs:
    def test_cases_in_order_and_by_split(
        self, world: GoldWorld, lead_client: Client
    ) -> None:
        found = rows(lead_client, f"{BASE}cases/")
        assert [one["case_id"] for one in found] == [f"case-{n}" for n in range(8)]
        held_out = rows(lead_client, f"{BASE}cases/", split="held_out")
        assert [one["case_id"] for one in held_out] == ["case-6", "case-7"]
        assert rows(lead_client, f"{BASE}cases/", split="none") == []
        assert lead_client.get(f"{BASE}cases/", {"split": "x"}).status_code == 400

    def test_pairs_tell_no_text_and_expose_nobody(
        self, world: GoldWorld, lead_client: Client
    ) -> None:
        pair = world.pair(3)
        SetAside.objects.create(
            pair=pair, reason="by-hand", set_aside_at=timezone.now()
        )
        found = rows(lead_client, f"{BASE}pairs/")
        assert [one["set_aside"] for one in found] == [n == 3 for n in range(8)]
        assert found[3] == {
            "id": pair.pk,
            "case": pair.case_id,
            "case_id": "case-3",
            "systems": ["v12", "v13"],
            "split": "dev",
            "set_aside": True,
            "digest": pair.digest,
        }
        dev = rows(lead_client, f"{BASE}pairs/", split="dev")
        assert [one["case_id"] for one in dev] == [f"case-{n}" for n in range(6)]
        rows(lead_client, f"{BASE}cases/")
        assert not Exposure.objects.exists()

    def test_queries_do_not_grow_with_rows(
        self,
        world: GoldWorld,
        lead_client: Client,
        django_assert_max_num_queries: Any,
    ) -> None:
        for path in LISTS:
            with django_assert_max_num_queries(8):
                assert len(lead_client.get(BASE + path).json()["results"]) == 8

    def test_a_case_in_full_is_noted_as_seen(
        self, world: GoldWorld, lead_client: Client, lead: User
    ) -> None:
        pair = world.pair(2)
        listed = rows(lead_client, f"{BASE}cases/")[2]
        found = lead_client.get(listed["url"]).json()
        assert found | listed == found
        assert found["prompt"] == pair.case.prompt
        assert [(one["system"], one["text"]) for one in found["responses"]] == [
            ("v12", "As v12 I say 2."),
            ("v13", "Reply 2 it was."),
        ]
        assert [(one["id"], one["designed"]) for one in found["pairs"]] == [
            (pair.pk, "")
        ]
        seen = Exposure.objects.values_list("user", "pair", "kind")
        assert list(seen) == [(lead.pk, pair.pk, "systems")]

    def test_a_case_of_another_set(self, world: GoldWorld, lead_client: Client) -> None:
        other = make_set(cases=1, name="other")
        reply = lead_client.get(f"{BASE}cases/{other.cases.get().pk}/")
        assert (reply.status_code, reply.json()["code"]) == (404, "case_unknown")
        assert not Exposure.objects.exists()


class TestSeal:
    def test_what_is_sealed_is_counted_and_not_told(
        self, world: GoldWorld, lead_client: Client, lead: User
    ) -> None:
        """Nor where the same texts stand in a set that is not sealed."""
        again = make_set(cases=0, name="again")
        systems = list(again.systems.order_by("position"))
        sealed = world.pair(6)
        add_case(
            again, systems, "renamed", prompt=sealed.case.prompt,
            texts=[sealed.baseline.text, sealed.candidate.text],
        )  # fmt: skip
        twin = Pair.objects.get(case__external_id="renamed")
        assert twin.texts_digest == sealed.texts_digest
        seal(world.gold_set, lead)

        for path in LISTS:
            found = [one["case_id"] for one in rows(lead_client, BASE + path)]
            assert found == [f"case-{n}" for n in range(6)]
            assert rows(lead_client, f"{SETS}again/{path}") == []
        state = lead_client.get(BASE).json()
        assert state["pairs"] == {"all": 8, "set_aside": 0, "under_seal": 2}
        assert state["sealed"] is True
        assert lead_client.get(f"{SETS}again/").json()["pairs"]["under_seal"] == 1
        for case in Case.objects.filter(pk__in=[sealed.case_id, twin.case_id]):
            reply = lead_client.get(f"{SETS}{case.gold_set.name}/cases/{case.pk}/")
            assert (reply.status_code, reply.json()["code"]) == (403, "held_out_sealed")
        assert not Exposure.objects.exists()
