"""The shared check values that no other test reads, and that none is left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from annotation.domain.agreement import krippendorff_alpha
from annotation.domain.clusters import clustered_se
from annotation.domain.estimates import Estimate, Undefined
from annotation.domain.kappa import cohen_kappa
from calibration.domain.correction import correct
from calibration.domain.means import bootstrap_mean
from calibration.domain.orders import conflicts, order_violations
from calibration.domain.prediction_powered import prediction_powered
from tests.calibration.factory import block_of, sample
from tests.shared import shared_data

if TYPE_CHECKING:
    from calibration.domain.cells import Floats

HALF_WINS = (0.0, 1.0, 0.5)  # baseline, candidate, tie


def entries() -> list[dict[str, Any]]:
    text = shared_data("golden.json").read_text("utf-8")
    found: list[dict[str, Any]] = json.loads(text)["entries"]
    return found


def entry(name: str) -> dict[str, Any]:
    (found,) = [each for each in entries() if each["id"] == name]
    return found


def test_kappa_of_one_label_is_undefined() -> None:
    found = entry("kappa/one-label")
    assert found["expected"] == [None]
    assert isinstance(cohen_kappa(**found["inputs"]), Undefined)


def test_alpha_of_a_balanced_panel_is_fleiss_kappa_corrected_for_its_size() -> None:
    """Krippendorff (2004): 1 - alpha is (1 - kappa)(nm - 1)/nm for n cases of m."""
    found = entry("fleiss/6x3")
    ratings = found["inputs"]["ratings"]
    alpha = krippendorff_alpha(ratings, ["B", "C", "T"])
    assert isinstance(alpha, Estimate)
    labels = len(ratings) * len(ratings[0])
    kappa = 1 - (1 - alpha.value) * labels / (labels - 1)
    assert kappa == pytest.approx(found["expected"], abs=found["tolerance"])


def test_ties_as_half_wins_are_bradley_terry() -> None:
    found = entry("bt/half-tie")
    told = found["inputs"]
    letters = ["UC"] * told["wins"] + ["UB"] * told["losses"] + ["UT"] * told["ties"]
    half = block_of(sample(letters)).preference.judge.half_tie
    assert isinstance(half, Estimate)
    odds = half.value / (1 - half.value)
    assert odds == pytest.approx(found["expected"], abs=found["tolerance"])


def test_the_bootstrap_over_clusters_is_as_wide_as_the_formula() -> None:
    found = entry("cluster/boot-se")
    told = entry(found["inputs"]["as"])["inputs"]
    _, clusters = np.unique(told["prompt"], return_inverse=True)
    values = np.array(told["y"], float)
    drawn = bootstrap_mean(values, clusters, np.random.default_rng(5), 0.6827)
    assert isinstance(drawn, Estimate)
    assert drawn.low is not None
    assert drawn.high is not None
    half = (drawn.high - drawn.low) / 2  # one standard error either way
    assert half == pytest.approx(found["expected"], rel=found["tolerance"])


def test_uneven_sampling_is_a_ratio_of_weighted_sums() -> None:
    found = entry("weights/hajek")
    weights = found["inputs"]["weight"]
    pairs = list(zip(found["inputs"]["correct"], weights, strict=True))
    rate = sum(y * w for y, w in pairs) / sum(weights)
    spread = clustered_se([(y * w, w) for y, w in pairs])
    assert [rate, spread] == pytest.approx(found["expected"], abs=found["tolerance"])


def test_no_published_tov_is_below_what_flips_force() -> None:
    """And ours never is: 6 answers at random, and always the first."""
    found = entry("tov/paper-table-4")
    rows = np.array(found["inputs"]["rows"])
    assert [bool((rows[:, 1] - 15 * rows[:, 0] >= 0).all())] == found["expected"]
    random = np.random.default_rng(2).integers(-1, 2, (40, 6, 6)).astype(np.int8)
    for y in (random, np.ones((1, 6, 6), np.int8)):
        flips, pairs = conflicts(y)
        assert (pairs == 15).all()
        assert (order_violations(y) >= flips).all()


def ppi_counts(found: dict[str, Any]) -> tuple[Floats, Floats]:
    """The pairs with gold as a table, and the verdicts of the others."""
    told = found["inputs"]
    table = np.zeros((3, 5))
    for gold, said in zip(told["gold"], told["judge_on_gold"], strict=True):
        table[HALF_WINS.index(gold), HALF_WINS.index(said)] += 1
    counts = {float(key): n for key, n in told["judge_unlabelled_counts"].items()}
    return table, np.array([*(counts[value] for value in HALF_WINS), 0.0, 0.0])


def test_post_stratification_is_within_reach_of_ppi() -> None:
    """It is PPI with a weight for each verdict: nearly the same number and interval."""
    found = entry("ppi/150+2000")
    table, verdicts = ppi_counts(found)
    net = correct(table, verdicts).post_stratified
    assert isinstance(net, Estimate)
    assert net.low is not None
    assert net.high is not None
    ours = [(value + 1) / 2 for value in (net.value, net.low, net.high)]
    assert ours == pytest.approx(found["expected"], abs=0.01)


def test_ppi() -> None:
    found = entry("ppi/150+2000")
    table, verdicts = ppi_counts(found)
    powered = prediction_powered(table, verdicts)
    net = powered.net
    assert isinstance(net, Estimate)
    assert net.low is not None
    assert net.high is not None
    ours = [(value + 1) / 2 for value in (net.value, net.low, net.high)]
    assert ours == pytest.approx(found["expected"], abs=1e-9)
    assert powered.weight == pytest.approx(0.733884, abs=1e-6)


# Which tests read the values of each kind.
READ_BY = {
    "tests/annotation/domain/test_golden.py": (
        "kappa alpha ac1 percent_agreement wilson cp cp1 sign cluster holm gate"
    ),
    "tests/judging/domain/test_verdicts.py": "map5 verdict",
    "tests/judging/domain/test_panels.py": "panel",
    "tests/calibration/domain/test_bootstrap.py": "bootstrap",
    "tests/calibration/domain/test_confusion.py": "confusion balanced_accuracy",
    "tests/calibration/domain/test_conditions.py": "gate",
    "tests/calibration/domain/test_correction.py": "rogan-gladen",
    "tests/calibration/domain/test_drift.py": "drift",
    "tests/calibration/domain/test_golden.py": (
        "kappa fleiss bt cluster weights tov ppi"
    ),
    "tests/calibration/domain/test_judges.py": "mcnemar tango",
    "tests/calibration/domain/test_kappa.py": "kappa",
    "tests/calibration/domain/test_monitor.py": "evalue cs",
    "tests/calibration/domain/test_orders.py": "tov",
    "tests/calibration/domain/test_planning.py": "plan",
}


def test_no_kind_of_check_value_is_left_out() -> None:
    kinds = {each["id"].partition("/")[0] for each in entries()}
    assert kinds == {kind for named in READ_BY.values() for kind in named.split()}
    root = Path(__file__).parents[3]
    for name in READ_BY:
        assert 'shared_data("golden.json")' in (root / name).read_text("utf-8"), name
