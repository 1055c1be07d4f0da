"""Rulings: who may, what they must say, and the chain they make."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, transaction

from annotation.domain.outcomes import Outcome
from annotation.domain.rulings import RulingCategory, verify_chain
from annotation.models import (
    Adjudication,
    Exposure,
    ExposureKind,
    Guideline,
    Pair,
)
from annotation.services.adjudicating import (
    LONGEST_NOTE,
    Opinion,
    adjudicate,
    link_of,
)
from annotation.services.adjudication_queue import BARRING
from annotation.services.exposures import note_judged, record_exposures
from config.errors import Conflict, InvalidInput, NotAllowed
from tests.annotation.factory import START, Desk

if TYPE_CHECKING:
    from annotation.models import GoldSet
    from config.accounts.models import User


@pytest.fixture
def pair(gold_set: GoldSet) -> Pair:
    return Pair.objects.filter(gold_set=gold_set).order_by("pk")[0]


def rule(
    pair: Pair,
    by: User,
    note: str = "Left names the wrong fee.",
    outcome: Outcome = Outcome.CANDIDATE,
    minutes: int = 0,
    **rest: Any,
) -> Adjudication:
    return adjudicate(
        pair=pair,
        opinion=Opinion(outcome, RulingCategory.REVIEWER_SLIP, note),
        by=by,
        now=START + timedelta(minutes=minutes),
        **rest,
    )


def test_rulings_make_a_chain_that_can_be_verified(
    pair: Pair, adjudicator: User, lead: User, gold_set: GoldSet
) -> None:
    rule(pair, adjudicator)
    Guideline.objects.create(
        gold_set=gold_set, version=1, text="t", digest="d" * 64, created_at=START
    )
    rule(pair, lead, outcome=Outcome.TIE, minutes=5)
    rule(pair, adjudicator, note="Seen again: 🙂", minutes=9)
    rows = list(Adjudication.objects.filter(pair=pair).order_by("sequence"))

    assert [row.sequence for row in rows] == [1, 2, 3]
    assert rows[0].previous_digest == ""
    assert [row.previous_digest for row in rows[1:]] == [r.digest for r in rows[:2]]
    assert verify_chain([link_of(row) for row in rows]) == ()
    assert rows[0].guideline is None
    assert rows[1].guideline is not None


def test_a_changed_ruling_shows(pair: Pair, adjudicator: User) -> None:
    rule(pair, adjudicator)
    row = Adjudication.objects.get()
    row.note = "Something else."
    assert [p.link for p in verify_chain([link_of(row)])] == [1]


@pytest.mark.parametrize(
    "note", ["", "  \n", "\u200b", "a\x00", "x" * (LONGEST_NOTE + 1)]
)
def test_a_ruling_needs_a_note_that_can_be_kept(
    note: str, pair: Pair, adjudicator: User
) -> None:
    with pytest.raises(InvalidInput, match=r"^note: "):
        rule(pair, adjudicator, note)
    assert not Adjudication.objects.exists()


def test_nobody_rules_on_a_pair_they_labelled(desk: Desk, other_reviewer: User) -> None:
    label = desk.submit(desk.claim())

    with pytest.raises(NotAllowed) as refusal:
        rule(label.pair, desk.reviewer)
    assert refusal.value.code == "own_pair"
    assert rule(label.pair, other_reviewer).sequence == 1


@pytest.mark.parametrize("kind", BARRING)
def test_nobody_rules_on_a_pair_whose_labels_systems_or_verdicts_they_saw(
    kind: ExposureKind, pair: Pair, adjudicator: User
) -> None:
    record_exposures(user=adjudicator, pair_ids=[pair.pk], kind=kind, now=START)
    with pytest.raises(NotAllowed) as refusal:
        rule(pair, adjudicator)
    assert refusal.value.code == "pair_exposed"


def test_who_rules_has_seen_the_labels_and_gets_the_pair_no_more(
    desk: Desk, pair: Pair
) -> None:
    rule(pair, desk.reviewer)

    seen = Exposure.objects.get(pair=pair)
    assert (seen.user, seen.kind) == (desk.reviewer, ExposureKind.RULING)
    labels = desk.label_all()
    assert pair.pk not in {label.pair_id for label in labels}
    assert len(labels) == 5


def test_of_two_who_rule_on_what_they_saw_the_second_is_told(
    pair: Pair, adjudicator: User, lead: User
) -> None:
    rule(pair, adjudicator, after="")
    with pytest.raises(Conflict) as refusal:
        rule(pair, lead, after="")
    assert refusal.value.code == "ruling_raced"
    newest = Adjudication.objects.get()
    assert rule(pair, lead, after=newest.digest, minutes=1).sequence == 2
    assert not Exposure.objects.filter(user=lead).exclude(kind="ruling").exists()


def test_the_database_refuses_a_second_ruling_at_the_same_place(
    pair: Pair, adjudicator: User, lead: User
) -> None:
    first = rule(pair, adjudicator)
    first.pk, first.digest = None, "0" * 64
    with pytest.raises(IntegrityError), transaction.atomic():
        Adjudication.objects.bulk_create([first])


def test_after_judge_follows_from_when_the_set_was_first_judged(
    pair: Pair, adjudicator: User
) -> None:
    before = rule(pair, adjudicator)
    note_judged(gold_set_id=pair.gold_set_id, now=START + timedelta(minutes=10))
    note_judged(gold_set_id=pair.gold_set_id, now=START + timedelta(minutes=99))
    pair = Pair.objects.get(pk=pair.pk)

    assert not before.after_judge
    assert not rule(pair, adjudicator, minutes=9).after_judge
    assert rule(pair, adjudicator, minutes=10).after_judge


def test_the_first_time_something_was_seen_is_kept(pair: Pair, lead: User) -> None:
    for minutes in (0, 30):
        record_exposures(
            user=lead,
            pair_ids=[pair.pk, pair.pk],
            kind=ExposureKind.SYSTEMS,
            now=START + timedelta(minutes=minutes),
        )
    assert Exposure.objects.get().seen_at == START
