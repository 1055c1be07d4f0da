"""The judge against a constant answer, by hand and by SciPy."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest

from calibration.domain.constant import against_constant


def table(**rows: tuple[int, int, int, int, int]) -> dict[str, dict[str, int]]:
    verdicts = ("baseline", "candidate", "tie", "abstain", "invalid")
    none = (0, 0, 0, 0, 0)
    return {
        gold: dict(zip(verdicts, rows.get(gold, none), strict=True))
        for gold in ("baseline", "candidate", "tie", "abstain")
    }


# 29 scored pairs: the judge is right on 20, always "candidate" on 12
FEW = table(baseline=(8, 1, 1, 0, 0), candidate=(4, 6, 1, 0, 1), tie=(1, 0, 6, 0, 0))


def test_only_pairs_that_one_alone_gets_right_count():
    found = against_constant(FEW)
    assert (found.answer, found.right) == ("candidate", 12)
    assert (found.judge_alone, found.constant_alone) == (14, 6)
    assert found.p_value == pytest.approx(0.11532, abs=1e-5)
    assert found.p_value == pytest.approx(binomtest(14, 20).pvalue)


def test_gold_abstains_are_no_pairs_of_it():
    more = {**FEW, "abstain": {**FEW["abstain"], "abstain": 99}}
    assert against_constant(more) == against_constant(FEW)


def test_six_to_none_is_shown_and_five_to_none_is_not():
    def shown(alone: int, level: float = 0.95) -> bool:
        told = table(baseline=(alone, 0, 0, 0, 0), candidate=(0, 30, 0, 0, 0))
        return against_constant(told).shown(level)

    assert shown(6)  # p = 2 / 2**6 = 0.031
    assert not shown(5)  # p = 0.0625
    assert shown(5, level=0.9)
    assert not shown(6, level=0.99)


def test_a_worse_judge_is_never_shown_to_be_better():
    told = table(baseline=(0, 9, 0, 0, 0), candidate=(30, 0, 0, 0, 0))
    found = against_constant(told)
    assert found.p_value < 0.001
    assert not found.shown(0.95)
    assert found.shown_worse(0.95)
    assert not found.shown_worse(1.0)


def test_worse_is_shown_by_six_to_none_as_better_is():
    def worse(alone: int) -> bool:
        told = table(baseline=(0, 9, 0, 0, 0), candidate=(alone, 30, 0, 0, 0))
        return against_constant(told).shown_worse(0.95)

    assert worse(6)
    assert not worse(5)
    assert not worse(0)


def test_a_better_judge_is_never_shown_to_be_worse():
    assert not against_constant(FEW).shown_worse(0.5)


def test_without_a_difference_there_is_no_evidence():
    assert against_constant(table(tie=(0, 0, 9, 0, 0))).p_value == 1.0


def test_pairs_that_hang_together_count_for_less():
    told = table(baseline=(8, 0, 0, 0, 0), candidate=(0, 30, 0, 0, 0))
    assert against_constant(told).p_value == pytest.approx(2 / 2**8)
    assert against_constant(told, 2.0).p_value == pytest.approx(2 / 2**4)
