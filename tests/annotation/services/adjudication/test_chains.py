"""The rulings on a pair, as adjudicators and as leads may read them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from annotation.domain.outcomes import Order, SlotChoice, Split, choice_for
from annotation.domain.rulings import RulingCategory
from annotation.models import (
    Adjudication,
    Case,
    Exposure,
    ExposureKind,
    GoldSet,
)
from annotation.services.corrections import request_corrections
from annotation.services.exposures import note_judged
from annotation.services.held_out import Viewer
from annotation.services.ruling_chains import (
    chains_shown,
    past_rulings,
    ruled_pairs,
    standing_gold,
)
from tests.annotation.court import AGREED, DISPUTE, B, Bench, C, T, label, pairs_of
from tests.annotation.factory import START, make_set

if TYPE_CHECKING:
    from config.accounts.models import User


def viewer(user: User) -> Viewer:
    return Viewer(user=user, door="page")


@pytest.fixture
def ruled_again(people: list[User], bench: Bench, second: Bench, lead: User) -> GoldSet:
    """A dispute ruled a tie, and after the judge's results ruled for the baseline."""
    gold_set = make_set(cases=2)
    label(gold_set, people, [DISPUTE, AGREED])
    bench.rule(bench.hearing(), T)
    note_judged(gold_set_id=gold_set.pk, now=bench.clock.pass_minutes(1))
    one, two = pairs_of(gold_set)
    request_corrections(
        pairs=[one],
        controls=[two],
        by=lead,
        category=RulingCategory.GOLD_WRONG,
        note="secret doubt",
        now=bench.clock.now,
    )
    while (hearing := second.next().hearing) is not None:
        second.rule(hearing, B if hearing.pair == one else C, note="Seen again.")
    return gold_set


def test_an_adjudicator_reads_no_names_and_no_reasons(
    ruled_again: GoldSet, second: Bench
) -> None:
    hearing = second.person.hearings.get(pair=pairs_of(ruled_again)[0])
    here = Order(hearing.order)
    past = past_rulings(hearing)
    assert [(one.by, one.before, one.choice) for one in past] == [
        ("adjudicator 1", None, SlotChoice.TIE),
        ("you", SlotChoice.TIE, choice_for(B, here)),
    ]
    text = repr(past)
    for word in ("secret doubt", "correction", "judge", "adjudicator'", "second@"):
        assert word not in text


def test_a_lead_reads_all_and_is_noted_for_it(ruled_again: GoldSet, lead: User) -> None:
    pairs = list(ruled_pairs(ruled_again, held_out=False))
    chains = chains_shown(pairs, reader=lead, viewer=viewer(lead), now=START)
    first, control = chains
    assert [(r.before, r.ruling.outcome, r.moved) for r in first.records] == [
        (None, "tie", False),
        (T, "baseline", True),
    ]
    assert [r.ruling.after_judge for r in first.records] == [False, True]
    assert [r.correction for r in first.records] == [False, True]
    assert first.records[1].ruling.request is not None
    assert first.records[1].ruling.request.note == "secret doubt"
    (same,) = control.records
    assert (same.before, same.moved, same.correction) == (C, False, False)
    assert first.problems == control.problems == ()
    seen = Exposure.objects.filter(user=lead).values_list("pair", "kind")
    assert set(seen) == {
        (pair.pk, kind)
        for pair in pairs
        for kind in (ExposureKind.LABELS, ExposureKind.SYSTEMS)
    }


def test_held_out_pairs_are_apart_and_reading_them_locks_the_splits(
    ruled_again: GoldSet, lead: User
) -> None:
    two = pairs_of(ruled_again)[1]
    Case.objects.filter(pk=two.case_id).update(split=Split.HELD_OUT.value)
    open_, closed = (
        list(ruled_pairs(ruled_again, held_out=flag)) for flag in (False, True)
    )
    assert [len(open_), closed] == [1, [two]]
    later = START + timedelta(hours=1)
    chains_shown(open_, reader=lead, viewer=viewer(lead), now=START)
    assert GoldSet.objects.get().held_out_seen_at is None
    chains_shown(closed, reader=lead, viewer=viewer(lead), now=later)
    assert GoldSet.objects.get().held_out_seen_at == later


def test_a_forged_note_breaks_the_chain(ruled_again: GoldSet, lead: User) -> None:
    one = pairs_of(ruled_again)[0]
    last = Adjudication.objects.filter(pair=one).latest("sequence")
    last.pk, last.sequence, last.digest = None, 3, "f" * 64
    last.hearing = last.request = None
    Adjudication.objects.bulk_create([last])
    (chain,) = chains_shown([one], reader=lead, viewer=viewer(lead), now=START)
    assert {problem.link for problem in chain.problems} == {3}


def test_standing_gold(people: list[User]) -> None:
    gold_set = make_set(cases=3)
    label(gold_set, people, [AGREED, DISPUTE])
    pairs = pairs_of(gold_set)
    assert standing_gold(pairs) == {
        pairs[0].pk: C,
        pairs[1].pk: None,
        pairs[2].pk: None,
    }
