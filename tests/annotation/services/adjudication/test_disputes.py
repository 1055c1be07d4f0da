"""Disputes are found once, and anew as soon as anything they follow from changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from annotation.domain.consensus import ConsensusRule
from annotation.domain.hearings import secret_rank
from annotation.models import GoldSet, Label, Round
from annotation.services.disputes import pairs_in_open_rounds, survey
from tests.annotation.court import AGREED, DISPUTE, B, C, T, label, pairs_of
from tests.annotation.factory import START, Clock, make_set

if TYPE_CHECKING:
    from config.accounts.models import User


def disputed() -> list[int]:
    return sorted(row.pair_id for row in survey().found)


def test_the_same_basis_gives_the_same_survey(people: list[User], clock: Clock) -> None:
    label(make_set(cases=2), people, [DISPUTE, AGREED])
    first = survey()
    assert [row.agreement for row in first.found] == [0.0]
    assert survey() is first


def test_labels_of_an_open_round_tell_once_it_is_closed(
    people: list[User], clock: Clock
) -> None:
    gold_set = make_set(cases=3)
    label(gold_set, people, [AGREED])
    assert disputed() == []
    round_ = label(gold_set, people, [(), DISPUTE, AGREED], closed=False)
    second = pairs_of(gold_set)[1].pk
    before = survey()

    Round.objects.filter(pk=round_.pk).update(closed_at=clock.pass_minutes(1))

    assert survey() is not before
    assert disputed() == [second]


def test_a_round_closed_a_second_time_is_looked_at_again(
    people: list[User], clock: Clock
) -> None:
    gold_set = make_set(cases=1, labels_per_pair=2)
    round_ = label(gold_set, people, [(B, B)])
    assert disputed() == []
    round_.closed_at = None
    round_.save(update_fields=["closed_at"])
    old = Label.objects.earliest("pk")
    old.pk, old.revision, old.outcome = None, 2, T.value
    old.choice = "tie"
    old.save()
    round_.closed_at = clock.pass_minutes(1)
    round_.save(update_fields=["closed_at"])

    assert disputed() == [old.pair_id]


def test_outside_labels_tell_at_once(people: list[User]) -> None:
    gold_set = make_set(cases=1, labels_per_pair=2)
    [pair] = pairs_of(gold_set)
    assert disputed() == []
    for name, outcome in (("ann", B), ("ben", C)):
        Label.objects.create(
            pair=pair, external_reviewer=name, outcome=outcome.value, created_at=START
        )
    assert disputed() == [pair.pk]


@pytest.mark.parametrize(
    "change",
    [
        {"consensus_rule": ConsensusRule.MODE_OR_TIE.value},
        {"labels_per_pair": 4},
    ],
)
def test_another_rule_decides_anew(
    people: list[User], change: dict[str, object]
) -> None:
    gold_set = make_set(cases=1)
    label(gold_set, people, [DISPUTE])
    assert len(disputed()) == 1
    GoldSet.objects.filter(pk=gold_set.pk).update(**change)
    assert disputed() == []


def test_each_person_has_an_order_of_their_own_that_stays(people: list[User]) -> None:
    gold_set = make_set(cases=4)
    label(gold_set, people, [DISPUTE, (B, B, C, C), DISPUTE, DISPUTE])
    found = survey()
    for person in (1, 2):
        ranked = found.ranked_for(person)
        assert found.ranked_for(person) is ranked
        assert [row[:2] for row in ranked] == sorted(row[:2] for row in ranked)
        assert {row.rank for row in ranked} == {
            secret_rank(gold_set.seed, "queue", person, row.pair_id) for row in ranked
        }
        assert ranked[-1].pair_id == pairs_of(gold_set)[1].pk


def test_pairs_of_open_rounds_are_known_as_soon_as_they_open(
    people: list[User],
) -> None:
    gold_set = make_set(cases=3)
    label(gold_set, people, [DISPUTE])
    assert pairs_in_open_rounds() == set()
    round_ = label(gold_set, people, [(), (B,)], closed=False)
    assert pairs_in_open_rounds() == {pairs_of(gold_set)[1].pk}
    Round.objects.filter(pk=round_.pk).update(closed_at=START)
    assert pairs_in_open_rounds() == set()


def test_one_person_does_not_dispute_with_themselves(people: list[User]) -> None:
    """Who said two things in two rounds has one vote: the newer."""
    gold_set = make_set(cases=2, labels_per_pair=2)
    label(gold_set, people, [(B, T), (B, B)])
    label(gold_set, people, [(T,), (C,)])
    first, second = (pair.pk for pair in pairs_of(gold_set))

    assert disputed() == [second]
    assert first not in disputed()
