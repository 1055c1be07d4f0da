from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.domain.judges import compare_judges
from calibration.domain.samples import Sample
from tests.calibration.factory import SYSTEMS, row, sample
from tests.shared import shared_data


def golden(name):
    text = shared_data("golden.json").read_text("utf-8")
    return {e["id"]: e for e in json.loads(text)["entries"]}[name]["expected"]


def judged(gold, said):
    return sample([g + j for g, j in zip(gold, said, strict=True)])


def of_counts(both, b, c, neither):
    """Two judges of which the first is right alone ``b`` times, the second ``c``."""
    gold = "B" * (both + b + c + neither)
    first = "B" * (both + b) + "C" * (c + neither)
    second = "B" * both + "C" * b + "B" * c + "T" * neither
    return {"one": judged(gold, first), "two": judged(gold, second)}


def test_check_values_of_mcnemar_and_tango():
    (found,) = compare_judges(of_counts(60, 15, 4, 21)).versus
    assert found.test.p_value == pytest.approx(golden("mcnemar/b15c4"), abs=1e-9)
    limits = (found.difference.low, found.difference.high)
    assert limits == pytest.approx(tuple(golden("tango/15v4of100")), abs=1e-6)
    assert (found.first_only, found.second_only, found.both_wrong) == (15, 4, 21)
    assert found.same_wrong == 0
    assert found.separable
    assert found.test.method == "mcnemar, exact"


def test_holm_runs_over_all_twos():
    gold = "B" * 40
    told = {
        "a": judged(gold, "B" * 40),
        "b": judged(gold, "B" * 32 + "C" * 8),
        "c": judged(gold, "B" * 33 + "C" * 7),
    }
    found = {(v.first, v.second): v for v in compare_judges(told).versus}
    assert len(found) == 3
    p_values = {key: v.test.p_value for key, v in found.items()}
    assert p_values["a", "b"] == pytest.approx(2 / 2**8)
    assert found["a", "b"].adjusted == pytest.approx(3 * 2 / 2**8)
    assert found["a", "c"].adjusted == pytest.approx(2 * 2 / 2**7)
    assert not found["b", "c"].separable
    assert found["b", "c"].same_wrong == 7


def test_only_scored_pairs_that_all_judged_count():
    one = sample(["BB", "CC", "UB", "AB", "TC"])
    other = Sample.build(
        [row("C", "C", pair="p1", case="c1"), row("T", "B", pair="p4", case="c4")],
        SYSTEMS,
    )
    found = compare_judges({"one": one, "other": other})
    assert found.pairs == 2
    assert found.all_wrong == ("c4",)
    assert found.all_wrong_systems == (SYSTEMS,)
    assert {r.judge: r.exact_agreement.numerator for r in found.judges} == {
        "one": 1,
        "other": 1,
    }


def test_the_best_stands_first():
    found = compare_judges(of_counts(5, 0, 3, 2))
    assert [r.judge for r in found.judges] == ["two", "one"]


def test_the_same_judge_twice_is_not_separable():
    same = judged("BCTB", "BCCB")
    (found,) = compare_judges({"a": same, "b": same}).versus
    assert (found.separable, found.adjusted) == (False, None)
    assert found.test.undefined == "no decisive cases"
    assert found.difference.low < 0 < found.difference.high


def test_nothing_shared_is_said_and_not_zero():
    one = sample(["BB"])
    other = Sample.build([row("B", "B", pair="x", case="x")], SYSTEMS)
    found = compare_judges({"one": one, "other": other})
    assert found.pairs == 0
    (two,) = found.versus
    assert two.difference.reason == "0 cases"
    assert (two.test.p_value, two.adjusted, two.separable) == (None, None, False)


def test_what_cannot_be_compared():
    with pytest.raises(ValueError, match="two judges"):
        compare_judges({"one": sample(["BB"])})
    with pytest.raises(ValueError, match="same gold"):
        compare_judges({"one": sample(["BB"]), "two": sample(["CB"])})


@given(st.lists(st.tuples(*[st.sampled_from("BCT")] * 3), min_size=1, max_size=40))
def test_turned_round_the_difference_turns_its_sign(told):
    gold, first, second = ("".join(x) for x in zip(*told, strict=True))
    one, two = judged(gold, first), judged(gold, second)
    (there,) = compare_judges({"a": one, "b": two}).versus
    (back,) = compare_judges({"b": two, "a": one}).versus
    assert there.difference.value == pytest.approx(-back.difference.value)
    assert there.difference.low == pytest.approx(-back.difference.high, abs=1e-9)
    assert (there.test.p_value, there.both_wrong) == (
        back.test.p_value,
        back.both_wrong,
    )
