from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap as scipy_bootstrap

from annotation.domain.estimates import Estimate, Undefined
from calibration.domain import cells
from calibration.domain.bootstrap import (
    BCA,
    FEW_CASES,
    FEW_CLUSTERS,
    MANY_CLUSTERS,
    PERCENTILE,
    TOO_OFTEN_UNDEFINED,
    Resamples,
    difference,
)
from calibration.domain.samples import Sample
from tests.calibration.factory import SYSTEMS, block_of, row, rows, sample
from tests.shared import shared_data

NET = ["UC"] * 36 + ["UB"] * 14 + ["UT"] * 10


def resamples_of(built: Sample, seed: int = 1, count: int = 10_000) -> Resamples:
    return Resamples.of(built, np.random.default_rng(seed), 0.95, count)


def plain(value: float, n: int) -> Estimate:
    return Estimate(value, None, n, None, None, None, None)


def clustered(letters, size):
    made = rows(letters)
    return Sample.build(
        [replace(one, cluster=f"g{i // size}") for i, one in enumerate(made)], SYSTEMS
    )


def recall_of_baseline(tables):
    return cells.ratio(tables[..., 0, 0], tables[..., 0, :].sum(-1))


def golden(name):
    text = shared_data("golden.json").read_text("utf-8")
    return {e["id"]: e for e in json.loads(text)["entries"]}[name]["expected"]


def test_net_check_value():
    low, high, _ = golden("bootstrap/net-bca")
    net = block_of(sample(NET)).preference.judge.net
    assert (net.low, net.high) == pytest.approx((low, high), abs=0.02)
    assert (net.method, net.level, net.denominator) == (BCA, 0.95, 60)


def test_standard_error_check_value():
    drawn = cells.judge_net(resamples_of(sample(NET)).drawn)
    assert drawn.std() == pytest.approx(golden("bootstrap/net-se"), rel=0.03)


def test_ties_as_half_are_the_net_mapped():
    judge = block_of(sample(NET)).preference.judge
    assert judge.half_tie.low == pytest.approx((judge.net.low + 1) / 2, abs=1e-12)
    assert judge.half_tie.high == pytest.approx((judge.net.high + 1) / 2, abs=1e-12)


def test_kappa_is_near_scipy_over_cases():
    table = [[40, 5, 3], [8, 30, 4], [2, 3, 15]]
    letters = [
        g + j
        for g, line in zip("BCT", table, strict=True)
        for j, n in zip("BCT", line, strict=True)
        for _ in range(n)
    ]
    found = block_of(sample(letters)).kappa
    codes = np.array([["BCT".index(x) for x in two] for two in letters])

    def statistic(gold, said):
        counts = np.zeros((5, 5))
        np.add.at(counts, (gold, said), 1)
        return float(cells.kappa(counts))

    oracle = scipy_bootstrap(
        (codes[:, 0], codes[:, 1]),
        statistic,
        paired=True,
        vectorized=False,
        n_resamples=3000,
        rng=np.random.default_rng(5),
    ).confidence_interval
    assert (found.low, found.high) == pytest.approx(tuple(oracle), abs=0.02)


def test_same_seed_same_interval_and_another_differs():
    built = sample(["BB", "BC", "CC", "CB", "TT", "TC"] * 10)
    one, again, other = (
        resamples_of(built, seed).interval(plain(22 / 60, 60), cells.judge_net)
        for seed in (1, 1, 2)
    )
    assert one == again
    assert one != other


@pytest.mark.parametrize("n", [0, 1, 19])
def test_below_20_cases_there_is_no_interval(n):
    found = resamples_of(sample(["UC", "UB"] * 10)).interval(plain(0, n), cells.kappa)
    assert (found.low, found.high, found.level) == (None, None, None)
    assert found.method == FEW_CASES


def test_an_undefined_figure_stays_so():
    nothing = Undefined("0 cases", None, 0)
    assert resamples_of(sample([])).interval(nothing, cells.kappa) is nothing


def test_where_all_resamples_agree_the_first_interval_stays():
    figure = block_of(sample(["UC"] * 30)).preference.judge.net
    assert figure.value == 1
    assert figure.method == "tango"
    assert figure.low < 0.95


def test_undefined_resamples_are_counted():
    drawn = resamples_of(sample(["BC"] + ["CC"] * 30 + ["UT"] * 70))
    # About a third of the resamples miss the only gold baseline.
    found = drawn.interval(plain(0.0, 31), recall_of_baseline)
    assert found.method == TOO_OFTEN_UNDEFINED
    assert found.low is None


def test_a_few_undefined_resamples_are_named():
    built = sample(["CC"] * 25 + ["BC"] * 2 + ["BB"] * 2)
    kept = resamples_of(built).interval(plain(0.5, 29), recall_of_baseline)
    assert kept.method.startswith(f"{BCA}, ")
    assert kept.method.endswith(" undefined")


def test_clusters_are_drawn_whole():
    letters = [x for i in range(30) for x in (["BB"] * 4 if i % 2 else ["BC"] * 4)]
    alone, together = block_of(sample(letters)), block_of(clustered(letters, 4))
    one, other = alone.preference.judge.net, together.preference.judge.net
    assert one.value == other.value
    assert other.method == PERCENTILE
    assert other.high - other.low > 1.7 * (one.high - one.low)


def test_few_clusters_give_no_interval():
    found = block_of(clustered(["BB", "BC", "CC", "TT"] * 10, 4)).kappa
    assert (found.method, found.low) == (FEW_CLUSTERS, None)


def test_very_many_clusters_keep_the_linearised_interval():
    letters = ["BB", "BB", "BC", "BC", "CC", "CC", "TT", "TT"] * 501
    found = block_of(clustered(letters, 2))
    assert found.kappa.method == "fleiss-cohen-everitt, clustered"
    assert found.kappa.low < found.kappa.value < found.kappa.high
    gap = difference(
        (found.kappa, resamples_of(clustered(letters, 2))),
        (found.kappa, resamples_of(clustered(letters, 2))),
        cells.kappa,
    )
    assert (gap.value, gap.method) == (0, MANY_CLUSTERS)


def test_a_difference_is_that_of_independent_samples():
    one = sample(["BB"] * 30 + ["BC"] * 10 + ["CC"] * 20)
    other = sample(["BB"] * 20 + ["BC"] * 20 + ["CC"] * 20)
    first, second = block_of(one), block_of(other)
    gap = difference(
        (first.balanced_accuracy, resamples_of(one, 1)),
        (second.balanced_accuracy, resamples_of(other, 2)),
        cells.balanced_accuracy,
    )
    assert gap.value == pytest.approx(0.125)
    # Binomial: recalls .75 and .5 of 40 gold baselines, halved.
    se = np.sqrt(0.75 * 0.25 / 40 + 0.25 / 40) / 2
    assert (gap.high - gap.low) / 2 == pytest.approx(1.96 * se, rel=0.1)
    assert (gap.denominator, gap.method) == (120, BCA)


def test_a_difference_with_an_undefined_side_is_undefined():
    full = sample(["BB", "BC", "CC"] * 10)
    empty = sample(["UB"] * 30)
    figure, nothing = block_of(full).kappa, block_of(empty).kappa
    drawn = resamples_of(full), resamples_of(empty)
    for pair in ((figure, nothing), (nothing, figure)):
        found = difference((pair[0], drawn[0]), (pair[1], drawn[1]), cells.kappa)
        assert found == Undefined("0 cases", None, 0)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.sampled_from([g + j for g in "BCTAU" for j in "BCTAI"]),
        min_size=20,
        max_size=60,
    )
)
def test_an_interval_is_never_of_no_width_and_holds_no_nonsense(letters):
    found = block_of(sample(letters))
    judge, gold = found.preference.judge, found.preference.gold
    for figure, least in (
        (judge.net, -1),
        (judge.half_tie, 0),
        (gold.net, -1),
        (gold.half_tie, 0),
        (found.kappa, -1),
        (found.balanced_accuracy, 0),
    ):
        if isinstance(figure, Undefined) or figure.low is None:
            continue
        assert least - 1e-12 <= figure.low < figure.high <= 1 + 1e-12
        assert figure.denominator >= 20


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.sampled_from([g + j for g in "BCTAU" for j in "BCTAI"]),
        min_size=1,
        max_size=40,
    )
)
def test_statistics_of_the_table_are_the_figures(letters):
    found, drawn = block_of(sample(letters)), resamples_of(sample(letters), count=1)
    for figure, statistic in (
        (found.preference.judge.net, cells.judge_net),
        (found.preference.gold.net, cells.gold_net),
        (found.kappa, cells.kappa),
        (found.balanced_accuracy, cells.balanced_accuracy),
        (found.exact_agreement, cells.agreement),
    ):
        value = statistic(drawn.table)
        if isinstance(figure, Undefined):
            assert np.isnan(value)
        else:
            assert value == pytest.approx(figure.value, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "pairs"), [("net", 30), ("net", 80), ("kappa", 60), ("kappa", 80)]
)
def test_coverage(name, pairs):
    """BCa covers 93 to 97 %, within three Monte-Carlo standard errors.

    The fewest pairs for which METHODS 6 claims it, and more.
    """
    rng = np.random.default_rng(11)
    chances = np.array([[0.3, 0.05, 0.05], [0.05, 0.25, 0.05], [0.05, 0.05, 0.15]])
    table = np.zeros((5, 5))
    table[:3, :3] = chances
    statistic = {"net": cells.judge_net, "kappa": cells.kappa}[name]
    truth, hits, times = float(statistic(table)), 0, 400
    for _ in range(times):
        counts = rng.multinomial(pairs, chances.ravel())
        letters = [
            "BCT"[i // 3] + "BCT"[i % 3] for i, n in enumerate(counts) for _ in range(n)
        ]
        drawn = Resamples.of(sample(letters), rng, 0.95, 1000)
        value = float(statistic(drawn.table))
        found = drawn.interval(plain(value, pairs), statistic)
        hits += found.low <= truth <= found.high
    margin = 3 * np.sqrt(0.95 * 0.05 / times)
    assert 0.93 - margin <= hits / times <= 0.97 + margin


def test_a_cluster_without_neighbours_is_a_case():
    lone = [row(*x, pair=f"p{i}", case=f"c{i}") for i, x in enumerate(["BB", "BC"])]
    assert not resamples_of(Sample.build(lone, SYSTEMS), count=1).clustered


def test_what_only_floats_tell_apart_is_no_interval():
    """Kappa of a judge that always says the same is 0 in every resample, or 1e-17."""
    built = sample(["BT"] * 17 + ["TT"] * 23)
    found = resamples_of(built).interval(plain(0.0, 40), cells.kappa)
    assert (found.low, found.high) == (None, None)
    dust = lambda tables: cells.agreement(tables) * 1e-14  # noqa: E731 - one line
    assert resamples_of(built).interval(plain(0.0, 40), dust).low is None
