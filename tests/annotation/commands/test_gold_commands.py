"""The commands on splits, gold and checks: what they print, write and refuse."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import GoldSet, SetCheck, SplitAssignment
from annotation.services.held_out import note_held_out_seen
from tests.annotation.factory import START, add_case, make_set
from tests.annotation.gold_world import GoldWorld, make_gold_world


@pytest.fixture
def world(db: None) -> GoldWorld:
    return make_gold_world()


def run(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out, stderr=out)
    return out.getvalue()


class TestAssignSplits:
    ARGS = ("assign_splits", "shop", "--seed", "spring", "--reassign")

    def test_counts_are_printed_before_and_after(self, world: GoldWorld) -> None:
        text = run(*self.ARGS, "--held-out", "0.25", "--slices", "category")
        notice, counts, _ = text.split("\n", 2)
        assert notice.startswith("Frozen gold, and reports under it, keep the old")
        assert counts == "before: 6 dev, 2 held-out, 0 in neither"
        assert "category=order         3         1" in text
        row = SplitAssignment.objects.get()
        assert text.splitlines()[-1] == (
            f"shop: 6 dev, 2 held-out, {row.moved} moved, 0 pairs held out that could "
            f"be seen before (seed spring, digest {row.digest})"
        )

    def test_a_dry_run_writes_nothing(self, world: GoldWorld) -> None:
        before = list(world.gold_set.cases.values_list("pk", "split"))
        text = run(*self.ARGS, "--dry-run")
        assert text.endswith("Nothing was written (seed spring).\n")
        assert list(world.gold_set.cases.values_list("pk", "split")) == before
        assert not SplitAssignment.objects.exists()

    def test_a_seed_is_drawn_and_named(self, world: GoldWorld) -> None:
        run("assign_splits", "shop", "--by-class", "--join-near-duplicates")
        row = SplitAssignment.objects.get()
        assert len(row.seed) == 16
        assert row.by_class
        assert row.join_near_duplicates
        assert row.moved == 0

    def test_locked(self, world: GoldWorld) -> None:
        note_held_out_seen(gold_set_id=world.gold_set.pk, now=START)
        with pytest.raises(CommandError, match="were looked at on 2030-05-06"):
            run(*self.ARGS)

    def test_unknown_set_and_slice(self, world: GoldWorld) -> None:
        with pytest.raises(CommandError, match="there are: shop"):
            run("assign_splits", "nothing")
        with pytest.raises(CommandError, match="there are: category"):
            run(*self.ARGS, "--slices", "colour")


class TestGoldDiff:
    def test_as_text(self, world: GoldWorld) -> None:
        lines = run("gold_diff", "shop", "2", "1").splitlines()
        assert lines[:3] == [
            "shop v1 to shop v2: 1 moved",
            "6 pairs are the same; 1 held-out pairs differ and are not shown",
            "case-0 v12|v13: moved: candidate (consensus, dev) -> tie (consensus, dev)",
        ]
        assert lines[3].endswith(": tie, revision 2")

    def test_as_json_with_held_out(self, world: GoldWorld) -> None:
        found = json.loads(run("gold_diff", "shop", "1", "2", "--json", "--held-out"))
        assert [change["case_id"] for change in found["changes"]] == [
            "case-0",
            "case-7",
        ]
        assert GoldSet.objects.get().held_out_seen_at is not None

    def test_unknown_version(self, world: GoldWorld) -> None:
        with pytest.raises(CommandError, match="no gold version 9"):
            run("gold_diff", "shop", "1", "9")


class TestCheckGoldSet:
    def test_findings_are_printed_and_kept(self, world: GoldWorld) -> None:
        text = run("check_gold_set", "shop", "--show", "2")
        assert "     8  Identity leaks (settle first)\n" in text
        assert "        case-0: v12 names 'v12': As v12 I say 0.\n" in text
        assert "        and 6 more\n" in text
        assert "     0  Empty responses\n" in text
        assert "length: v13 longer than v12 in 0 of 0 pairs" in text
        assert SetCheck.objects.count() == 1

    def test_one_finding_is_spoken_of_as_one(self, db: None) -> None:
        gold_set = make_set(0, name="one")
        add_case(gold_set, list(gold_set.systems.all()), "case-1", texts=["  ", "So."])
        with pytest.raises(CommandError, match=r"^1 finding should be settled first"):
            run("check_gold_set", "one", "--strict")

    def test_strict_ends_with_an_error_where_something_is_to_settle(
        self, world: GoldWorld
    ) -> None:
        with pytest.raises(CommandError, match="8 findings"):
            run("check_gold_set", "shop", "--strict")
        run("check_gold_set", "shop")

    def test_as_json(self, world: GoldWorld) -> None:
        found = json.loads(run("check_gold_set", "shop", "--json", "--show", "0"))
        assert found["pairs"] == 8
        counts = {check["check"]: check["count"] for check in found["checks"]}
        assert counts["identity-leaks"] == 8
        assert found["lengths"][0]["candidate"] == "v13"
