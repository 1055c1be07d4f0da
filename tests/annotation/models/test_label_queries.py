"""Which labels count: planned repeats never settle a pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from annotation.domain.consensus import ConsensusRule
from annotation.domain.outcomes import Order, Outcome, SlotChoice, outcome_of
from annotation.models import Label, Pair, Seat, SetAside
from annotation.services.freezing import standings
from calibration.services.overviews import gold_set_overview
from tests.annotation.factory import START, make_round, make_set

if TYPE_CHECKING:
    from annotation.models import GoldSet
    from config.accounts.models import User
    from tests.annotation.factory import Desk


def repeat(label: Label, choice: SlotChoice) -> Label:
    """The same person labels the pair once more, swapped."""
    first = label.seat
    assert first is not None
    seat = Seat.objects.create(
        round=first.round,
        pair=first.pair,
        case=first.case,
        pass_no=first.pass_no,
        order=Order(first.order).opposite.value,
        rank=first.rank + 1,
        reviewer=first.reviewer,
        available_at=None,
        retest_of=first,
    )
    return Label.objects.create(
        pair=label.pair,
        seat=seat,
        reviewer=label.reviewer,
        choice=choice.value,
        order=seat.order,
        outcome=outcome_of(choice, Order(seat.order)).value,
        created_at=START,
    )


def test_a_repeat_does_not_count_to_consensus(
    desk: Desk, other_desk: Desk, gold_set: GoldSet
) -> None:
    gold_set.labels_per_pair = 2
    gold_set.save()
    labels = [*desk.label_all(SlotChoice.TIE), *other_desk.label_all(SlotChoice.TIE)]
    before = standings(gold_set, rule=ConsensusRule.MAJORITY_ELSE_ADJUDICATE)
    counts = gold_set_overview(gold_set.name).progress

    repeat(labels[0], SlotChoice.FIRST)
    after = standings(gold_set, rule=ConsensusRule.MAJORITY_ELSE_ADJUDICATE)

    assert {s.outcome for s in before} == {Outcome.TIE}
    assert [s.labels for s in after] == [s.labels for s in before]
    assert gold_set_overview(gold_set.name).progress == counts
    assert Label.objects.count() == len(labels) + 1


def test_a_repeat_alone_does_not_complete_a_pair(
    gold_set: GoldSet, reviewer: User, desk: Desk
) -> None:
    gold_set.labels_per_pair = 2
    gold_set.save()
    label = desk.submit(desk.claim(), SlotChoice.TIE)
    repeat(label, SlotChoice.TIE)

    found = standings(gold_set, rule=ConsensusRule.MAJORITY_ELSE_ADJUDICATE)
    assert "too_few_labels" in {s.open_reason for s in found if s.labels}


def test_outside_labels_count(db: None) -> None:
    pair = Pair.objects.filter(gold_set=make_set(cases=1)).get()
    Label.objects.create(
        pair=pair, external_reviewer="ann", outcome="tie", created_at=START
    )
    assert Label.objects.counted().current().count() == 1


@pytest.mark.parametrize("lifted", [False, True])
def test_pairs_set_aside_are_not_usable(
    gold_set: GoldSet, lead: User, *, lifted: bool
) -> None:
    pair = Pair.objects.filter(gold_set=gold_set).earliest("pk")
    SetAside.objects.create(pair=pair, reason="empty", set_aside_at=START)
    if lifted:
        SetAside.objects.update(lifted_at=START, lifted_by=lead)

    usable = Pair.objects.filter(gold_set=gold_set).usable()
    assert (pair in usable) is lifted
    assert usable.count() == (6 if lifted else 5)
    assert make_round(gold_set).seats.count() == 6
