"""Who said what as a gold version was frozen: the labels behind single reviewers."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from annotation.domain.outcomes import Order, Outcome, SlotChoice
from annotation.models import GoldVersion, Label
from annotation.services.aliases import reviewer_aliases
from calibration.services.reporting import _labels_by_reviewer, build_sample
from judging.services.evidence import pair_evidence
from tests.annotation.factory import START, Clock, Desk, make_round, make_set
from tests.calibration.world import Told, World, make_world

if TYPE_CHECKING:
    from annotation.models import Pair
    from config.accounts.models import User

pytestmark = pytest.mark.django_db
LATER = START + timedelta(seconds=1)
B, C, T, A = Outcome


@pytest.fixture
def world() -> World:
    return make_world([Told("dev", "B", "B", "B"), Told("dev", "C", "C", "C")])


def said(pair: Pair, who: str, outcome: Outcome, **fields: Any) -> Label:
    fields.setdefault("created_at", START)
    return Label.objects.create(
        pair=pair, external_reviewer=who, outcome=outcome.value, **fields
    )


def by_name(world: World) -> dict[int, dict[str, Outcome]]:
    """The labels under the outside names instead of their aliases."""
    names = {
        alias: outside
        for (_, outside), alias in reviewer_aliases(world.gold_set).items()
    }
    found = _labels_by_reviewer(world.gold)
    return {
        pair: {names[alias]: outcome for alias, (outcome, _) in rows.items()}
        for pair, rows in found.items()
    }


def pairs(world: World) -> list[Pair]:
    return list(world.gold_set.pairs.order_by("pk"))


def test_each_label_stands_under_its_author(world: World) -> None:
    one, other = pairs(world)
    said(one, "ann", B)
    said(one, "bob", C)
    said(other, "ann", T)
    assert by_name(world) == {
        one.pk: {"ann": B, "bob": C},
        other.pk: {"ann": T},
    }


def test_names_are_aliases(world: World) -> None:
    said(pairs(world)[0], "ann", B)
    (rows,) = _labels_by_reviewer(world.gold).values()
    [alias] = reviewer_aliases(world.gold_set).values()
    assert rows == {alias: (B, None)}  # from outside: nobody knows the order


def test_what_was_said_last_counts(world: World) -> None:
    one = pairs(world)[0]
    said(one, "ann", B, revision=1)
    said(one, "ann", C, revision=2)
    said(one, "bob", T)
    assert by_name(world)[one.pk] == {"ann": C, "bob": T}


def test_a_revision_after_the_freeze_leaves_what_stood_then(world: World) -> None:
    one = pairs(world)[0]
    said(one, "ann", B)
    said(one, "ann", C, revision=2, created_at=LATER)
    assert by_name(world)[one.pk] == {"ann": B}


def test_a_label_from_after_the_freeze_is_none(world: World) -> None:
    one = pairs(world)[0]
    said(one, "late", C, created_at=LATER)
    assert _labels_by_reviewer(world.gold) == {}


def test_abstains_are_labels(world: World) -> None:
    one = pairs(world)[0]
    said(one, "ann", A)
    assert by_name(world)[one.pk] == {"ann": A}


def test_another_sets_labels_are_not_ours(world: World) -> None:
    other = make_world([Told("dev", "B", "B", "B")], name="other")
    said(pairs(other)[0], "ann", C)
    assert _labels_by_reviewer(world.gold) == {}


def test_a_planned_repeat_is_no_second_label(reviewer: User) -> None:
    """Asked again with the order swapped, "left" means the other system."""
    gold_set = make_set(30)
    clock = Clock()
    round_ = make_round(gold_set, reviewer, retest_share=0.3)
    Desk(round_, reviewer, clock).label_all(SlotChoice.FIRST)
    labels = Label.objects.of_set(gold_set.pk)
    assert labels.filter(seat__retest_of__isnull=False).count() == 9
    gold = GoldVersion.objects.create(
        gold_set=gold_set, number=1, rule=gold_set.consensus_rule, digest="0" * 64,
        pairs=30, left_open=0, created_at=clock.now,
    )  # fmt: skip
    first = labels.filter(seat__retest_of__isnull=True)
    [alias] = reviewer_aliases(gold_set).values()
    assert _labels_by_reviewer(gold) == {
        pair: {alias: (Outcome(outcome), Order(order))}
        for pair, outcome, order in first.values_list("pair", "outcome", "order")
    }


def test_a_sample_holds_them_for_its_pairs(world: World) -> None:
    one, other = pairs(world)
    said(one, "ann", B)
    said(one, "bob", C)
    said(other, "bob", C)
    sample = build_sample(world.run, world.gold, pair_evidence(world.run))
    rows = {int(row.pair): dict(row.reviewers) for row in sample.rows}
    assert sorted(rows[one.pk].values()) == [B, C]
    assert list(rows[other.pk].values()) == [C]
    block = world.report()
    assert '"single_reviewers":[{' in block.payload
