from __future__ import annotations

import pytest

from annotation.domain.estimates import Undefined
from annotation.domain.outcomes import Order
from calibration.domain.coherence import coherence
from calibration.domain.rates import Rates
from calibration.domain.samples import Sample
from tests.calibration.factory import SYSTEMS, call, row, sample, tournament

CYCLE = {"ab": ("B", "B"), "bc": ("B", "B"), "ac": ("C", "C")}
ORDERED = {"ab": ("B", "B"), "bc": ("B", "B"), "ac": ("B", "B")}
ALWAYS_FIRST = {"ab": ("B", "C"), "bc": ("B", "C"), "ac": ("B", "C")}


def block_of(rows, systems="abc"):
    built = Sample.build(rows, tuple(systems))
    return coherence(built, Rates.of(built, 0.95))


def test_means_over_cases():
    cases = tournament("abc", CYCLE, "one") + tournament("abc", ORDERED, "two")
    found = block_of(cases + tournament("abc", ALWAYS_FIRST, "three"))
    assert (found.cases, found.incomplete) == (3, 0)
    assert found.ipi.value == pytest.approx(1 / 3)
    assert found.tov.value == pytest.approx((2 + 0 + 3) / 3)
    assert found.excess.value == pytest.approx(2 / 3)
    assert found.tov_share.value == pytest.approx((2 / 6 + 3 / 6) / 3)
    for figure in (found.ipi, found.tov, found.excess, found.tov_share):
        assert figure.low < figure.value < figure.high
        assert figure.denominator == 3


@pytest.mark.parametrize("letter", ["A", "I"])
def test_a_missing_answer_leaves_the_case_out(letter):
    broken = ORDERED | {"bc": ("B", letter)}
    found = block_of(
        tournament("abc", broken, "one") + tournament("abc", ORDERED, "two")
    )
    assert (found.cases, found.incomplete) == (1, 1)
    assert found.ipi.value == 0


def test_a_missing_pair_leaves_the_case_out():
    found = block_of(tournament("abc", ORDERED, "one")[:2])
    assert (found.cases, found.incomplete) == (0, 1)
    assert isinstance(found.tov, Undefined)
    assert found.tov.reason == "0 cases"


def test_cases_with_different_numbers_of_systems():
    two = tournament("ac", {"ac": ("B", "C")}, "two")
    found = block_of(tournament("abc", CYCLE, "one") + two)
    assert (found.cases, found.incomplete) == (2, 0)
    assert found.tov.value == pytest.approx((2 + 1) / 2)
    assert found.ipi.value == pytest.approx((0 + 1) / 2)
    assert found.tov_share.value == pytest.approx((2 / 6 + 1 / 2) / 2)


def test_with_two_systems_ipi_is_flips_and_tie_transitions():
    found = block_of(sample(["UBB", "UBC", "UBT", "UTT", "UAB"]).rows, systems=SYSTEMS)
    assert (found.cases, found.incomplete) == (4, 1)
    assert found.ipi.value == found.tov.value == 0.5
    assert found.excess.value == 0


def test_repeats_are_scored_one_by_one_and_averaged():
    calls = (
        call("B", Order.BASELINE_FIRST, 1),
        call("C", Order.CANDIDATE_FIRST, 1),
        call("B", Order.BASELINE_FIRST, 2),
        call("B", Order.CANDIDATE_FIRST, 2),
    )
    found = block_of([row("U", "B", "T", calls=calls)], systems=SYSTEMS)
    assert found.cases == 1
    assert found.ipi.value == 0.5


def test_an_incomplete_repeat_is_left_out():
    calls = (
        call("B", Order.BASELINE_FIRST, 1),
        call("I", Order.CANDIDATE_FIRST, 1),
        call("B", Order.BASELINE_FIRST, 2),
        call("B", Order.CANDIDATE_FIRST, 2),
    )
    found = block_of([row("U", "B", "B", calls=calls)], systems=SYSTEMS)
    assert (found.cases, found.incomplete) == (1, 0)
    assert found.ipi.value == 0


def test_a_row_without_calls_stands_with_its_order_outcomes():
    repeated = tuple(call("B", order, repeat) for order in Order for repeat in (1, 2))
    found = block_of(
        [
            row("U", "B", "B", calls=repeated),
            row("U", "B", "C", calls=(), pair="q", case="d"),
        ],
        systems=SYSTEMS,
    )
    assert found.cases == 2
    assert found.ipi.value == 0.5


def test_no_interval_has_zero_width():
    same = [r for i in range(30) for r in tournament("abc", CYCLE, f"case {i}")]
    found = block_of(same)
    for figure in (found.ipi, found.tov, found.excess):
        assert figure.low < figure.high
    assert found.tov.value == 2


def test_too_many_systems_are_refused_not_awaited():
    names = "abcdefghijklmnopqrstu"
    said = {a + b: ("B", "B") for i, a in enumerate(names) for b in names[i + 1 :]}
    found = block_of(tournament(names, said, "one"), systems=names)
    assert found.tov.reason == "over 20 systems a case"
    assert found.incomplete == 1


def test_an_empty_sample():
    found = block_of([])
    assert (found.cases, found.incomplete) == (0, 0)
    assert isinstance(found.ipi, Undefined)
