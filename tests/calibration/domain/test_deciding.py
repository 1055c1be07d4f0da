"""From evidence to a decision: what ships, what doesn't, and what is said of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.domain.digests import canonical_json
from calibration.domain.deciding import decide
from tests.calibration.evidence import (
    ILLUSTRATIVE,
    POLICY,
    calibration,
    evidence,
    good,
    pair,
    pairs,
    waiver,
)


def condition(decision: dict[str, Any], key: str) -> dict[str, Any]:
    (found,) = [one for one in decision["conditions"] if one["key"] == key]
    return found


def results(decision: dict[str, Any]) -> dict[str, str]:
    return {one["key"]: one["result"] for one in decision["conditions"]}


def test_a_good_candidate_with_a_good_judge_ships() -> None:
    found = decide(evidence(good()))

    assert found["result"] == "ship"
    assert set(results(found).values()) == {"pass"}
    assert found["missing"] == []
    share = condition(found, "minimumCandidatePreferenceLowerBound")
    assert (share["numerator"], share["n"], share["limit"]) == (300, 400, 0.52)
    assert share["bound"] == pytest.approx(0.7119, abs=1e-4)
    assert found["summary"]["preference"]["candidate_wins"] == 300
    assert found["correction"]["net"]["value"] > 0.4


@pytest.mark.parametrize("path", [None, 1, 2, 3])
@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([], id="empty"),
        pytest.param(pairs("I" * 400), id="all invalid"),
        pytest.param(pairs("A" * 400), id="all abstain"),
        pytest.param(pairs("T" * 400), id="all ties"),
        pytest.param(pairs(["BC"] * 400), id="all flips"),
        pytest.param(pairs("C"), id="one"),
        pytest.param(good(cluster="group:one"), id="one cluster"),
    ],
)
def test_nothing_ships_on_nothing(rows: list[Any], path: int | None) -> None:
    extras: dict[int | None, dict[str, Any]] = {
        None: {},
        1: {"minimumCases": 1},
        2: {"abstainPath": "mandatory-human", "slotBalance": "equal-calls"},
        3: {
            "minimumCasesPerSlice": 1,
            "criticalSliceRule": "no-new-critical-regressions",
        },
    }
    found = decide(evidence(rows, POLICY | extras[path]))

    assert found["result"] in ("hold", "human_review")
    open_ = [one for one in found["conditions"] if one["result"] != "pass"]
    assert open_
    # Words: each that is not there says why or what is missing, with an owner.
    for one in open_:
        assert one["result"] == "fail" or (one["missing"] and one["owner"])


def test_an_all_invalid_run_is_held() -> None:
    found = decide(evidence(pairs("I" * 400)))
    assert found["result"] == "hold"
    assert condition(found, "maximumInvalidJudgeRate")["result"] == "fail"


@pytest.mark.parametrize("disposition", ["human-review", "hold"])
def test_what_is_left_open_goes_where_the_policy_says(disposition: str) -> None:
    policy = POLICY | {"wideIntervalDisposition": disposition}
    found = decide(evidence(pairs("C" * 31 + "B" * 19), policy))
    assert "fail" not in results(found).values()
    assert found["result"] == disposition.replace("-", "_")


def test_one_failing_condition_holds_whatever_the_others_say() -> None:
    rows = good() + pairs(["BC"] * 60)
    rows = [row | {"pair": str(i), "case": f"c{i}", "cluster": f"x{i}"}
            for i, row in enumerate(rows)]  # fmt: skip
    found = decide(evidence(rows))
    assert results(found)["maximumSwapFlipRate"] == "fail"
    assert found["result"] == "hold"


@pytest.mark.parametrize(
    ("known", "why", "result"),
    [
        (None, "no report", "not_shown"),
        (calibration(judge={"digest": "other"}), "another judge", "not_shown"),
        (calibration(n=0), "no held-out pair", "too_few"),
        (calibration(served_models=["m-0"]), "other models", "not_shown"),
    ],
)
def test_without_a_fitting_report_nothing_ships(
    known: Any, why: str, result: str
) -> None:
    found = decide(evidence(good(), calibration=known))

    assert found["result"] == "human_review"
    for key in (
        "minimumHeldOutAgreement", "maximumFalseCandidateWinRate", "judgeCalibration",
    ):  # fmt: skip
        one = condition(found, key)
        assert (one["result"], one["value"]) == (result, None)
        assert why in one["why"]
        assert one["owner"] == "cyd"
    assert why in found["correction"]["undefined"]


def rates(**hits: tuple[int, int]) -> dict[str, Any]:
    known = calibration()["rates"]
    made = {k: {"hits": h, "cases": n, "effect": 1.0} for k, (h, n) in hits.items()}
    return calibration(rates=known | made)


@pytest.mark.parametrize(
    ("known", "result"),
    [
        (rates(agreement=(100, 200)), "fail"),
        (rates(agreement=(160, 200)), "not_shown"),
        (rates(agreement=(5, 5)), "too_few"),
        (rates(agreement=(0, 0)), "too_few"),
        (rates(false_candidate_wins=(30, 100)), "fail"),
        (rates(false_candidate_wins=(0, 20)), "too_few"),
    ],
)
def test_a_judge_that_misses_a_limit_of_its_own_can_not_ship(
    known: Any, result: str
) -> None:
    found = decide(evidence(good(), calibration=known))
    health = condition(found, "judgeCalibration")
    assert health["result"] == result
    assert (health["value"], health["limit"]) == (1, 2)
    assert found["result"] == ("hold" if result == "fail" else "human_review")


def test_a_judge_to_whom_nobody_set_a_limit_is_not_shown_to_be_fit() -> None:
    found = decide(evidence(good(critical=True), json.loads(ILLUSTRATIVE)))
    health = condition(found, "judgeCalibration")
    assert health["result"] == "not_shown"
    assert "limit" in health["why"]
    assert found["result"] == "hold"  # 100 critical pairs go to the baseline
    fine = decide(evidence(pairs("C" * 400, critical=True), json.loads(ILLUSTRATIVE)))
    assert fine["result"] == "human_review"


def test_the_limits_of_the_sets_own_plan_count_too() -> None:
    """At 1 - 0.05/K: 216 of 240 keeps 86 % at one look, and not at ten."""
    limits = {"agreement": 0.86}
    policy = json.loads(ILLUSTRATIVE) | {"minimumHeldOutAgreement": 0.8}
    rows = pairs("C" * 400, critical=True)
    one = decide(
        evidence(rows, policy, calibration=calibration(limits=limits, looks=1))
    )
    ten = decide(evidence(rows, policy, calibration=calibration(limits=limits)))
    assert (one["result"], ten["result"]) == ("ship", "human_review")
    assert condition(ten, "judgeCalibration")["names"] == ["agreement"]
    none = decide(
        evidence(rows, policy, calibration=calibration(limits=limits, looks=0))
    )
    assert none["conditions"] == one["conditions"]


@pytest.mark.parametrize(
    ("word", "limits", "result"),
    [
        ("passed", {"agreement": 0.75, "false_candidate_wins": 0.1}, "ship"),
        ("passed", {"agreement": 0.8, "false_candidate_wins": 0.05}, "ship"),
        ("passed", {"agreement": 0.7, "false_candidate_wins": 0.1}, "human_review"),
        ("passed", {"agreement": 0.75}, "human_review"),
        (
            "not_passed",
            {"agreement": 0.75, "false_candidate_wins": 0.1},
            "human_review",
        ),
        ("passed", {}, "human_review"),
    ],
)
def test_of_a_sealed_set_the_word_counts_where_its_plan_is_as_strict(
    word: str, limits: dict[str, float], result: str
) -> None:
    known = calibration(rates=None, confusion=None, word=word, limits=limits)
    found = decide(evidence(good(), calibration=known))
    assert found["result"] == result
    assert "sealed" in found["correction"]["undefined"]


def test_the_corrected_net_is_a_condition_where_it_is_asked_for() -> None:
    policy = POLICY | {"minimumCorrectedNetLowerBound": 0}
    assert decide(evidence(good(), policy))["result"] == "ship"
    none = decide(evidence(good(), policy, calibration=None))
    assert condition(none, "minimumCorrectedNetLowerBound")["result"] == "not_shown"
    lost = decide(evidence(pairs("CBBB" * 100), policy))
    assert condition(lost, "minimumCorrectedNetLowerBound")["result"] == "fail"
    useless = calibration()
    useless["confusion"] = dict.fromkeys(
        ("baseline", "candidate", "tie", "abstain"), useless["confusion"]["tie"]
    )
    found = decide(evidence(good(), policy, calibration=useless))
    one = condition(found, "minimumCorrectedNetLowerBound")
    assert (one["result"], one["value"]) == ("not_shown", None)
    assert "not identified" in one["why"]


def test_a_policy_that_is_not_the_one_of_its_digest_is_refused() -> None:
    document = evidence(good())
    document["policy"]["document"] = POLICY | {"maximumSwapFlipRate": 0.9}
    with pytest.raises(ValueError, match="digest"):
        decide(document)


def test_a_verdict_that_does_not_follow_from_its_orders_is_refused() -> None:
    rows = [*good(), pair(1000, "B", verdict="candidate")]
    with pytest.raises(ValueError, match="1000"):
        decide(evidence(rows))


def test_nan_in_the_evidence_is_refused_rather_than_decided_on() -> None:
    with pytest.raises(ValueError, match="JSON"):
        decide(evidence(good(), calibration=calibration(effect=float("nan"))))


def test_the_same_evidence_gives_the_same_bytes_in_any_order_of_rows() -> None:
    one, other = evidence(good()), evidence(good()[::-1])
    first, second = decide(one), decide(other)
    assert canonical_json(decide(one)) == canonical_json(first)
    assert first["conditions"] == second["conditions"]
    assert first["summary"] == second["summary"]
    assert json.loads(canonical_json(first)) == first


def test_the_waivers_are_listed_and_only_used_ones_marked() -> None:
    rows = [*good(), pair(900, "B", critical=True)]
    waivers = [waiver("c900"), waiver("c900", state="expired", number=2)]
    found = decide(evidence(rows, waivers=waivers))
    assert found["result"] == "ship"
    assert [one["used"] for one in found["waivers"]] == [True, False]


@settings(max_examples=30)
@given(
    st.lists(st.sampled_from(["C", "B", "T", "A", "I", "BC", "CB", "CT"]), max_size=80)
)
def test_what_ships_has_passed_everything(letters: list[str]) -> None:
    found = decide(evidence(pairs(letters)))
    every = {one["result"] for one in found["conditions"]}
    assert (found["result"] == "ship") is (every == {"pass"})
    assert (found["result"] == "hold") is ("fail" in every)
    for one in found["conditions"]:
        assert one["result"] != "pass" or one["value"] is not None
