from __future__ import annotations

import json

import numpy as np
import pytest

from annotation.domain.estimates import Undefined
from annotation.domain.kappa import cohen_kappa
from calibration.domain.kappa import kappa
from calibration.domain.rates import Rates
from calibration.domain.samples import Sample
from tests.calibration.factory import SYSTEMS, row, sample
from tests.shared import shared_data


def letters_of(table):
    return [
        gold + said
        for gold, line in zip("BCT", table, strict=True)
        for said, count in zip("BCT", line, strict=True)
        for _ in range(count)
    ]


def kappa_of(built: Sample):
    return kappa(built, Rates.of(built, 0.95))


def test_check_value():
    text = shared_data("golden.json").read_text("utf-8")
    entries = {e["id"]: e for e in json.loads(text)["entries"]}
    entry = entries["kappa/110"]
    figure = kappa_of(sample(letters_of(entry["inputs"]["table"])))
    value, se = entry["expected"]
    assert figure.value == pytest.approx(value, abs=1e-10)
    assert (figure.high - figure.low) / 2 / 1.959964 == pytest.approx(se, abs=1e-7)
    assert figure.design_effect == 1


def test_only_answered_pairs_count():
    figure = kappa_of(sample(["BB", "CC", "TC", "BA", "CI", "AB", "UB"]))
    assert figure.denominator == 3


def test_one_label_on_both_sides_is_undefined():
    assert kappa_of(sample(["TT"] * 9)) == Undefined("only one label used", None, 9)


@pytest.mark.parametrize("letters", [[], ["BI", "CA"], ["AA", "UB"]])
def test_nothing_answered_is_undefined(letters):
    assert kappa_of(sample(letters)) == Undefined("0 cases", None, 0)


def test_influence_is_that_of_the_standard_error():
    """With every pair doubled into a cluster the variance doubles, near enough."""
    table = [[40, 5, 3], [8, 30, 4], [2, 3, 15]]
    letters = letters_of(table)
    doubled = [
        row(*two, pair=f"p{i}-{j}", case=f"c{i}-{j}", cluster=f"g{i}")
        for i, two in enumerate(letters)
        for j in range(2)
    ]
    figure = kappa_of(Sample.build(doubled, SYSTEMS))
    single = cohen_kappa(table)
    assert figure.design_effect == pytest.approx(2 * 110 / 109, rel=1e-9)
    assert figure.method == "fleiss-cohen-everitt, clustered"
    width = (figure.high - figure.low) / (single.high - single.low)
    assert width == pytest.approx(np.sqrt(110 / 109), rel=1e-9)


def test_one_cluster_is_one_case():
    made = [
        row(*two, pair=f"p{i}", case=f"c{i}", cluster="g")
        for i, two in enumerate(["BB", "CC", "TB", "BC"])
    ]
    assert kappa_of(Sample.build(made, SYSTEMS)).design_effect == 4
