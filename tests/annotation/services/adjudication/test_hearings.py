"""What an adjudicator is given, and what becomes of their ruling."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from annotation.domain.outcomes import Order, SlotChoice, outcome_of
from annotation.models import (
    Adjudication,
    Exposure,
    ExposureKind,
    GoldSet,
    Hearing,
    Round,
    RulingHold,
)
from annotation.services import hearings
from annotation.services.adjudicating import Opinion, adjudicate
from annotation.services.adjudication_queue import waiting
from annotation.services.exposures import record_exposures
from config.errors import Conflict, DomainError, InvalidInput, NotAllowed, NotFound
from tests.annotation.court import (
    DISPUTE,
    A,
    B,
    Bench,
    C,
    T,
    asked,
    label,
    pairs_of,
)
from tests.annotation.factory import START, make_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from config.accounts.models import User

TIED = (B, B, C, C)


def refused(code: str, action: Callable[[], object]) -> None:
    with pytest.raises(DomainError) as refusal:
        action()
    assert refusal.value.code == code


def test_who_learns_results_with_the_pair_on_the_screen_may_not_rule(
    disputed: GoldSet, bench: Bench
) -> None:
    hearing = bench.hearing()
    record_exposures(
        user=bench.person,
        pair_ids=[hearing.pair_id],
        kind=ExposureKind.VERDICTS,
        now=START,
    )
    with pytest.raises(NotAllowed):
        bench.rule(hearing)
    assert bench.hearing().pair_id != hearing.pair_id


def test_showing_the_labels_is_noted_and_bars_from_labelling_only(
    disputed: GoldSet, bench: Bench
) -> None:
    hearing = bench.hearing()
    seen = Exposure.objects.get()
    assert (seen.user, seen.pair_id, seen.kind) == (
        bench.person,
        hearing.pair_id,
        ExposureKind.RULING,
    )
    assert seen.seen_at == hearing.revealed_at == START
    bench.clock.pass_minutes(600)
    assert bench.hearing() == hearing
    assert bench.rule(hearing).sequence == 1


def test_showing_labels_discloses_their_round(disputed: GoldSet, bench: Bench) -> None:
    other = label(make_set(cases=1), [], [])
    bench.hearing()
    disclosed = Round.objects.filter(disclosed_at=START)
    assert [round_.gold_set for round_ in disclosed] == [disputed]
    assert Round.objects.get(pk=other.pk).disclosed_at is None


def test_a_ruling_is_mapped_through_the_order_that_was_shown(
    people: list[User], bench: Bench
) -> None:
    label(make_set(cases=12), people, [DISPUTE] * 12)
    orders = set()
    for _ in range(12):
        hearing = bench.hearing()
        ruling = hearings.rule(
            token=str(hearing.token),
            adjudicator=bench.person,
            statement=hearings.Statement(SlotChoice.FIRST, "bad_case", "So it is."),
            now=bench.clock.now,
        )
        order = Order(hearing.order)
        assert ruling.outcome == outcome_of(SlotChoice.FIRST, order).value
        assert ruling.hearing == hearing
        orders.add(order)
    assert orders == set(Order)


def test_two_adjudicators_are_not_given_one_pair(
    disputed: GoldSet, bench: Bench, second: Bench
) -> None:
    mine, theirs = bench.hearing(), second.hearing()
    assert mine.pair_id != theirs.pair_id
    assert bench.hearing() == mine
    counts = waiting(**asked(bench))
    assert (counts.free, counts.with_others) == (2, 1)


def test_who_finds_all_held_is_told_until_when(
    gold_set: GoldSet, people: list[User], bench: Bench, second: Bench
) -> None:
    label(gold_set, people, [DISPUTE])
    bench.hearing()
    bench.clock.pass_minutes(10)
    docket = second.next()
    assert docket.hearing is None
    assert docket.wait_until == START + hearings.HOLD
    second.clock.pass_minutes(20)
    assert second.hearing().pair_id == pairs_of(gold_set)[0].pk


def test_activity_keeps_a_hold(
    gold_set: GoldSet, people: list[User], bench: Bench, second: Bench
) -> None:
    label(gold_set, people, [DISPUTE])
    hearing = bench.hearing()
    for _ in range(3):
        bench.clock.pass_minutes(29)
        assert keep(bench, hearing)
    assert second.next().hearing is None
    bench.clock.pass_minutes(31)
    second.hearing()
    assert not keep(bench, hearing)


def keep(bench: Bench, hearing: Hearing) -> bool:
    return hearings.keep(
        token=str(hearing.token), adjudicator=bench.person, now=bench.clock.now
    )


@pytest.mark.parametrize("holder_first", [True, False])
def test_after_a_lost_hold_whoever_rules_first_wins(
    holder_first: bool,
    gold_set: GoldSet,
    people: list[User],
    bench: Bench,
    second: Bench,
) -> None:
    label(gold_set, people, [DISPUTE])
    late = bench.hearing()
    bench.clock.pass_minutes(31)
    holder = second.hearing()
    turns = [(second, holder), (bench, late)]
    winner, loser = turns if holder_first else turns[::-1]
    winner[0].rule(winner[1])
    refused("ruling_raced", lambda: loser[0].rule(loser[1]))
    assert Adjudication.objects.get().adjudicator == winner[0].person
    # What the loser held is gone with the pair: nothing is left for either.
    assert bench.next().hearing is second.next().hearing is None


def test_the_same_ruling_sent_twice_is_stored_once(
    disputed: GoldSet, bench: Bench
) -> None:
    hearing = bench.hearing()
    assert bench.rule(hearing) == bench.rule(hearing)
    refused("already_ruled", lambda: bench.rule(hearing, note="Other words."))
    refused("already_ruled", lambda: bench.give_back(hearing))
    assert Adjudication.objects.count() == 1
    assert not RulingHold.objects.exists()


@pytest.mark.parametrize("category", ["gold_wrong", "tone_only", "", "Bad_case"])
def test_only_offered_categories_are_taken(
    category: str, disputed: GoldSet, bench: Bench
) -> None:
    hearing = bench.hearing()
    with pytest.raises(InvalidInput, match="category"):
        bench.rule(hearing, category=category)


def test_a_sets_own_category_is_taken(disputed: GoldSet, bench: Bench) -> None:
    GoldSet.objects.update(ruling_categories=["tone_only"])
    assert bench.rule(bench.hearing(), category="tone_only").category == "tone_only"


@pytest.mark.parametrize("note", ["", " \n", "\u200b"])
def test_a_note_is_required(note: str, disputed: GoldSet, bench: Bench) -> None:
    hearing = bench.hearing()
    with pytest.raises(InvalidInput, match="note"):
        bench.rule(hearing, note=note)


def test_a_pair_given_back_goes_to_somebody_else(
    gold_set: GoldSet, people: list[User], bench: Bench, second: Bench
) -> None:
    label(gold_set, people, [DISPUTE])
    hearing = bench.hearing()
    bench.give_back(hearing)
    bench.give_back(hearing)
    assert bench.next().hearing is None
    assert second.hearing().pair_id == hearing.pair_id


def test_a_hearing_is_nobody_elses(
    disputed: GoldSet, bench: Bench, second: Bench
) -> None:
    hearing = bench.hearing()
    with pytest.raises(NotFound):
        second.rule(hearing)
    with pytest.raises(NotFound):
        second.give_back(hearing)
    with pytest.raises(NotFound):
        hearings.ruled_hearing(token=str(hearing.token), adjudicator=bench.person)


def test_a_blind_first_ruling_comes_before_the_labels(
    disputed: GoldSet, bench: Bench
) -> None:
    GoldSet.objects.update(blind_first_ruling=True)
    hearing = bench.hearing()
    assert hearing.revealed_at is None
    assert not Exposure.objects.exists()
    assert not Round.objects.exclude(disclosed_at=None).exists()
    refused("first_ruling_missing", lambda: bench.rule(hearing))

    bench.clock.pass_minutes(1)
    shown = bench.first(hearing, SlotChoice.FIRST)
    assert shown.revealed_at == shown.first_at == bench.clock.now
    assert Exposure.objects.get().kind == ExposureKind.RULING
    assert bench.first(hearing, SlotChoice.FIRST) == shown
    refused("first_ruling_in", lambda: bench.first(hearing, SlotChoice.TIE))
    ruling = bench.rule(hearing, A)
    first = outcome_of(SlotChoice.FIRST, Order(hearing.order))
    assert (ruling.first_outcome, ruling.outcome) == (first.value, "abstain")


def test_no_first_ruling_where_the_set_asks_for_none(
    disputed: GoldSet, bench: Bench
) -> None:
    hearing = bench.hearing()
    refused("first_ruling_unasked", lambda: bench.first(hearing, SlotChoice.TIE))


def test_labels_that_were_shown_stay_shown_when_the_set_changes_its_mind(
    disputed: GoldSet, bench: Bench
) -> None:
    hearing = bench.hearing()
    GoldSet.objects.update(blind_first_ruling=True)
    refused("first_ruling_in", lambda: bench.first(hearing, SlotChoice.TIE))
    assert bench.rule(hearing).first_outcome == ""


def test_a_ruling_from_elsewhere_ends_the_hearing(
    disputed: GoldSet, bench: Bench, second: Bench
) -> None:
    hearing = bench.hearing()
    adjudicate(
        pair=hearing.pair,
        opinion=Opinion(T, "bad_case", "From a file."),
        by=second.person,
        now=START + timedelta(minutes=1),
    )
    refused("ruling_raced", lambda: bench.rule(hearing))
    assert bench.hearing().pair_id != hearing.pair_id
    with pytest.raises(Conflict):
        bench.rule(hearing)
