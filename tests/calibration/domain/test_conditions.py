"""Rates of a release against their limits: four outcomes, and clusters."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from calibration.domain.conditions import (
    cases_condition,
    count_of,
    flip_condition,
    invalid_condition,
    preference_condition,
    rate_condition,
    slices_condition,
    slot_condition,
)
from calibration.domain.gates import Count, GateResult, Side
from calibration.domain.policies import policy_of
from calibration.domain.release import sample_of
from tests.calibration.evidence import POLICY, pair, pairs
from tests.shared import shared_data

RESULTS = {
    "PASS": GateResult.PASS,
    "FAIL": GateResult.FAIL,
    "NOT SHOWN": GateResult.NOT_SHOWN,
    "TOO FEW": GateResult.TOO_FEW,
}


def sample(rows: list[Any]):
    return sample_of(rows, ["old", "new"])


def policy(**changes: Any):
    return policy_of(POLICY | changes)


def test_the_golden_gates() -> None:
    entries = json.loads(shared_data("golden.json").read_text("utf-8"))["entries"]
    gates = [
        e for e in entries if e["id"].startswith("gate/") and "kind" in e["inputs"]
    ]
    assert len(gates) >= 6
    for entry in gates:
        said = entry["inputs"]
        side = Side.AT_MOST if said["kind"] == "max" else Side.AT_LEAST
        found = rate_condition("x", side, said["limit"], Count(said["x"], said["n"]))
        assert found.result is RESULTS[entry["expected"][0]], entry["id"]


def test_the_preference_is_of_decisive_pairs_with_its_exact_lower_bound() -> None:
    found = preference_condition(policy(), sample(pairs("C" * 44 + "B" * 16 + "TTAI")))

    assert (found.numerator, found.n, found.value) == (44, 60, 44 / 60)
    assert found.bound == pytest.approx(beta.ppf(0.05, 44, 17))
    assert found.result is GateResult.PASS


@pytest.mark.parametrize(
    ("letters", "result"),
    [
        ("C" * 31 + "B" * 19, GateResult.NOT_SHOWN),
        ("C" * 20 + "B" * 80, GateResult.FAIL),
        ("CCC", GateResult.TOO_FEW),
        ("T" * 50, GateResult.TOO_FEW),
        ("", GateResult.TOO_FEW),
    ],
)
def test_the_preference_has_four_outcomes(letters: str, result: GateResult) -> None:
    found = preference_condition(policy(), sample(pairs(letters)))
    assert found.result is result
    assert bool(found.missing) is (result is not GateResult.FAIL)


def test_flips_are_of_pairs_usable_in_both_orders() -> None:
    letters = ["BC", "CB", "TT", "CC", "CA", "IC", "AA"]
    found = flip_condition(policy(), sample(pairs(letters)))
    assert (found.numerator, found.n) == (2, 4)


def test_invalid_pairs_are_of_all_pairs() -> None:
    found = invalid_condition(policy(), sample(pairs(["CC", "IC", "CI", "AA"])))
    assert (found.numerator, found.n) == (2, 4)


@pytest.mark.parametrize(("n", "result"), [(298, "too_few"), (299, "pass")])
def test_one_percent_invalid_needs_none_of_299(n: int, result: str) -> None:
    assert invalid_condition(policy(), sample(pairs("C" * n))).result == result


def test_pairs_of_one_prompt_count_as_one_where_all_say_the_same() -> None:
    """Nothing tells how alike they are, so that they add nothing."""
    rows = pairs("C" * 300, cluster="group:thread")
    found = count_of(sample(rows), np.ones(300, bool), np.ones(300, bool))
    assert found == Count(300, 300, 300.0)
    assert preference_condition(policy(), sample(rows)).result is GateResult.TOO_FEW


def test_clusters_weaken_the_bound() -> None:
    """Four alike in each of 25 prompts are worth as much as one of each."""
    letters = "".join("CCCC" if i % 3 else "BBBB" for i in range(25))
    alike = [
        pair(i, letter, cluster=f"group:{i // 4}") for i, letter in enumerate(letters)
    ]
    alone = preference_condition(policy(), sample(pairs(letters)))
    found = preference_condition(policy(), sample(alike))
    assert alone.result is GateResult.PASS
    assert found.result is GateResult.NOT_SHOWN
    assert found.bound is not None
    assert alone.bound is not None
    assert found.bound < alone.bound
    assert found.value == alone.value


def test_coverage_of_the_clustered_bound_by_simulation() -> None:
    """The lower bound lies below the truth in at least 95 % of cases."""
    rng, truth, times, held = np.random.default_rng(7), 0.6, 300, 0
    for _ in range(times):
        chances = rng.beta(truth * 2, (1 - truth) * 2, 40)  # correlation 1/3
        wins = rng.random((40, 4)) < chances[:, None]
        rows = [
            pair(i, "C" if won else "B", cluster=f"group:{i // 4}")
            for i, won in enumerate(wins.ravel())
        ]
        bound = preference_condition(policy(), sample(rows)).bound
        held += bound is not None and bound <= truth
    assert held / times > 0.95 - 3 * (0.05 * 0.95 / times) ** 0.5


@pytest.mark.parametrize(
    ("calls", "result"),
    [
        ({"a": (1, 1), "b": (3, 3)}, GateResult.PASS),
        ({"a": (1, 1), "b": (2, 1)}, GateResult.FAIL),
        ({"a": (1, 0), "b": (0, 1)}, GateResult.FAIL),
        ({"a": (0, 0)}, GateResult.TOO_FEW),
        ({}, GateResult.TOO_FEW),
    ],
)
def test_slots_are_balanced_pair_by_pair(calls, result: GateResult) -> None:
    found = slot_condition(sample(pairs("CC")), calls)
    assert found.result is result


def test_cases_are_counted_only_with_a_verdict() -> None:
    found = cases_condition(policy(minimumCases=3), sample(pairs("CCTAI")))
    assert found is not None
    assert (found.value, found.result) == (3, GateResult.PASS)
    short = cases_condition(policy(minimumCases=4), sample(pairs("CCTAI")))
    assert short is not None
    assert (short.value, short.result) == (3, GateResult.TOO_FEW)
    assert cases_condition(policy(), sample(pairs("CCTAI"))) is None


def sliced(**counts: int) -> list[Any]:
    numbers = iter(range(1000))
    return [
        pair(next(numbers), "C", slices={"language": name})
        for name, n in counts.items()
        for _ in range(n)
    ]


@pytest.mark.parametrize("wanted", [3, {"language": 3}])
def test_each_value_of_a_slice_needs_its_cases(wanted: object) -> None:
    rule = policy(minimumCasesPerSlice=wanted)
    found = slices_condition(rule, sample(sliced(en=3, de=2, fr=1)))
    assert found is not None
    assert (found.value, found.limit, found.result) == (1, 3, GateResult.TOO_FEW)
    assert found.names == ("language=de", "language=fr")
    enough = slices_condition(rule, sample(sliced(en=3, de=4)))
    assert enough is not None
    assert (enough.value, enough.result) == (3, GateResult.PASS)


@pytest.mark.parametrize("wanted", [3, {"risk": 3}, {"language": 1, "risk": 1}])
def test_a_slice_that_no_case_has_is_too_few(wanted: object) -> None:
    rows = sliced(en=9) if isinstance(wanted, dict) else pairs("CCC", slices={})
    found = slices_condition(policy(minimumCasesPerSlice=wanted), sample(rows))
    assert found is not None
    assert (found.value, found.result) == (0, GateResult.TOO_FEW)


def test_without_a_minimum_slices_ask_for_nothing() -> None:
    assert slices_condition(policy(), sample(sliced(en=1))) is None


@given(st.text("BCTAI", max_size=60))
def test_nothing_passes_that_has_no_value(letters: str) -> None:
    rows = sample(pairs(letters))
    for condition in (preference_condition, flip_condition, invalid_condition):
        found = condition(policy(), rows)
        assert found.result is not GateResult.PASS or found.value is not None
        assert (found.value is None) is (found.n == 0)
        if found.bound is not None and found.value is not None:
            low, high = sorted((found.bound, found.value))
            assert 0 <= low <= high <= 1
            expected = found.bound if found.side is Side.AT_LEAST else found.value
            assert low == expected


@given(st.integers(0, 40), st.integers(0, 40))
def test_a_further_win_never_makes_the_preference_worse(wins: int, losses: int) -> None:
    def bound(won: int) -> float:
        rows = sample(pairs("C" * won + "B" * losses))
        return preference_condition(policy(), rows).bound or 0.0

    assert bound(wins + 1) >= bound(wins)


@pytest.mark.parametrize("letters", ["TTTT", "IIII", "AAAA", ["BC", "CB"]])
def test_where_no_pair_was_decided_the_preference_says_so(letters: Any) -> None:
    found = preference_condition(policy_of(POLICY), sample(pairs(letters)))
    assert (found.result, found.value, found.n) == (GateResult.TOO_FEW, None, 0)
    assert found.why == "no pair was decided for either system"
    assert found.missing == "pairs that the judge decides"


@pytest.mark.parametrize("letters", ["IIII", "AAAA", ["BI", "IC"]])
def test_where_no_pair_is_usable_the_flips_say_so(letters: Any) -> None:
    found = flip_condition(policy_of(POLICY), sample(pairs(letters)))
    assert (found.result, found.value, found.n) == (GateResult.TOO_FEW, None, 0)
    assert found.why == "no pair got a verdict in both orders"
    assert found.missing == "pairs with a verdict in both orders"


@pytest.mark.parametrize("limit", [1e-9, 0.04, 0.52, 0.999])
@pytest.mark.parametrize("n", [1, 2, 400])
def test_pairs_of_one_prompt_pass_no_rate(n: int, limit: float) -> None:
    """However loose it is, and however well they did: they count as one case."""
    for side, hits in ((Side.AT_LEAST, n), (Side.AT_MOST, 0)):
        found = rate_condition("maximumSwapFlipRate", side, limit, Count(hits, n, n))
        assert found.result is GateResult.TOO_FEW
        assert (found.n, found.numerator) == (n, hits)
        assert found.why.startswith("they count as one case")
        assert (found.missing, found.owner) == (
            "cases of other prompts and groups", "cases",
        )  # fmt: skip


def test_a_decision_on_one_prompt_ships_by_no_limit() -> None:
    rows = [pair(n, "C") | {"cluster": "case:c1"} for n in range(60)]
    loose = policy(
        minimumCandidatePreferenceLowerBound=0.01, maximumSwapFlipRate=0.99,
        maximumInvalidJudgeRate=0.99,
    )  # fmt: skip
    for condition in (preference_condition, flip_condition, invalid_condition):
        found = condition(loose, sample(rows))
        assert found.result is GateResult.TOO_FEW
        assert found.why
    # With a second prompt there is something to tell by.
    rows[0] |= {"cluster": "case:c2"}
    assert flip_condition(loose, sample(rows)).result is GateResult.PASS
