"""What lies between two gold versions: pairs, people, reasons; held-out withheld."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from annotation.domain.consensus import ConsensusRule
from annotation.domain.gold_changes import ChangeKind
from annotation.domain.outcomes import Outcome
from annotation.domain.rulings import RulingCategory
from annotation.models import Exposure, GoldSet, Label, Pair
from annotation.services.adjudicating import Opinion, adjudicate
from annotation.services.aliases import reviewer_aliases
from annotation.services.freezing import freeze_gold
from annotation.services.gold_diff import GoldDiff, gold_diff
from annotation.services.held_out import Viewer
from config.errors import InvalidInput, NotFound
from tests.annotation.factory import START, add_case, make_set

if TYPE_CHECKING:
    from annotation.models import GoldVersion
    from config.accounts.models import User

RULE = ConsensusRule.MAJORITY_ELSE_ADJUDICATE
HOUR = timedelta(hours=1)


def say(pair: Pair, said: str, *, hours: int, revision: int = 1, by: str = "x") -> None:
    Label.objects.create(
        pair=pair,
        external_reviewer=by,
        outcome=said,
        revision=revision,
        note=f"note {revision}",
        created_at=START + hours * HOUR,
    )


def freeze(gold_set: GoldSet, hours: int) -> GoldVersion:
    return freeze_gold(
        gold_set=gold_set, rule=RULE, by=None, now=START + hours * HOUR, leave_open=True
    )


@pytest.fixture
def gold_set(db: None, adjudicator: User) -> GoldSet:
    """Two versions: one pair ruled anew, one relabelled, one settled, one added.

    A fifth, held out, moved too.
    """
    made = make_set(cases=5, labels_per_pair=1)
    pairs = list(Pair.objects.filter(gold_set=made).order_by("pk"))
    made.cases.filter(pk=pairs[4].case_id).update(split="held_out")
    for pair in (pairs[0], pairs[1], pairs[3], pairs[4]):
        say(pair, "candidate", hours=0)
    freeze(made, 1)
    opinion = Opinion(
        Outcome.TIE, RulingCategory.REVIEWER_SLIP, "Both give the same refund."
    )
    adjudicate(pair=pairs[0], opinion=opinion, by=adjudicator, now=START + 2 * HOUR)
    say(pairs[1], "baseline", hours=3, revision=2)
    say(pairs[2], "tie", hours=3)
    say(pairs[4], "tie", hours=3, revision=2)
    late = add_case(made, list(made.systems.all()), "late")
    freeze(made, 4)
    say(late.pairs.get(), "tie", hours=5)
    freeze(made, 6)
    return made


def compare(gold_set: GoldSet, *numbers: int, **rest: object) -> GoldDiff:
    numbers = numbers or (1, 2)
    given = {"by": None, "held_out": None, **rest}
    return gold_diff(gold_set=gold_set, numbers=numbers, now=START, **given)  # type: ignore[arg-type]  # two numbers


def test_what_moved_by_whom_and_why(gold_set: GoldSet, adjudicator: User) -> None:
    found = compare(gold_set)
    shown = {one.change.row.case: one for one in found.shown}

    assert {case: one.change.kind for case, one in shown.items()} == {
        "case-0000": ChangeKind.MOVED,
        "case-0001": ChangeKind.MOVED,
        "case-0002": ChangeKind.SETTLED,
        "late": ChangeKind.ADDED,
    }
    [ruling] = shown["case-0000"].rulings
    assert (ruling.by, ruling.outcome) == (adjudicator.shown_name, "tie")
    assert ruling.category == "reviewer_slip"
    assert ruling.note == "Both give the same refund."
    assert not shown["case-0000"].labels
    [label] = shown["case-0001"].labels
    assert label.by in reviewer_aliases(gold_set).values()
    assert (label.outcome, label.revision) == ("baseline", 2)
    assert found.changes.unchanged == 1
    assert (found.rulings, found.rulings_after_judge) == (1, 0)


def test_the_order_of_the_numbers_does_not_matter(gold_set: GoldSet) -> None:
    found = compare(gold_set, 2, 1)
    assert (found.before.number, found.after.number) == (1, 2)


def test_only_what_lies_between_explains(gold_set: GoldSet) -> None:
    [one] = compare(gold_set, 2, 3).shown
    assert one.change.kind is ChangeKind.SETTLED
    assert [label.revision for label in one.labels] == [1]
    assert one.rulings == ()


class TestHeldOut:
    def test_pairs_are_counted_and_neither_shown_nor_in_the_flow(
        self, gold_set: GoldSet
    ) -> None:
        found = compare(gold_set)
        assert found.withheld == 1
        assert "case-0004" not in {one.change.row.case for one in found.shown}
        assert sum(found.changes.flow().values()) == 3
        gold_set.refresh_from_db()
        assert gold_set.held_out_seen_at is None

    def test_showing_them_locks_the_splits(self, gold_set: GoldSet) -> None:
        found = compare(gold_set, held_out=Viewer(user=None, door="page"))
        assert found.withheld == 0
        assert "case-0004" in {one.change.row.case for one in found.shown}
        gold_set.refresh_from_db()
        assert gold_set.held_out_seen_at == START

    def test_with_none_to_show_nothing_is_locked(self, gold_set: GoldSet) -> None:
        compare(gold_set, 2, 3, held_out=Viewer(user=None, door="page"))
        gold_set.refresh_from_db()
        assert gold_set.held_out_seen_at is None


def test_whoever_looks_is_not_given_these_pairs(gold_set: GoldSet, lead: User) -> None:
    compare(gold_set, by=lead)
    seen = Exposure.objects.filter(user=lead).values_list(
        "pair__case__external_id", flat=True
    )
    assert set(seen) == {"case-0000", "case-0001", "case-0002", "late"}


@pytest.mark.parametrize(
    ("numbers", "error"), [((1, 1), InvalidInput), ((1, 9), NotFound)]
)
def test_versions_that_can_not_be_compared(
    gold_set: GoldSet, numbers: tuple[int, int], error: type[Exception]
) -> None:
    with pytest.raises(error):
        compare(gold_set, *numbers)
