"""A pair before an adjudicator stays with them, whatever rounds are opened."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from annotation.models import Adjudication, GoldSet, Pair, Round, RulingHold, Seat
from annotation.services import hearings
from annotation.services.round_planning import RoundPlan, Selection, choose_pairs
from annotation.services.rounds import open_chosen, open_round, reopen_round
from config.errors import Conflict, InvalidInput
from tests.annotation.court import Bench, pairs_of
from tests.annotation.factory import START

if TYPE_CHECKING:
    from datetime import datetime

    from annotation.models import Hearing

HOLD = hearings.HOLD


def opened(gold_set: GoldSet, now: datetime = START, **selection: object) -> Round:
    return open_chosen(
        gold_set=gold_set,
        plan=RoundPlan("Again", 1),
        selection=Selection(**selection),  # type: ignore[arg-type]
        reviewers=[],
        by=None,
        now=now,
    )


def case_of(hearing: Hearing) -> str:
    return hearing.pair.case.external_id


def test_a_new_round_leaves_a_held_pair_out_and_says_so(
    disputed: GoldSet, bench: Bench
) -> None:
    hearing = bench.hearing()
    round_ = opened(disputed)

    assert not Seat.objects.filter(round=round_, pair=hearing.pair_id).exists()
    assert round_.selection["pairs"] == Pair.objects.count() - 1
    assert round_.selection["under_adjudication"] == 1
    assert bench.hearing() == hearing  # the page still shows it
    assert bench.rule(hearing).pair_id == hearing.pair_id


def test_the_preview_says_what_is_left_out(disputed: GoldSet, bench: Bench) -> None:
    bench.hearing()
    found = choose_pairs(
        gold_set=disputed,
        plan=RoundPlan("r", 1),
        selection=Selection(),
        seed="s",
        now=START,
    )
    assert found.notes == ("1 pair is left out: before an adjudicator now.",)


def test_a_round_of_held_pairs_alone_is_refused_with_the_reason(
    disputed: GoldSet, bench: Bench
) -> None:
    hearing = bench.hearing()
    with pytest.raises(InvalidInput, match="before an adjudicator") as refusal:
        opened(disputed, case_ids=(case_of(hearing),))
    assert refusal.value.code == "round_empty"
    with pytest.raises(Conflict) as held:
        open_round(
            gold_set=disputed, plan=RoundPlan("r", 1), pairs=pairs_of(disputed),
            reviewers=[], by=None, now=START,
        )  # fmt: skip
    assert held.value.code == "round_held"
    assert held.value.detail == {"under_adjudication": 1}


def test_a_hold_that_ran_out_is_none_and_its_ruling_is_refused(
    disputed: GoldSet, bench: Bench
) -> None:
    """Page and token agree: the pair is being labelled, so nobody rules on it."""
    hearing = bench.hearing()
    later = bench.clock.pass_minutes(31)
    round_ = opened(disputed, later, case_ids=(case_of(hearing),))

    assert Seat.objects.filter(round=round_, pair=hearing.pair_id).exists()
    assert not hearings.keep(
        token=str(hearing.token), adjudicator=bench.person, now=later
    )
    with pytest.raises(Conflict) as refusal:
        bench.rule(hearing)
    assert refusal.value.code == "pair_being_labelled"
    assert not Adjudication.objects.exists()
    assert bench.hearing() != hearing


def test_a_round_opened_in_the_same_moment_does_not_take_the_pair_away(
    disputed: GoldSet, bench: Bench
) -> None:
    """The round read no hold yet when it chose its pairs."""
    hearing = bench.hearing()
    hold = RulingHold.objects.get()
    RulingHold.objects.update(held_until=START - timedelta(minutes=1))
    opened(disputed, case_ids=(case_of(hearing),))
    RulingHold.objects.update(held_until=hold.held_until)

    assert bench.hearing() == hearing
    assert hearings.keep(
        token=str(hearing.token), adjudicator=bench.person, now=bench.clock.now
    )
    assert bench.rule(hearing).hearing == hearing


def test_a_round_is_not_reopened_over_a_pair_on_a_screen(
    disputed: GoldSet, bench: Bench
) -> None:
    """With a blind first ruling the adjudicator has the pair before any label."""
    GoldSet.objects.update(blind_first_ruling=True)
    hearing = bench.hearing()
    round_ = Round.objects.get()
    assert round_.disclosed_at is None

    with pytest.raises(Conflict) as refusal:
        reopen_round(round_=round_, now=START)
    assert refusal.value.code == "round_held"
    assert refusal.value.detail["held_until"] == (START + HOLD).isoformat()
    round_.refresh_from_db()
    assert not round_.is_open

    bench.give_back(hearing)
    reopen_round(round_=round_, now=START)
    round_.refresh_from_db()
    assert round_.is_open
