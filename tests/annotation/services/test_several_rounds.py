"""One person has one vote on a pair, however many rounds of its set they are in."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from annotation.domain.consensus import ConsensusRule
from annotation.domain.outcomes import Outcome, SlotChoice
from annotation.models import Label, Pair, Seat
from annotation.services.freezing import freeze_gold, standings
from annotation.services.progress import progress
from annotation.services.queue import AllDone
from annotation.services.round_members import warnings
from annotation.services.rounds import close_round
from annotation.services.ruling_chains import standing_gold
from calibration.services.overviews import gold_set_overview
from config.errors import Conflict
from tests.annotation.factory import Clock, Desk, make_round, make_set

if TYPE_CHECKING:
    from annotation.models import GoldSet
    from config.accounts.models import User

MAJORITY = ConsensusRule.MAJORITY_ELSE_ADJUDICATE


@pytest.fixture
def twice(db: None) -> GoldSet:
    """A set that wants two labels a pair."""
    return make_set(cases=4, labels_per_pair=2)


def test_a_pair_is_not_offered_again_in_another_round(
    twice: GoldSet, reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    first = make_round(twice, reviewer)
    assert len(Desk(first, reviewer, clock).label_all(SlotChoice.TIE)) == 4
    close_round(round_=first, by=None, now=clock.now)
    second = make_round(twice, reviewer, other_reviewer, name="Round two")
    desk = Desk(second, reviewer, clock)

    assert desk.next() == AllDone()
    assert progress(round_=second, reviewer=reviewer, now=clock.now).waiting == 0
    found = warnings(round_=second, users=[reviewer, other_reviewer])
    assert found[reviewer.pk].words() == (
        "Has labelled 4 pairs of this round in another round, and is not given them "
        "again."
    )
    assert found[other_reviewer.pk].words() == ""
    assert len(Desk(second, other_reviewer, clock).label_all(SlotChoice.TIE)) == 4
    close_round(round_=second, by=None, now=clock.now)
    version = freeze_gold(gold_set=twice, rule=MAJORITY, by=None, now=clock.now)
    assert version.left_open == 0


def test_only_the_pairs_labelled_before_are_left_out(
    twice: GoldSet, reviewer: User, clock: Clock
) -> None:
    some = list(Pair.objects.filter(gold_set=twice)[:1])
    make_round(twice, reviewer, pairs=some)
    first = Desk(make_round(twice, reviewer, name="other"), reviewer, clock)
    given = first.submit(first.claim())
    both = make_round(twice, reviewer, name="Round two", retest_share=1)
    labels = Desk(both, reviewer, clock).label_all()

    assert given.pair_id not in {label.pair_id for label in labels}
    # Three pairs, and each of them again as a planned repeat.
    assert len(labels) == 6
    assert Label.objects.votes().count() == 4


def test_a_pair_held_in_two_rounds_is_labelled_in_one(
    reviewer: User, clock: Clock
) -> None:
    gold_set = make_set(cases=1)
    desks = [
        Desk(make_round(gold_set, reviewer, name=name), reviewer, clock)
        for name in ("one", "two")
    ]
    held = [desk.claim() for desk in desks]
    desks[0].submit(held[0])

    with pytest.raises(Conflict) as refusal:
        desks[1].submit(held[1])
    assert refusal.value.code == "labelled_elsewhere"
    assert desks[1].next() == AllDone()
    assert Seat.objects.get(pk=held[1].seat_id).reviewer_id is None
    # What they said can still be changed where they said it.
    desks[0].submit(held[0], SlotChoice.TIE)
    assert [label.outcome for label in Label.objects.votes()] == ["tie"]


def again(label: Label, outcome: Outcome, clock: Clock) -> Label:
    """As data from before this was refused: the same person in a further round."""
    reviewer, old = label.reviewer, label.seat
    assert reviewer is not None
    assert old is not None
    name = f"round {Label.objects.count()}"
    round_ = make_round(old.round.gold_set, reviewer, name=name, pairs=[label.pair])
    seat = round_.seats.get()
    seat.reviewer, seat.available_at = reviewer, None
    seat.save()
    choice = SlotChoice.TIE if outcome is Outcome.TIE else SlotChoice.FIRST
    order = "baseline_first" if outcome is Outcome.BASELINE else "candidate_first"
    return Label.objects.create(
        pair=label.pair, seat=seat, reviewer=reviewer, choice=choice.value,
        order=order, outcome=outcome.value, created_at=clock.now + timedelta(hours=1),
    )  # fmt: skip


def test_two_labels_of_one_person_are_one_vote_the_newest(
    reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    gold_set = make_set(cases=1, labels_per_pair=2)
    pair = gold_set.pairs.get()
    desk = Desk(make_round(gold_set, reviewer), reviewer, clock)
    held = desk.claim()
    label = desk.submit(held, SlotChoice.TIE)
    again(label, Outcome.BASELINE, clock)

    [standing] = standings(gold_set, rule=MAJORITY)
    assert standing.labels == (Outcome.BASELINE,)
    assert standing.open_reason == "too_few_labels"
    assert standing_gold([pair]) == {pair.pk: None}
    counts = gold_set_overview(gold_set.name).progress
    assert (counts.labels, counts.complete) == (1, 0)

    other = make_round(gold_set, other_reviewer, name="theirs")
    Desk(other, other_reviewer, clock).label_all(SlotChoice.TIE)
    assert standings(gold_set, rule=MAJORITY)[0].open_reason == "disputed"
    # The newest word is the newest vote, in whichever round it was said.
    desk.submit(held, SlotChoice.TIE, note="after all")
    [standing] = standings(gold_set, rule=MAJORITY)
    assert (standing.outcome, standing.labels) == (Outcome.TIE, (Outcome.TIE,) * 2)
    assert standing_gold([pair]) == {pair.pk: Outcome.TIE}
