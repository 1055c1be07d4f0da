"""Which cases contradict themselves, and by which pairs and cycles."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.domain.coherence import coherence
from calibration.domain.contradictions import Said, contradictions
from calibration.domain.rates import Rates
from calibration.domain.samples import Sample
from calibration.presenters.contradictions import contradiction_rows
from tests.calibration.factory import tournament

SYSTEMS = ("a", "b", "c", "d")
SAID = ["BB", "CC", "TT", "BC", "CB", "BT"]


def built(said, names="abc", case="x"):
    pairs = {key: tuple(letters) for key, letters in said.items()}
    return Sample.build(tournament(names, pairs, case), SYSTEMS)


def test_a_clean_cycle_costs_two_and_is_named():
    # a beats b, b beats c, and c beats a, each in both orders.
    ((found,), _) = contradictions(built({"ab": "BB", "bc": "BB", "ac": "CC"}))
    assert (found.case, found.tov, found.excess) == ("x", 2, 2)
    assert found.unsteady == ()
    assert found.cycles == (
        (Said("a", "b", 1, 1), Said("a", "c", -1, -1), Said("b", "c", 1, 1)),
    )
    (row,) = contradiction_rows((found,))
    assert row.cycles == ("a beats b; c beats a; b beats c",)


def test_a_flip_forces_one_and_is_no_cycle():
    ((found,), _) = contradictions(built({"ab": "BC", "bc": "BB", "ac": "BB"}))
    assert (found.tov, found.excess, found.cycles) == (1, 0, ())
    assert found.unsteady == (Said("a", "b", 1, -1),)
    (row,) = contradiction_rows((found,))
    assert row.unsteady == ("a beats b with a first, b beats a with b first",)


def test_ties_that_do_not_carry_over():
    ((found,), _) = contradictions(built({"ab": "TT", "bc": "TT", "ac": "BB"}))
    (row,) = contradiction_rows((found,))
    assert (row.tov, row.cycles) == (2, ("a and b tie; a beats c; b and c tie",))


def test_a_cycle_of_four_through_pairs_that_flip():
    said = {"ab": "CC", "ac": "BB", "ad": "BC", "bc": "BC", "bd": "CC", "cd": "BB"}
    ((found,), _) = contradictions(built(said, "abcd"))
    assert (found.tov, found.excess) == (4, 2)
    assert [len(cycle) for cycle in found.cycles] == [6]  # every two of all four


def test_a_ranking_with_ties_is_none():
    assert contradictions(built({"ab": "TT", "bc": "BB", "ac": "BB"})) == ((), 0)


def test_an_incomplete_case_is_left_out_and_the_worst_comes_first():
    rows = tournament(
        "abc", {"ab": ("B", "B"), "bc": ("B", "B"), "ac": ("C", "C")}, "x"
    )
    rows += tournament(
        "abc", {"ab": ("I", "B"), "bc": ("B", "C"), "ac": ("C", "C")}, "y"
    )
    rows += tournament("ab", {"ab": ("C", "B")}, "z")
    built_of = Sample.build(rows, SYSTEMS)
    found, total = contradictions(built_of)
    assert total == 2
    assert contradictions(built_of, 1) == (found[:1], 2)
    assert [(one.case, one.tov) for one in found] == [("x", 2), ("z", 1)]
    assert found[0].pairs == ("x-ab", "x-ac", "x-bc")
    assert found[1].cycles == ()


@given(st.lists(st.sampled_from(SAID), min_size=6, max_size=6))
@settings(max_examples=60, deadline=None)
def test_they_add_up_to_the_figures_of_the_report(said):
    sample = built(
        dict(zip(["ab", "ac", "ad", "bc", "bd", "cd"], said, strict=True)), "abcd"
    )
    figures = coherence(sample, Rates.of(sample, 0.95), np.random.default_rng(3))
    found, _ = contradictions(sample)
    tov = found[0].tov if found else 0
    assert tov == figures.tov.value
    assert (found[0].excess if found else 0) == figures.excess.value
    unsteady = len(found[0].unsteady) if found else 0
    assert unsteady / 6 == figures.ipi.value
    if found:  # a cycle is there exactly where flips do not explain all
        assert bool(found[0].cycles) == (found[0].excess > 0)
