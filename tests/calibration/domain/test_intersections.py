"""Two slices at once, and Matthews correlation: what the export alone holds."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import matthews_corrcoef

from annotation.domain.estimates import Estimate, Undefined
from annotation.domain.intervals import holm
from calibration.domain import intersections as module
from calibration.domain.jsonable import jsonable
from calibration.domain.samples import Sample
from calibration.presenters.tables import report_rows_of
from tests.calibration.factory import SYSTEMS, block_of, rows


def told(letters, slices, critical=(), size=1):
    made = rows(letters)
    return Sample.build(
        [
            replace(
                one, slices=slices[i], critical=i in critical, cluster=f"g{i // size}"
            )
            for i, one in enumerate(made)
        ],
        SYSTEMS,
    )


def found_of(sample):
    return block_of(sample).intersections


def named(found):
    return {" & ".join(f"{k}={v}" for k, v in one.slices.items()): one for one in found}


def test_by_hand():
    slices = [{"a": "x", "b": "u"}] * 3 + [{"a": "x", "b": "v"}] * 2 + [{"a": "y"}]
    found = found_of(told(["BB", "BC", "CC", "TT", "UB", "BC"], slices, {0, 1, 5}))
    by_name = named(found.found)
    assert list(by_name) == [
        "a=x & b=u",
        "a=x & b=v",
        "a=x & critical=yes",
        "b=u & critical=yes",
        "a=y & critical=yes",
    ]
    first = by_name["a=x & b=u"]
    assert (first.n, first.scored, first.small) == (3, 3, True)
    assert (first.exact_agreement.numerator, first.exact_agreement.denominator) == (
        2,
        3,
    )
    wins = first.false_candidate_wins
    assert (wins.numerator, wins.denominator) == (1, 2)
    assert first.agreement_flag.needed == 17
    other = by_name["a=x & b=v"]
    assert (other.n, other.scored) == (2, 1)
    assert other.false_candidate_wins == Undefined("0 cases", 0, 0)
    assert found.left_out == 0


def test_holm_is_over_the_intersections_of_twenty_or_more():
    random = Random(4)
    letters, slices = [], []
    for a in "xyz":
        for b, right in (("u", 0.9), ("v", 0.5 if a == "z" else 0.9)):
            for _ in range(30):
                letters.append("BB" if random.random() < right else "BC")
                slices.append({"a": a, "b": b})
    letters += ["BC"] * 19
    slices += [{"a": "w", "b": "u"}] * 19
    found = found_of(told(letters, slices)).found
    tested = [one.agreement_flag for one in found if one.agreement_flag.p_value]
    assert len(tested) == 6
    assert [f.adjusted for f in tested] == pytest.approx(
        holm([f.p_value for f in tested])
    )
    flagged = [one.slices for one in found if one.agreement_flag.flagged]
    assert flagged == [{"a": "z", "b": "v"}]
    (few,) = [one for one in found if one.slices["a"] == "w"]
    assert (few.agreement_flag.p_value, few.agreement_flag.needed) == (None, 1)


def test_clusters_widen_them():
    letters = ["BB", "BB", "BC", "BC"] * 10
    slices = [{"a": "x", "b": "u"}] * 40
    (alone,) = found_of(told(letters, slices)).found
    (pooled,) = found_of(told(letters, slices, size=2)).found
    assert alone.exact_agreement.value == pooled.exact_agreement.value
    assert pooled.exact_agreement.design_effect == pytest.approx(2, rel=0.1)
    assert pooled.false_candidate_wins.low < alone.false_candidate_wins.low


def test_the_smallest_beyond_the_most_are_counted(monkeypatch):
    monkeypatch.setattr(module, "MOST", 2)
    slices = [{"a": "x", "b": "u"}] * 3 + [{"a": "x", "b": "v"}] * 2
    found = found_of(told(["BB"] * 5, slices, {0}))
    assert (found.left_out, [one.n for one in found.found]) == (2, [3, 2])


def test_one_key_or_no_row_has_none():
    for sample in (
        told(["BB"] * 3, [{"a": "x"}] * 3),
        told(["BB"], [{}], {0}),
        Sample.build([], SYSTEMS),
    ):
        assert (found_of(sample).left_out, found_of(sample).found) == (0, ())


def test_they_are_rows_of_the_table():
    slices = [{"a": "x", "b": "u"}] * 3
    block = jsonable(block_of(told(["BB", "BC", "CC"], slices)))
    lines = list(report_rows_of({"splits": {"dev": block}, "comparison": None}))
    (line,) = [one for one in lines if one[1:3] == ["a=x & b=u", "exact_agreement"]]
    assert line[4:6] == [2, 3]
    assert next(one[2] for one in lines if one[1] == "a=x & b=u") == "n"


two = st.sampled_from([g + j for g in "BCTAU" for j in "BCTAI"])


@settings(deadline=None, max_examples=50)
@given(st.lists(two, min_size=1, max_size=60))
def test_mcc_is_that_of_scikit_learn(letters):
    found = block_of(Sample.build(rows(letters), SYSTEMS)).mcc
    used = [x for x in letters if x[0] in "BCT" and x[1] in "BCT"]
    if not used:
        assert found == Undefined("0 cases", None, 0)
        return
    gold, said = [x[0] for x in used], [x[1] for x in used]
    if len(set(gold)) == 1 or len(set(said)) == 1:
        assert found == Undefined("only one label used", None, len(used))
        return
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(matthews_corrcoef(gold, said), abs=1e-9)
    assert found.denominator == len(used)


def test_mcc_has_a_bootstrap_interval_from_twenty_pairs_on():
    letters = ["BB", "BC", "CC", "CC", "TT", "TB"] * 10
    found = block_of(Sample.build(rows(letters), SYSTEMS)).mcc
    assert found.method == "bca bootstrap"
    assert found.low < found.value < found.high
    few = block_of(Sample.build(rows(letters[:18]), SYSTEMS)).mcc
    assert (few.low, few.method) == (None, "fewer than 20 cases")
    assert np.isfinite(few.value)


@pytest.mark.parametrize("size", [1, 3])
def test_they_are_the_figures_of_the_part_alone(size):
    """Though no part is taken: values, limits and design effects, bit by bit."""
    random = Random(5)
    slices = [{"a": random.choice("xy"), "b": random.choice("uvw")} for _ in range(240)]
    letters = ["".join(random.choices("BCT", k=2)) for _ in slices]
    sample = told(letters, slices, set(range(0, 240, 7)), size=size)
    for one in found_of(sample).found:
        names = {k: v for k, v in one.slices.items() if k != "critical"}
        mask = np.array([names.items() <= row.slices.items() for row in sample.rows])
        if "critical" in one.slices:
            mask &= sample.columns.critical
        part = block_of(sample.keep(mask))
        assert one.exact_agreement == part.exact_agreement
        assert one.false_candidate_wins == part.false_candidate_wins
