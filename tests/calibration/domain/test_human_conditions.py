"""Critical cases, waivers that lift them, and abstains that people settle."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.domain.gates import GateResult
from calibration.domain.human_conditions import (
    abstain_condition,
    critical_condition,
    wanted_from_people,
)
from calibration.domain.policies import policy_of
from tests.calibration.evidence import POLICY, pair, pairs

NAMED = policy_of(POLICY | {"criticalSliceRule": "no-new-critical-regressions"})
UNNAMED = policy_of(POLICY)


def found(rows: list[Any], *lifted: str):
    return critical_condition(NAMED, rows, lifted)


@pytest.mark.parametrize(
    ("row", "result"),
    [
        (pair(1, "C", critical=True), GateResult.PASS),
        (pair(1, "T", critical=True), GateResult.PASS),
        (pair(1, "T", "C", critical=True), GateResult.PASS),
        (pair(1, "B", critical=True), GateResult.FAIL),
        (pair(1, "C", critical=True, human="baseline"), GateResult.FAIL),
        (pair(1, "B", critical=True, human="candidate"), GateResult.FAIL),
        (pair(1, "C", critical=True, only_candidate_fails=True), GateResult.FAIL),
        (pair(1, "C", critical=True, only_candidate_fails=False), GateResult.PASS),
        (pair(1, "A", critical=True), GateResult.NOT_SHOWN),
        (pair(1, "I", critical=True), GateResult.NOT_SHOWN),
        (pair(1, "B", "C", critical=True), GateResult.NOT_SHOWN),
        (pair(1, "A", critical=True, human="tie"), GateResult.PASS),
        (pair(1, "B", "C", critical=True, human="candidate"), GateResult.PASS),
        (pair(1, "A", critical=True, human="abstain"), GateResult.NOT_SHOWN),
        (pair(1, "A", critical=True, human="baseline"), GateResult.FAIL),
    ],
)
def test_a_critical_pair_speaks_for_or_against_the_candidate(row, result) -> None:
    condition = found([row, pair(2, "B")])
    assert condition is not None
    assert condition.result is result
    assert condition.n == 1
    assert condition.names == (() if result is GateResult.PASS else ("c1",))


def test_without_critical_pairs_the_named_rule_is_not_shown() -> None:
    condition = found(pairs("CB"))
    assert condition is not None
    assert (condition.result, condition.value) == (GateResult.NOT_SHOWN, None)
    assert condition.missing


def test_the_rule_holds_where_it_is_not_named_too() -> None:
    assert critical_condition(UNNAMED, pairs("CB"), ()) is None
    vetoed = critical_condition(UNNAMED, pairs("CB", critical=True), ())
    assert vetoed is not None
    assert vetoed.result is GateResult.FAIL


def test_open_cases_are_asked_for_beside_a_regression() -> None:
    condition = found([pair(1, "B", critical=True), pair(2, "A", critical=True)])
    assert condition is not None
    assert (condition.result, condition.names) == (GateResult.FAIL, ("c1",))
    assert condition.missing.endswith("nobody settled: c2")


def test_a_waiver_lifts_only_the_case_it_names_and_hides_nothing() -> None:
    rows = [pair(i, "B", critical=True) for i in (1, 2)]
    one = found(rows, "c1")
    assert one is not None
    assert (one.result, one.value) == (GateResult.FAIL, 2)
    assert (one.names, one.waived) == (("c2",), ("c1",))
    both = found(rows, "c1", "c2", "c3")
    assert both is not None
    assert (both.result, both.value) == (GateResult.PASS, 2)
    assert both.waived == ("c1", "c2")


def test_a_waiver_lifts_a_case_that_was_left_open() -> None:
    condition = found([pair(1, "I", critical=True)], "c1")
    assert condition is not None
    assert (condition.result, condition.waived) == (GateResult.PASS, ("c1",))


def test_a_case_with_a_regression_in_one_of_its_pairs_is_one() -> None:
    rows = [
        pair(1, "B", critical=True, case="c"),
        pair(2, "A", critical=True, case="c"),
    ]
    condition = found(rows)
    assert condition is not None
    assert (condition.value, condition.n, condition.names) == (1, 1, ("c",))


def with_path(path: str, **changes: Any):
    return policy_of(POLICY | {"abstainPath": path} | changes)


@pytest.mark.parametrize("path", ["mandatory-human", "review-sample"])
def test_abstains_wait_until_people_settled_them(path: str) -> None:
    rows = pairs("C" * 5 + "A" * 20)
    policy = with_path(path)
    waiting = abstain_condition(policy, rows, "digest")
    assert waiting is not None
    assert waiting.result is GateResult.NOT_SHOWN
    assert waiting.n == (20 if path == "mandatory-human" else 4)
    assert waiting.names
    settled = [row | {"human": "tie"} for row in rows]
    done = abstain_condition(policy, settled, "digest")
    assert done is not None
    assert (done.result, done.value) == (GateResult.PASS, waiting.n)


def test_without_abstains_the_path_is_open_and_without_pairs_it_is_not() -> None:
    policy = with_path("mandatory-human")
    none = abstain_condition(policy, pairs("CCB"), "d")
    assert none is not None
    assert none.result is GateResult.PASS
    empty = abstain_condition(policy, [], "d")
    assert empty is not None
    assert (empty.result, empty.value) == (GateResult.TOO_FEW, None)
    assert abstain_condition(UNNAMED, pairs("A"), "d") is None


def test_without_a_path_nothing_is_sent_to_people() -> None:
    assert wanted_from_people(UNNAMED, pairs("AAA"), "d") == ()


@given(st.integers(0, 60), st.permutations(range(60)), st.text(max_size=4))
def test_the_sample_is_the_same_whoever_draws_it(n: int, order, digest: str) -> None:
    policy = with_path("review-sample", abstainSampleShare=0.25)
    rows = pairs("A" * n)
    mixed = [rows[place] for place in order if place < n]
    drawn = wanted_from_people(policy, rows, digest)
    assert drawn == wanted_from_people(policy, mixed, digest)
    assert len(drawn) == -(-n // 4)


def test_another_policy_draws_another_sample() -> None:
    policy = with_path("review-sample")
    rows = pairs("A" * 100)
    one, other = (wanted_from_people(policy, rows, digest) for digest in ("a", "b"))
    assert one != other


@pytest.mark.parametrize("path", ["mandatory-human", "review-sample"])
def test_a_run_without_any_verdict_shows_nothing_of_abstained_pairs(path: str) -> None:
    policy = policy_of(POLICY | {"abstainPath": path})
    none = abstain_condition(policy, pairs("III"), "d")
    assert none is not None
    assert (none.result, none.value, none.why) == (
        GateResult.TOO_FEW, None, "no pair got a verdict",
    )  # fmt: skip
    assert (none.missing, none.owner) == ("pairs with a verdict", "run")
    some = abstain_condition(policy, pairs("IIC"), "d")
    assert some is not None
    assert (some.result, some.value) == (GateResult.PASS, 0)
