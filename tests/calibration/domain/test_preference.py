from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.estimates import Undefined
from calibration.domain.preference import preference, tango
from calibration.domain.rates import Rates
from calibration.domain.samples import Sample
from tests.calibration.factory import SYSTEMS, row, sample
from tests.shared import shared_data


def block_of(built: Sample):
    return preference(built, Rates.of(built, 0.95))


def test_what_is_out_is_counted():
    found = block_of(sample(["BC", "BB", "CC", "TT", "AA", "UI", "UC"]))
    judge, gold = found.judge, found.gold
    assert (judge.candidate_wins, judge.baseline_wins, judge.ties) == (3, 1, 1)
    assert (judge.abstain, judge.invalid, judge.missing) == (1, 1, 0)
    assert (gold.candidate_wins, gold.baseline_wins, gold.ties) == (1, 2, 1)
    assert (gold.abstain, gold.invalid, gold.missing) == (1, 0, 2)
    assert judge.decisive_share.value == 3 / 4
    assert judge.net.value == pytest.approx(2 / 5)
    assert judge.half_tie.value == pytest.approx(3.5 / 5)
    assert judge.sign_test.p_value == pytest.approx(10 / 16)


def test_ties_alone_are_no_evidence_of_equality():
    judge = block_of(sample(["TT"] * 5)).judge
    assert isinstance(judge.decisive_share, Undefined)
    assert judge.sign_test.undefined == "no decisive cases"
    assert judge.net.value == 0
    assert judge.net.low < -0.3
    assert judge.net.high > 0.3


def test_nothing_judged():
    judge = block_of(sample(["BI", "CA"])).judge
    assert isinstance(judge.net, Undefined)
    assert isinstance(judge.half_tie, Undefined)


def test_tango_check_value():
    text = shared_data("golden.json").read_text("utf-8")
    entries = {e["id"]: e for e in json.loads(text)["entries"]}
    entry = entries["tango/15v4of100"]
    low, high = tango(15, 4, 100)
    flat = [v for v in np.ravel(entry["expected"]).tolist() if isinstance(v, float)]
    assert low == pytest.approx(flat[0], abs=1e-6)
    assert high == pytest.approx(flat[1], abs=1e-6)


def test_tango_published_example():
    low, high = tango(1, 7, 21)
    assert (round(low, 3), round(high, 3)) == (-0.517, -0.026)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_tango_holds_its_estimate(gains, losses, rest):
    n = gains + losses + rest
    if not n:
        return
    low, high = tango(gains, losses, n)
    assert -1 <= low <= (gains - losses) / n <= high <= 1
    assert low < high
    assert tango(losses, gains, n) == pytest.approx((-high, -low), abs=1e-12)


@pytest.mark.parametrize("counts", [(3, 3, 5), (-1, 2, 5), (0, 0, 0)])
def test_tango_refuses_what_are_no_counts(counts):
    with pytest.raises(ValueError, match="are no counts"):
        tango(*counts)


def test_tango_covers():
    rng = np.random.default_rng(3)
    draws = rng.multinomial(50, [0.4, 0.25, 0.35], 1500)
    limits = [tango(int(w), int(b), 50) for w, b, _ in draws]
    covered = np.mean([low <= 0.15 <= high for low, high in limits])
    assert 0.93 < covered < 0.975


def test_clusters_widen_the_net():
    letters = ["UC"] * 10 + ["UB"] * 10
    alone = sample(letters)
    made = [
        row(*two, pair=f"p{i}", case=f"c{i}", cluster=f"g{i // 5}")
        for i, two in enumerate(letters)
    ]
    together = Sample.build(made, SYSTEMS)
    one, other = block_of(alone).judge.net, block_of(together).judge.net
    assert one.value == other.value == 0
    assert other.design_effect > 3
    assert other.high > 1.5 * one.high
    assert other.method == "tango, clustered"
