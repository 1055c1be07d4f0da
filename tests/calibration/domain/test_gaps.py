from __future__ import annotations

from dataclasses import fields, replace

import pytest

from annotation.domain.estimates import Estimate, Undefined
from annotation.domain.intervals import newcombe_difference
from annotation.domain.outcomes import Split
from calibration.domain.gaps import rate_gap
from calibration.domain.samples import Sample
from tests.calibration.factory import SYSTEMS, calibration_of, rows


def two_splits(dev, held_out):
    made = rows([*dev, *held_out])
    splits = [Split.DEV] * len(dev) + [Split.HELD_OUT] * len(held_out)
    return Sample.build(
        [replace(r, split=s) for r, s in zip(made, splits, strict=True)], SYSTEMS
    )


def test_a_rate_is_compared_by_newcombe():
    dev, held_out = ["BB"] * 45 + ["BC"] * 5, ["BB"] * 30 + ["BC"] * 20
    found = calibration_of(two_splits(dev, held_out)).comparison
    expected = newcombe_difference(45, 50, 30, 50)
    gap = found.exact_agreement
    assert gap.value == pytest.approx(0.3)
    assert (gap.low, gap.high) == pytest.approx((expected.low, expected.high))
    assert found.false_candidate_wins.value == pytest.approx(-0.3)
    assert found.flip_rate.value == 0
    assert found.missed_ties == Undefined("0 cases", None, 0)


def test_kappa_is_compared_by_bootstrap():
    dev = ["BB"] * 20 + ["CC"] * 20 + ["BC"] * 5 + ["CB"] * 5
    held_out = ["BB"] * 15 + ["CC"] * 15 + ["BC"] * 10 + ["CB"] * 10
    gap = calibration_of(two_splits(dev, held_out)).comparison.kappa
    assert gap.value == pytest.approx(0.4)
    assert gap.method == "bca bootstrap"
    assert gap.low < 0.4 < gap.high


def test_one_split_alone_has_no_gap():
    found = calibration_of(two_splits(["BB", "CC", "TB"], [])).comparison
    for field in fields(found):
        assert isinstance(getattr(found, field.name), Undefined)


def test_the_gap_turns_round_with_the_splits():
    one = Estimate(0.8, 8, 10, 0.5, 0.9, 0.95, "wilson")
    other = Estimate(0.4, 4, 10, 0.2, 0.7, 0.95, "wilson")
    there, back = rate_gap(one, other), rate_gap(other, one)
    assert there.low == pytest.approx(-back.high)
    assert there.high == pytest.approx(-back.low)
