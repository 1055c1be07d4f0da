from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from annotation.domain.estimates import Undefined
from annotation.domain.outcomes import Order
from calibration.domain.position import position
from calibration.domain.rates import Rates
from calibration.domain.samples import Sample
from tests.calibration.factory import SYSTEMS, call, row, sample
from tests.calibration.factory import block_of as block_of_all

FIRST, SECOND = Order.BASELINE_FIRST, Order.CANDIDATE_FIRST


def block_of(built: Sample):
    return position(built, Rates.of(built, 0.95), np.random.default_rng(3))


def test_classes_and_their_denominators():
    found = block_of(sample(["UBB", "UTT", "UAA", "UBC", "UCB", "UBT", "UBA", "UBI"]))
    assert found.consistent == 3
    assert found.flip == 2
    assert found.tie_transition == 1
    assert found.abstain_transition == 1
    assert found.invalid == 1
    assert (found.usable, found.excluded) == (5, 3)
    assert (found.flip_rate.numerator, found.flip_rate.denominator) == (2, 5)
    assert found.tie_transition_rate.numerator == 1
    assert found.decisive_flip_rate.denominator == 3
    # Valid in both orders: all but the invalid pair; abstaining twice is consistent.
    rate = found.consistency_rate
    assert (rate.numerator, rate.denominator) == (3, 7)


def test_flips_by_the_slot_they_chose():
    # Baseline when it stands first and candidate when it does: the first slot twice.
    found = block_of(sample(["UBC"] * 7 + ["UCB"] * 1 + ["UBB"] * 2))
    assert (found.first_slot_flips, found.second_slot_flips) == (7, 1)
    assert found.slot_test.p_value == pytest.approx(2 * 9 / 256)
    assert found.first_slot_flip_share.value == 7 / 8
    # BC twice first, CB twice second, BB once each: 7 * 2 + 2 of 20.
    choices = found.first_slot_choices
    assert (choices.numerator, choices.denominator) == (16, 20)


def test_no_flips_leave_the_test_undefined():
    found = block_of(sample(["UBB"]))
    assert found.slot_test.p_value is None
    assert found.slot_test.undefined == "no decisive cases"
    assert isinstance(found.first_slot_flip_share, Undefined)
    assert found.flip_rate.value == 0


def test_accuracy_of_each_order():
    found = block_of(sample(["BBC", "BBB", "CBC", "TIT", "AAA", "UBB"]))
    assert found.order_accuracy.baseline_first.numerator == 2
    assert found.order_accuracy.candidate_first.numerator == 3
    assert found.order_accuracy.baseline_first.denominator == 4


def test_slot_balance_counts_unequal_pairs():
    lopsided = (call("B", FIRST), call("B", FIRST, 2), call("B", SECOND))
    built = Sample.build(
        [row("B", "B", calls=lopsided), row("B", "B", pair="q", case="d")], SYSTEMS
    )
    balance = block_of(built).slot_balance
    assert balance.baseline_first_calls == 3
    assert balance.candidate_first_calls == 2
    assert balance.unequal_pairs == 1
    assert balance.test.p_value == 1


def test_repeat_instability():
    calls = tuple(
        call(letter, order, repeat)
        for order, letters in ((FIRST, "BBC"), (SECOND, "BBB"))
        for repeat, letter in enumerate(letters, 1)
    )
    built = Sample.build([row("B", "B", calls=calls)], SYSTEMS)
    # Order one: 2 of the 6 ordered pairs of calls agree; order two: all do.
    assert block_of(built).repeat_instability.value == pytest.approx((2 / 3 + 0) / 2)


def test_single_calls_say_nothing_of_repeats():
    found = block_of(sample(["BB"])).repeat_instability
    assert isinstance(found, Undefined)
    assert found.reason == "no repeated calls"


def test_calls_of_one_pair_go_together():
    """Two calls that always agree are worth about one."""
    found = block_of(sample(["UBC"] * 20 + ["UCB"] * 20)).first_slot_choices
    assert found.denominator == 80
    assert found.design_effect == pytest.approx(2, abs=0.1)


def test_an_empty_sample_has_no_rates():
    found = block_of(sample([]))
    assert found.consistent == found.usable == 0
    for figure in (found.flip_rate, found.consistency_rate, found.first_slot_choices):
        assert isinstance(figure, Undefined)


def test_each_order_has_a_table_of_its_own():
    found = block_of(sample(["BBC", "BBB", "CBC", "TIT", "AAA", "UBB"])).order_confusion
    there, back = found.baseline_first, found.candidate_first
    assert (there.baseline.baseline, back.baseline.baseline) == (2, 1)
    assert back.baseline.candidate == 1
    assert (there.tie.invalid, back.tie.tie) == (1, 1)
    assert there.abstain.abstain == back.abstain.abstain == 1
    # Pairs without gold are in neither.
    rows = (there.baseline, there.candidate, there.tie, there.abstain)
    assert sum(row.total for row in rows) == 5


def test_classes_by_gold_add_up_to_the_classes():
    found = block_of(sample(["BBC", "BBB", "CBT", "TIT", "AAB", "UBC", "UTT"]))
    by_gold = found.classes_by_gold
    assert (by_gold.baseline.flip, by_gold.baseline.consistent) == (1, 1)
    assert by_gold.candidate.tie_transition == 1
    assert by_gold.tie.invalid == 1
    assert by_gold.abstain.abstain_transition == 1
    assert (by_gold.none.flip, by_gold.none.consistent) == (1, 1)
    parts = [getattr(by_gold, f.name) for f in fields(by_gold)]
    assert sum(part.flip for part in parts) == found.flip == 2
    assert sum(part.consistent for part in parts) == found.consistent == 2


def test_a_slice_counts_its_classes():
    found = block_of_all(sample(["BBC", "BBB", "CBC"], slices={"language": "de"}))
    classes = found.slices["language"]["de"].consistency
    assert (classes.flip, classes.consistent, classes.invalid) == (2, 1, 0)


def test_both_orders_of_a_pair_are_drawn_together():
    """40 pairs that differ in both orders or in none: one rate of 40, not of 80."""
    steady = tuple(call("B", order, n) for order in Order for n in (1, 2))
    turning = tuple(call("BC"[n - 1], order, n) for order in Order for n in (1, 2))
    made = [
        row(
            "U",
            "B",
            calls=turning if i % 4 == 0 else steady,
            pair=f"p{i}",
            case=f"c{i}",
        )
        for i in range(40)
    ]
    found = block_of(Sample.build(made, SYSTEMS)).repeat_instability
    assert (found.value, found.denominator, found.method) == (0.25, 80, "bca bootstrap")
    se = (0.25 * 0.75 / 40) ** 0.5
    assert found.high - found.low == pytest.approx(2 * 1.96 * se, rel=0.15)
    few = block_of(Sample.build(made[:19], SYSTEMS)).repeat_instability
    assert (few.low, few.method) == (None, "fewer than 20 cases")
