"""Reviewer quality from stored labels: who, which, and without names."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest

from annotation.domain.estimates import Estimate, Undefined
from annotation.domain.outcomes import Outcome, SlotChoice
from annotation.domain.rulings import RulingCategory
from annotation.models import Case, Label, Pair
from annotation.services.adjudicating import Opinion, adjudicate
from annotation.services.aliases import (
    aliases_of_all,
    reviewer_aliases,
    reviewer_names,
)
from annotation.services.held_out import Viewer
from annotation.services.quality import set_quality
from config.errors import InvalidInput
from tests.annotation.factory import START, make_set
from tests.annotation.models.test_label_queries import repeat

if TYPE_CHECKING:
    from annotation.domain.quality import ReviewerQuality
    from annotation.models import GoldSet
    from config.accounts.models import User
    from tests.annotation.factory import Desk


VIEWER = Viewer(user=None, door="command", actor="tests")


@pytest.fixture
def labelled(
    gold_set: GoldSet, desk: Desk, other_desk: Desk
) -> tuple[list[Label], list[Label]]:
    gold_set.labels_per_pair = 2
    gold_set.save()
    return desk.label_all(SlotChoice.FIRST), other_desk.label_all(SlotChoice.TIE)


def one(gold_set: GoldSet, user: User, split: str = "") -> ReviewerQuality:
    found = set_quality(gold_set=gold_set, now=START, split=split, viewer=VIEWER)
    alias = reviewer_aliases(gold_set)[user.pk, ""]
    return next(row for row in found.reviewers if row.reviewer == alias)


def test_each_reviewer_has_figures_under_an_alias(
    gold_set: GoldSet, labelled: object, reviewer: User, other_reviewer: User
) -> None:
    found = set_quality(gold_set=gold_set, now=START)
    aliases = reviewer_aliases(gold_set)
    assert [row.reviewer for row in found.reviewers] == sorted(aliases.values())
    assert found.names == {}

    mine, other = one(gold_set, reviewer), one(gold_set, other_reviewer)
    assert (mine.labels, other.labels) == (6, 6)
    assert isinstance(mine.left, Estimate)
    assert (mine.left.numerator, mine.left.denominator) == (6, 6)
    assert isinstance(other.left, Undefined)
    assert isinstance(other.ties, Estimate)
    assert other.ties.numerator == 6
    assert isinstance(mine.consensus, Estimate)
    assert (mine.consensus.numerator, mine.consensus.denominator) == (0, 6)
    assert found.team.ipi.comparisons == 6


def test_repeats_are_compared_and_not_counted(
    gold_set: GoldSet, labelled: tuple[list[Label], list[Label]], reviewer: User
) -> None:
    # First again, swapped: the other system this time.
    repeat(labelled[0][0], SlotChoice.FIRST)
    mine = one(gold_set, reviewer)
    assert mine.labels == 6
    assert isinstance(mine.retest, Estimate)
    assert (mine.retest.numerator, mine.retest.denominator) == (0, 1)
    assert mine.retest_flips == 1


def test_only_the_last_revision_counts(
    gold_set: GoldSet, labelled: tuple[list[Label], list[Label]], reviewer: User
) -> None:
    label = labelled[0][0]
    label.pk, label.revision = None, 2
    label.choice = label.outcome = "tie"
    label.save(force_insert=True)
    mine = one(gold_set, reviewer)
    assert mine.labels == 6
    assert isinstance(mine.ties, Estimate)
    assert mine.ties.numerator == 1


def test_of_one_split(gold_set: GoldSet, labelled: object, reviewer: User) -> None:
    Case.objects.filter(external_id="case-0001").update(split="held_out")
    assert one(gold_set, reviewer, split="held_out").labels == 1
    assert set_quality(gold_set=gold_set, now=START, split="dev").reviewers == ()
    with pytest.raises(InvalidInput):
        set_quality(gold_set=gold_set, split="x", now=START)


def test_names_are_given_out_on_record(
    gold_set: GoldSet,
    labelled: object,
    lead: User,
    reviewer: User,
    caplog: pytest.LogCaptureFixture,
) -> None:
    logger = logging.getLogger("annotation")
    before, logger.propagate = logger.propagate, True
    try:
        with caplog.at_level("INFO", "annotation"):
            found = set_quality(gold_set=gold_set, now=START, revealed_to=lead)
    finally:
        logger.propagate = before
    alias = reviewer_aliases(gold_set)[reviewer.pk, ""]
    assert found.names[alias] == reviewer.shown_name
    [record] = [r for r in caplog.records if "revealed" in r.message]
    assert vars(record)["by"] == lead.get_username()


def test_aliases_follow_the_sets_secret_and_not_the_names(
    gold_set: GoldSet, labelled: object
) -> None:
    aliases = reviewer_aliases(gold_set)
    found, orders = set(), set()
    for seed in map(str, range(12)):
        gold_set.seed = seed
        one, two = reviewer_aliases(gold_set).values()
        found |= {one, two}
        orders.add(one < two)
    assert len(found) == 24
    assert orders == {True, False}
    assert set(reviewer_names(gold_set)) == set(aliases)


def test_an_alias_stays_when_others_join(
    gold_set: GoldSet, labelled: object, adjudicator: User
) -> None:
    """And is the same for who rules as for who labels."""
    before = reviewer_aliases(gold_set)
    pair = Pair.objects.filter(gold_set=gold_set).earliest("pk")
    for number in range(40):
        Label.objects.create(
            pair=pair, external_reviewer=f"joined {number}", outcome="tie",
            created_at=START,
        )  # fmt: skip
    after = reviewer_aliases(gold_set)
    assert len({*after.values()}) == len(after) == 42
    assert {who: after[who] for who in before} == before
    opinion = Opinion(Outcome.TIE, RulingCategory.BAD_CASE, "None helps.")
    adjudicate(pair=pair, opinion=opinion, by=adjudicator, now=START)
    everybody = aliases_of_all(gold_set)
    assert {pk: everybody[pk] for pk, _ in before if pk is not None} == {
        pk: name for (pk, _), name in before.items()
    }
    assert everybody[adjudicator.pk] not in after.values()


def test_outside_reviewers_have_no_side(db: None) -> None:
    gold_set = make_set(cases=2, labels_per_pair=2)
    for pair in Pair.objects.filter(gold_set=gold_set):
        for name in ("ann", "bob"):
            Label.objects.create(
                pair=pair, external_reviewer=name, outcome="tie", created_at=START
            )
    found = set_quality(gold_set=gold_set, now=START)
    assert [row.labels for row in found.reviewers] == [2, 2]
    assert all(isinstance(row.left, Undefined) for row in found.reviewers)
    assert found.team.ipi.pairs == 0
    assert isinstance(found.team.alpha, Undefined)


def test_no_labels_no_reviewers(gold_set: GoldSet) -> None:
    found = set_quality(gold_set=gold_set, now=START)
    assert found.reviewers == ()
    assert isinstance(found.team.agreement, Undefined)
