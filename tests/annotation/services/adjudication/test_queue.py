"""Which pairs wait for an adjudicator, and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.consensus import ConsensusRule
from annotation.domain.outcomes import SlotChoice
from annotation.models import (
    ExposureKind,
    GoldSet,
    Label,
    Round,
)
from annotation.services import hearings
from annotation.services.adjudication_queue import BARRING, queue_of, waiting
from annotation.services.exposures import record_exposures
from tests.annotation.court import (
    AGREED,
    DISPUTE,
    SPLIT,
    A,
    B,
    Bench,
    C,
    T,
    asked,
    give,
    label,
    pairs_of,
)
from tests.annotation.factory import START, Clock, make_set
from tests.queries import statements

if TYPE_CHECKING:
    from config.accounts.models import User

TIED = (B, B, C, C)


def test_disputes_come_and_nothing_else_each_once(
    disputed: GoldSet, bench: Bench
) -> None:
    pairs = [pair.pk for pair in pairs_of(disputed)]
    assert sorted(bench.seen()) == sorted([pairs[0], pairs[1], pairs[3]])
    assert bench.next() == hearings.Docket(None, waiting(**asked(bench)), None)
    assert waiting(**asked(bench)).mine == 3


def test_the_lowest_agreement_comes_first(people: list[User], bench: Bench) -> None:
    gold_set = make_set(cases=3, labels_per_pair=4)
    label(gold_set, people, [TIED, (B, C, T, A), (B, B, C, T)])
    pairs = [pair.pk for pair in pairs_of(gold_set)]
    assert bench.seen() == [pairs[1], pairs[2], pairs[0]]


def test_among_equals_the_order_is_each_persons_own(
    people: list[User], bench: Bench, second: Bench
) -> None:
    label(make_set(cases=12), people, [DISPUTE] * 12)
    mine, theirs = (
        [c.pair_id for c in queue_of(**asked(one))] for one in (bench, second)
    )
    assert sorted(mine) == sorted(theirs)
    assert mine != theirs
    assert sorted(mine) not in (mine, theirs)


def test_the_sets_own_rule_decides_what_is_open(
    people: list[User], bench: Bench
) -> None:
    unanimous = make_set(
        cases=2, consensus_rule=ConsensusRule.UNANIMOUS_ELSE_ADJUDICATE.value
    )
    label(unanimous, people, [SPLIT, AGREED])
    published = make_set(cases=1, consensus_rule=ConsensusRule.MODE_OR_TIE.value)
    label(published, people, [DISPUTE])
    assert bench.seen() == [pairs_of(unanimous)[0].pk]


def test_a_pair_waits_until_all_its_rounds_are_closed(
    disputed: GoldSet, bench: Bench, people: list[User]
) -> None:
    pair = pairs_of(disputed)[0]
    again = label(disputed, [], [()], closed=False)
    give(again, pair, people[3], B, 3)
    assert pair.pk not in [c.pair_id for c in queue_of(**asked(bench))]
    Round.objects.filter(pk=again.pk).update(closed_at=START)
    # Its fourth label makes it two of four: still no majority.
    assert pair.pk in [c.pair_id for c in queue_of(**asked(bench))]


def test_planned_repeats_and_old_revisions_do_not_make_a_dispute(
    gold_set: GoldSet, people: list[User], bench: Bench
) -> None:
    label(gold_set, people, [AGREED, AGREED])
    first, other = Label.objects.filter(reviewer=people[0]).order_by("pk")
    slip = Label.objects.get(pk=first.pk)
    slip.pk, slip.revision = None, 2
    slip.save()
    repeat = other.seat
    assert repeat is not None
    repeat.pk, repeat.retest_of_id, repeat.pass_no = None, other.seat_id, 1
    repeat.save()
    other.pk, other.seat, other.outcome = None, repeat, B.value
    other.choice = SlotChoice.FIRST.value
    other.save()
    assert bench.seen() == []


def test_nobody_is_given_a_pair_they_labelled(
    disputed: GoldSet, people: list[User], clock: Clock
) -> None:
    assert Bench(people[0], clock).seen() == []
    # The fourth labelled one pair only.
    assert len(Bench(people[3], clock).seen()) == 2


@pytest.mark.parametrize("kind", BARRING)
def test_nobody_is_given_a_pair_they_know_results_of(
    kind: ExposureKind, disputed: GoldSet, bench: Bench
) -> None:
    pair = pairs_of(disputed)[0]
    record_exposures(user=bench.person, pair_ids=[pair.pk], kind=kind, now=START)
    assert pair.pk not in bench.seen()


def test_the_queue_costs_as_many_queries_however_long_it_is(
    people: list[User], bench: Bench
) -> None:
    costs = []
    for cases in (2, 40):
        label(make_set(cases=cases), people, [DISPUTE] * cases)
        with CaptureQueriesContext(connection) as caught:
            bench.rule(bench.hearing())
        costs.append(len(statements(caught)))
    assert costs[0] == costs[1] < 60
