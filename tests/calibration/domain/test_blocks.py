"""What must hold of a whole block, whatever the sample."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass, replace
from random import Random
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.domain.estimates import Estimate, Undefined
from annotation.domain.outcomes import Outcome, Split
from calibration.domain.jsonable import jsonable, splits_json
from calibration.domain.samples import Sample
from tests.calibration.factory import (
    SYSTEMS,
    block_of,
    calibration_of,
    row,
    rows,
    sample,
)

triples = st.lists(
    st.tuples(
        st.sampled_from("BCTAU"), st.sampled_from("BCTAI"), st.sampled_from("BCTAI")
    ),
    max_size=25,
)
SWAPPED = str.maketrans("BC", "CB")


def figures(value):
    """Every figure below ``value``."""
    if isinstance(value, Estimate | Undefined):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from figures(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from figures(getattr(value, field.name))


def mirrored(letters):
    """The same answers with the systems' names exchanged."""
    return [
        (g.translate(SWAPPED), b.translate(SWAPPED), a.translate(SWAPPED))
        for g, a, b in letters
    ]


@given(triples)
@settings(deadline=None)
def test_swapping_the_systems_swaps_the_errors(letters):
    ours, theirs = block_of(sample(letters)), block_of(sample(mirrored(letters)))
    assert ours.false_candidate_wins == theirs.false_baseline_wins
    assert ours.missed_ties_to_candidate == theirs.missed_ties_to_baseline
    assert ours.per_class.baseline == theirs.per_class.candidate
    for name in ("exact_agreement", "stated_agreement", "coverage", "missed_ties"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert ours.ties == theirs.ties
    assert ours.position.first_slot_flips == theirs.position.first_slot_flips
    assert ours.position.flip_rate == theirs.position.flip_rate
    assert ours.coherence == theirs.coherence


@given(triples)
@settings(deadline=None)
def test_counts_add_up(letters):
    found = block_of(sample(letters))
    table = found.confusion
    by_gold = [table.baseline, table.candidate, table.tie, table.abstain]
    assert sum(line.total for line in by_gold) + found.no_gold == found.n
    assert sum(line.total for line in by_gold[:3]) == found.scored
    place = found.position
    classes = place.consistent + place.flip + place.tie_transition
    assert classes + place.abstain_transition + place.invalid == found.n
    assert place.usable + place.excluded == found.n
    assert place.first_slot_flips + place.second_slot_flips == place.flip
    missed = (found.missed_ties_to_candidate, found.missed_ties_to_baseline)
    assert sum(f.numerator for f in missed) == found.missed_ties.numerator
    ties = found.ties.stated + found.ties.transition + found.ties.flip
    assert ties == found.preference.judge.ties
    parts = (found.coverage, found.invented_abstains, found.invalid_verdicts)
    assert sum(f.numerator for f in parts) == found.scored
    assert found.coherence.cases + found.coherence.incomplete == found.n


@given(triples)
@settings(deadline=None)
def test_every_figure_is_sound(letters):
    for figure in figures(block_of(sample(letters))):
        if isinstance(figure, Undefined):
            assert figure.reason
        elif figure.low is not None:
            assert figure.low <= figure.value <= figure.high
            assert figure.low < figure.high, figure
            assert figure.level == 0.95


@given(triples, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_rows_does_not_matter(letters, random):
    made = rows(letters, slices={"k": "v"}, labels=(Outcome.TIE, Outcome.BASELINE))
    shuffled = list(made)
    random.shuffle(shuffled)
    ours = jsonable(block_of(Sample.build(made, SYSTEMS)))
    theirs = jsonable(block_of(Sample.build(shuffled, SYSTEMS)))
    assert ours == theirs


@pytest.mark.parametrize(
    "letters",
    [[], ["BB"], ["BI"] * 3, ["TA"] * 3, ["UB", "UC"], ["TT"] * 25, ["AA"] * 3],
)
def test_degenerate_samples_give_json_without_nan(letters):
    found = block_of(sample(letters))
    text = json.dumps(jsonable(found), allow_nan=False)
    assert json.loads(text)["n"] == len(letters)


def test_all_invalid_is_no_agreement_and_no_tie():
    found = block_of(sample(["BI", "CI", "TIT"]))
    assert found.exact_agreement.value == 0
    assert found.coverage.value == 0
    assert found.invalid_rate.value == 1
    assert found.ties.stated == found.missed_ties.numerator == 0
    assert isinstance(found.answered_agreement, Undefined)
    assert isinstance(found.kappa, Undefined)
    assert found.invalid_calls["unparsed"] == 5


def test_seventeen_of_twenty_read():
    found = block_of(sample(["BB"] * 17 + ["BI"] * 3))
    assert (found.coverage.numerator, found.coverage.denominator) == (17, 20)
    assert found.exact_agreement.denominator == 20


def test_splits():
    mixed = rows(["BB", "CC"], split=Split.DEV)
    mixed += [row("T", "B", pair="x", case="x", split=Split.HELD_OUT)]
    mixed += [row("T", "B", pair="y", case="y")]
    found = calibration_of(Sample.build(mixed, SYSTEMS)).splits
    assert (found.dev.n, found.held_out.n, found.all.n) == (2, 1, 4)
    assert found.dev.exact_agreement.value == 1
    assert found.held_out.exact_agreement.value == 0


def test_slices_and_critical_pairs_have_short_blocks():
    mixed = rows(["BC", "CC"], slices={"lang": "en"})
    odd = row("B", "B", pair="x", case="x", critical=True, slices={"lang": "fr"})
    found = block_of(Sample.build([*mixed, odd], SYSTEMS))
    english = found.slices["lang"]["en"]
    assert (english.n, english.small) == (2, True)
    assert english.false_candidate_wins.value == 1
    assert found.critical.n == 1
    assert found.critical.exact_agreement.value == 1


def test_a_slice_of_twenty_is_not_small():
    found = block_of(sample(["BB"] * 20, slices={"k": "v"}))
    assert not found.slices["k"]["v"].small


def test_level_reaches_every_figure():
    narrow = block_of(sample(["BB", "BC", "CC", "TB", "TC"] * 9), level=0.8)
    levels = {f.level for f in figures(narrow) if isinstance(f, Estimate)}
    assert levels == {0.8, None}
    assert narrow.coherence.excess.level is None  # of two systems there is none


def test_json_names_are_those_of_the_contract():
    found = splits_json(calibration_of(sample(["BB"], slices={"k": "v"})).splits)
    assert list(found) == ["dev", "held_out", "all"]
    named = {
        "n no_gold coverage human confusion exact_agreement stated_agreement kappa "
        "per_class false_candidate_wins false_baseline_wins unearned_candidate_wins "
        "missed_ties invented_ties missed_abstains invented_abstains invalid_rate "
        "ties direction position coherence slices": found["all"],
        "baseline candidate tie abstain": found["all"]["confusion"],
        "baseline candidate tie abstain invalid": found["all"]["confusion"]["tie"],
        "precision recall f1 support": found["all"]["per_class"]["tie"],
        "stated transition flip": found["all"]["ties"],
        "difference test": found["all"]["direction"],
        "consistent flip tie_transition abstain_transition invalid flip_rate "
        "consistency_rate first_slot_flips second_slot_flips slot_test": found["all"][
            "position"
        ],
        "cases incomplete ipi tov excess": found["all"]["coherence"],
        "n exact_agreement": found["all"]["slices"]["k"]["v"],
    }
    for names, part in named.items():
        assert set(names.split()) <= set(part)


def test_large_samples_are_quick():
    random = Random(4)
    kinds = [row(g, a, b) for g in "BCTAU" for a in "BCTAI" for b in "BCTAI"]
    made = [
        replace(
            random.choice(kinds),
            pair=f"p{i}",
            case=f"c{i}",
            cluster=f"g{i // 2}",
            slices={"k": f"v{i % 20}"},
        )
        for i in range(20_000)
    ]
    built = Sample.build(made, SYSTEMS)
    start = perf_counter()
    found = block_of(built)
    assert perf_counter() - start < 3
    assert len(found.slices["k"]) == 20
