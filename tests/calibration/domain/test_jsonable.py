from __future__ import annotations

import pytest

from annotation.domain.estimates import Estimate, Undefined
from annotation.domain.outcomes import Split
from calibration.domain.jsonable import figure_json, jsonable
from calibration.domain.results import ExactTest, Ties

KEYS = [
    "value",
    "numerator",
    "denominator",
    "low",
    "high",
    "level",
    "method",
    "undefined",
]


def test_an_estimate_has_every_key_in_order():
    found = figure_json(Estimate(0.25, 1, 4, 0.1, 0.6, 0.95, "wilson"))
    assert list(found) == KEYS
    assert found["value"] == 0.25
    assert found["undefined"] is None


def test_design_effect_is_added_where_it_is_not_one():
    found = figure_json(Estimate(0.25, 1, 4, 0.1, 0.6, 0.95, "wilson", 1.5))
    assert found["design_effect"] == 1.5


def test_undefined_holds_the_reason_and_nulls():
    found = figure_json(Undefined("0 cases", 0, 0))
    assert list(found) == KEYS
    assert found["undefined"] == "0 cases"
    assert found["value"] is found["low"] is found["method"] is None
    assert found["denominator"] == 0


@pytest.mark.parametrize("broken", [float("nan"), float("inf"), -float("inf")])
def test_a_number_that_is_none_is_undefined(broken):
    found = figure_json(Estimate(broken, None, 4, 0.1, broken, 0.95, "t"))
    assert found["value"] is None
    assert found["undefined"] == "not a finite number"
    assert jsonable(broken) is None


def test_an_infinite_limit_is_null():
    found = figure_json(Estimate(0.5, None, 4, 0.1, float("inf"), 0.95, "t"))
    assert (found["value"], found["high"]) == (0.5, None)


def test_results_become_dicts_in_field_order():
    assert list(jsonable(Ties(1, 2, 3)).items()) == [
        ("stated", 1),
        ("transition", 2),
        ("flip", 3),
    ]
    assert jsonable(ExactTest(0.5, 3, "sign"))["p_value"] == 0.5
    assert jsonable({"split": (Split.DEV, True, None)}) == {
        "split": ["dev", True, None]
    }


def test_floats_are_not_rounded():
    third = 1 / 3
    assert jsonable([third]) == [third]


def test_strangers_are_refused():
    with pytest.raises(TypeError, match="not a result: object"):
        jsonable({"a": object()})
