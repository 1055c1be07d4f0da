"""Splits: worked out, written, kept, locked."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.outcomes import Split
from annotation.models import Case, GoldSet, Label, Pair, SplitAssignment
from annotation.services.held_out import note_held_out_seen
from annotation.services.splitting import (
    SplitWish,
    propose_splits,
    slice_keys,
    split_counts,
    write_splits,
)
from config.errors import Conflict, InvalidInput
from tests.annotation.factory import START, add_case, make_round, make_set

if TYPE_CHECKING:
    from config.accounts.models import User

WISH = SplitWish(seed="spring", held_out=0.5)
PROMPT = (
    "I ordered a blue kettle last week and it arrived with a broken lid. The shop says "
    "I must send photos first. How do I get my money back without a receipt"
)


@pytest.fixture
def gold_set(db: None) -> GoldSet:
    """Twelve cases in two categories; four of them in two groups."""
    made = make_set(cases=0)
    systems = list(made.systems.all())
    for n in range(12):
        add_case(
            made,
            systems,
            f"case-{n:02d}",
            prompt=f"Question {n}: {'abcdefghijkl'[n]} {n * 7919} {n * 104729} please",
            slices={"category": "refund" if n % 2 else "order", "language": "en"},
            group=f"thread-{n // 2}" if n < 4 else "",
        )
    return made


def splits(gold_set: GoldSet) -> dict[str, str]:
    return dict(gold_set.cases.values_list("external_id", "split"))


def write(gold_set: GoldSet, wish: SplitWish = WISH, **rest: object) -> SplitAssignment:
    return write_splits(gold_set=gold_set, wish=wish, by=None, now=START, **rest)  # type: ignore[arg-type]  # expect alone


def test_a_proposal_writes_nothing(gold_set: GoldSet) -> None:
    found = propose_splits(gold_set=gold_set, wish=WISH)
    assert (found.dev, found.held_out, found.moved) == (6, 6, 12)
    assert set(splits(gold_set).values()) == {""}
    assert found.before == {"": 12, "dev": 0, "held_out": 0}
    assert found.tied == 2


def test_what_was_proposed_is_written_and_recorded(
    gold_set: GoldSet, lead: User
) -> None:
    wish = replace(WISH, slices=("category",))
    found = propose_splits(gold_set=gold_set, wish=wish)
    row = write_splits(
        gold_set=gold_set, wish=wish, by=lead, now=START, expect=found.digest
    )

    assert splits(gold_set) == {
        case.external_id: found.assigned[case.pk].value for case in gold_set.cases.all()
    }
    assert row.digest == found.digest
    assert (row.seed, row.slices, row.assigned_by) == ("spring", ["category"], lead)
    assert (row.dev, row.held_out, row.moved) == (6, 6, 12)
    assert {(s["stratum"], s["dev"] + s["held_out"]) for s in row.strata} == {
        ("category=order", 6),
        ("category=refund", 6),
    }
    assert split_counts(gold_set) == {"": 0, "dev": 6, "held_out": 6}


def test_groups_stay_together_and_strata_are_even(gold_set: GoldSet) -> None:
    write(gold_set, replace(WISH, slices=("category",)))
    by_group = gold_set.cases.exclude(group="").values_list("group", "split").distinct()
    assert len(by_group) == 2
    counts = Counter(
        (case.slices["category"], case.split) for case in gold_set.cases.all()
    )
    assert max(counts.values()) - min(counts.values()) <= 1


def test_the_seed_decides(gold_set: GoldSet) -> None:
    digests = {
        propose_splits(gold_set=gold_set, wish=replace(WISH, seed=f"seed {n}")).digest
        for n in range(8)
    }
    assert len(digests) > 1
    again = propose_splits(gold_set=gold_set, wish=replace(WISH, seed="seed 3"))
    assert again.digest in digests


class TestExistingSplits:
    @pytest.fixture(autouse=True)
    def two_are_placed(self, gold_set: GoldSet) -> None:
        ids = ["case-05", "case-06", "case-07", "case-08"]
        gold_set.cases.filter(external_id__in=ids).update(split="held_out")

    def test_stay(self, gold_set: GoldSet) -> None:
        row = write(gold_set, replace(WISH, held_out=0.25))
        held = {case for case, split in splits(gold_set).items() if split != "dev"}
        assert {"case-05", "case-06", "case-07", "case-08"} == held
        assert row.moved == 8
        assert not row.reassigned

    def test_are_moved_when_told_to(self, gold_set: GoldSet) -> None:
        wish = replace(WISH, held_out=0.25, reassign=True)
        moved = {
            frozenset(
                key
                for key, split in propose_splits(
                    gold_set=gold_set, wish=replace(wish, seed=f"s{n}")
                ).assigned.items()
                if split is Split.HELD_OUT
            )
            for n in range(6)
        }
        assert len(moved) > 1
        assert write(gold_set, wish).reassigned

    def test_a_torn_group_is_refused_unless_reassigned(self, gold_set: GoldSet) -> None:
        gold_set.cases.filter(external_id="case-00").update(split="dev")
        gold_set.cases.filter(external_id="case-01").update(split="held_out")
        with pytest.raises(Conflict) as refusal:
            propose_splits(gold_set=gold_set, wish=WISH)
        assert refusal.value.code == "splits_torn"
        assert "thread-0" in refusal.value.message
        again = propose_splits(gold_set=gold_set, wish=replace(WISH, reassign=True))
        assert again.moved > 0


class TestByClass:
    WISH = replace(WISH, by_class=True)

    def test_classes_are_even_once_labels_exist(self, gold_set: GoldSet) -> None:
        GoldSet.objects.update(labels_per_pair=1)
        for n, pair in enumerate(Pair.objects.filter(gold_set=gold_set).order_by("pk")):
            if n >= 4:
                said = "tie" if n % 2 else "candidate"
                Label.objects.create(
                    pair=pair, external_reviewer="x", outcome=said, created_at=START
                )
        gold_set.refresh_from_db()
        found = propose_splits(gold_set=gold_set, wish=self.WISH)
        counts = {s.stratum: (s.dev, s.held_out) for s in found.strata}
        assert counts == {"candidate": (2, 2), "tie": (2, 2), "open": (2, 2)}

    def test_without_labels_there_is_no_class(self, gold_set: GoldSet) -> None:
        with pytest.raises(InvalidInput) as refusal:
            propose_splits(gold_set=gold_set, wish=self.WISH)
        assert refusal.value.code == "splits_no_labels"


class TestNearDuplicates:
    WISH = replace(WISH, join_near_duplicates=True)

    @pytest.fixture(autouse=True)
    def four_are_alike(self, gold_set: GoldSet) -> None:
        systems = list(gold_set.systems.all())
        for n in range(4):
            add_case(gold_set, systems, f"kettle-{n}", prompt=f"{PROMPT} {n}?")

    def placed(self, gold_set: GoldSet, wish: SplitWish) -> set[Split]:
        found = propose_splits(gold_set=gold_set, wish=wish)
        keys = gold_set.cases.filter(external_id__startswith="kettle")
        return {found.assigned[pk] for pk in keys.values_list("pk", flat=True)}

    def test_are_kept_together(self, gold_set: GoldSet) -> None:
        for n in range(5):
            assert len(self.placed(gold_set, replace(self.WISH, seed=f"{n}"))) == 1
        assert len(self.placed(gold_set, WISH)) == 2

    def test_lying_apart_already_are_left_and_counted(self, gold_set: GoldSet) -> None:
        gold_set.cases.filter(external_id="kettle-0").update(split="dev")
        gold_set.cases.filter(external_id="kettle-1").update(split="held_out")
        found = propose_splits(gold_set=gold_set, wish=self.WISH)
        assert found.notices[0].startswith("Near-duplicate prompts lie in both splits")
        again = propose_splits(
            gold_set=gold_set, wish=replace(self.WISH, reassign=True)
        )
        assert again.notices == ()


class TestRefusals:
    @pytest.mark.parametrize(
        ("wish", "code"),
        [
            (replace(WISH, held_out=0), "splits_invalid"),
            (replace(WISH, held_out=1), "splits_invalid"),
            (replace(WISH, held_out=float("nan")), "splits_invalid"),
            (replace(WISH, seed=" "), "splits_invalid"),
            (replace(WISH, seed="s" * 65), "splits_invalid"),
            (replace(WISH, slices=("colour",)), "slice_unknown"),
        ],
    )
    def test_a_bad_wish(self, gold_set: GoldSet, wish: SplitWish, code: str) -> None:
        with pytest.raises(InvalidInput) as refusal:
            write(gold_set, wish)
        assert refusal.value.code == code
        assert not SplitAssignment.objects.exists()

    def test_a_set_without_cases(self, db: None) -> None:
        with pytest.raises(InvalidInput) as refusal:
            write(make_set(cases=0))
        assert refusal.value.code == "splits_empty"

    def test_what_changed_since_the_proposal(self, gold_set: GoldSet) -> None:
        seen = propose_splits(gold_set=gold_set, wish=WISH)
        add_case(gold_set, list(gold_set.systems.all()), "late")
        with pytest.raises(Conflict) as refusal:
            write(gold_set, expect=seen.digest)
        assert refusal.value.code == "splits_changed"
        assert set(splits(gold_set).values()) == {""}

    def test_once_held_out_was_seen_nothing_moves(self, gold_set: GoldSet) -> None:
        write(gold_set)
        before = splits(gold_set)
        note_held_out_seen(gold_set_id=gold_set.pk, now=START)
        note_held_out_seen(gold_set_id=gold_set.pk, now=START.replace(year=2031))
        with pytest.raises(Conflict) as refusal:
            write(gold_set, replace(WISH, seed="other", reassign=True))
        assert refusal.value.code == "splits_locked"
        assert "2030-05-06" in refusal.value.message
        assert splits(gold_set) == before


class TestNotices:
    def test_an_open_round(self, gold_set: GoldSet) -> None:
        make_round(gold_set)
        [notice] = propose_splits(gold_set=gold_set, wish=WISH).notices
        assert "A round is open" in notice

    def test_a_judge_that_ran(self, gold_set: GoldSet) -> None:
        GoldSet.objects.update(judged_at=START)
        gold_set.refresh_from_db()
        for wish in (WISH, replace(WISH, reassign=True)):
            found = propose_splits(gold_set=gold_set, wish=wish)
            [notice] = found.notices
            assert notice.startswith(f"{found.held_out} pairs become held out although")

    def test_pairs_that_were_seen_in_another_set(self, gold_set: GoldSet) -> None:
        other = make_set(cases=0, held_out_seen_at=START)
        mine = Pair.objects.filter(gold_set=gold_set).order_by("pk")[4:6]
        for number, pair in enumerate(mine):
            add_case(
                other, list(other.systems.all()), f"other-{number}", split="held_out",
                prompt=pair.case.prompt,
            )  # fmt: skip
        [notice] = propose_splits(gold_set=gold_set, wish=WISH).notices
        assert notice.startswith("2 pairs were held out in another set")


def test_as_many_queries_for_any_size(gold_set: GoldSet) -> None:
    large = make_set(cases=60)
    with CaptureQueriesContext(connection) as few:
        write(gold_set)
    with CaptureQueriesContext(connection) as many:
        write(large)
    assert len(many) == len(few)


def test_slice_keys_are_those_of_all_cases(gold_set: GoldSet) -> None:
    assert slice_keys(gold_set) == ("category", "language")
    assert Case.objects.filter(gold_set=gold_set).count() == 12
