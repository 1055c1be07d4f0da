from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.consensus import Open, OpenReason, Settled
from annotation.domain.outcomes import Outcome
from annotation.domain.rulings import (
    Gold,
    GoldSource,
    Ruling,
    RulingCategory,
    gold_of,
    link_digest,
    next_link,
    note_problem,
    verify_chain,
)

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def a_ruling(**changes):
    values = {
        "pair": "ab" * 32,
        "outcome": Outcome.CANDIDATE,
        "category": RulingCategory.GENUINELY_CLOSE,
        "note": "Both answer; the second cites the policy.",
        "author": "ada",
        "at": NOON,
        "guideline": "2",
    }
    return Ruling(**(values | changes))


def a_chain(length):
    links = []
    for step in range(length):
        ruling = a_ruling(at=NOON + timedelta(minutes=step), note=f"note {step}")
        links.append(next_link(ruling, links[-1] if links else None))
    return links


def test_a_chain_as_built_verifies():
    assert verify_chain([]) == ()
    assert verify_chain(a_chain(1)) == ()
    assert verify_chain(a_chain(4)) == ()


@pytest.mark.parametrize(
    "change",
    [
        {"pair": "cd" * 32},
        {"outcome": Outcome.TIE},
        {"category": RulingCategory.RUBRIC_GAP},
        {"note": "other"},
        {"author": "eve"},
        {"at": NOON + timedelta(microseconds=1)},
        {"guideline": "3"},
    ],
)
def test_every_field_is_in_the_digest(change):
    assert link_digest(a_ruling(**change), None) != link_digest(a_ruling(), None)


def test_the_previous_link_is_in_the_digest():
    assert link_digest(a_ruling(), "ff") != link_digest(a_ruling(), None)


def test_the_digest_does_not_depend_on_the_time_zone_or_stored_strings():
    there = a_ruling(at=NOON.astimezone(timezone(timedelta(hours=5, minutes=30))))
    stored = a_ruling(outcome="candidate", category="genuinely_close")
    assert link_digest(there, None) == link_digest(a_ruling(), None)
    assert link_digest(stored, None) == link_digest(a_ruling(), None)


@given(st.integers(0, 4))
def test_a_changed_ruling_is_named(place):
    links = a_chain(5)
    forged = replace(links[place].ruling, outcome=Outcome.BASELINE)
    links[place] = replace(links[place], ruling=forged)
    (problem,) = verify_chain(links)
    assert str(problem) == f"link {place + 1}: its content does not fit its digest"


def test_a_changed_ruling_with_a_fresh_digest_breaks_the_next_link():
    links = a_chain(3)
    links[1] = next_link(replace(links[1].ruling, note="forged"), links[0])
    (problem,) = verify_chain(links)
    assert (problem.link, problem.reason) == (3, "it does not follow the link before")


def test_removed_and_swapped_links_are_named():
    links = a_chain(4)
    assert [p.link for p in verify_chain(links[1:])] == [1]
    assert [p.link for p in verify_chain([links[0], *links[2:]])] == [2]
    swapped = [links[0], links[2], links[1], links[3]]
    assert {p.link for p in verify_chain(swapped)} == {2, 3, 4}


def test_a_link_older_than_the_one_before_is_named():
    first = next_link(a_ruling(), None)
    second = next_link(a_ruling(at=NOON - timedelta(days=1)), first)
    assert [p.reason for p in verify_chain([first, second])] == [
        "it is older than the link before"
    ]


def test_a_chain_is_about_one_pair():
    first = next_link(a_ruling(), None)
    other = a_ruling(pair="cd" * 32)
    with pytest.raises(ValueError, match="one pair"):
        next_link(other, first)
    forged = replace(
        next_link(other, None),
        previous=first.digest,
        digest=link_digest(other, first.digest),
    )
    assert [p.reason for p in verify_chain([first, forged])] == [
        "it is about another pair"
    ]


@pytest.mark.parametrize("note", ["", " ", "\n\t ", "\u00a0", "\u200b\u200d", "\ufe0f"])
def test_a_note_must_say_something(note):
    with pytest.raises(ValueError, match="needs a note"):
        a_ruling(note=note)


@pytest.mark.parametrize("note", ["a\x00b", "a\ud800"])
def test_a_note_must_be_storable(note):
    with pytest.raises(ValueError, match="cannot be stored"):
        a_ruling(note=note)


@pytest.mark.parametrize("note", [".", " spaced ", "\U0001f937", "x" * 100_000])
def test_other_notes_are_kept_as_typed(note):
    assert note_problem(note) is None
    assert a_ruling(note=note).note == note


def test_a_time_needs_a_zone():
    with pytest.raises(ValueError, match="time zone"):
        a_ruling(at=NOON.replace(tzinfo=None))


def test_correction_categories():
    corrections = {category for category in RulingCategory if category.is_correction}
    assert corrections == {"gold_wrong", "rubric_ambiguous", "label_slip"}


def test_gold_is_the_ruling_then_the_consensus_then_nothing():
    settled = Settled(Outcome.BASELINE, 2, 3)
    disputed = Open(OpenReason.DISPUTED, 2, 0.0)
    ruled = Gold(Outcome.CANDIDATE, GoldSource.ADJUDICATION)
    assert gold_of(settled, None) == Gold(Outcome.BASELINE, GoldSource.CONSENSUS)
    assert gold_of(settled, a_ruling()) == ruled
    assert gold_of(disputed, a_ruling()) == ruled
    assert gold_of(disputed, None) == Gold(None, GoldSource.NONE)
