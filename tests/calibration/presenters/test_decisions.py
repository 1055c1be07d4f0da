"""Decisions in words, and as JUnit XML."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import pytest

from calibration.domain.deciding import decide
from calibration.domain.policy_keys import KEYS
from calibration.presenters.decision_texts import decision_text, policy_rows, rules_text
from calibration.presenters.decisions import (
    LABELS,
    condition_rows,
    missing_rows,
    result_text,
)
from calibration.presenters.junit import junit_xml
from calibration.presenters.releases import release_page
from tests.calibration.evidence import (
    POLICY,
    calibration,
    evidence,
    good,
    pair,
    pairs,
    waiver,
)

FULL = POLICY | {
    "minimumCorrectedNetLowerBound": 0,
    "slotBalance": "equal-calls",
    "minimumCases": 100,
    "minimumCasesPerSlice": 50,
    "abstainPath": "mandatory-human",
    "criticalSliceRule": "no-new-critical-regressions",
}


def decided(rows: list[Any], policy: dict[str, Any] = FULL, **changes: Any) -> Any:
    found = decide(evidence(rows, policy, **changes))
    found["policy"] |= {"name": "usual", "version": 1}
    return found


def sentences(payload: dict[str, Any]) -> dict[str, str]:
    return {row.key: row.sentence for row in condition_rows(payload)}


def test_every_condition_that_there_is_has_a_label() -> None:
    found = decided(good())
    assert {one["key"] for one in found["conditions"]} == set(LABELS)


@pytest.mark.parametrize(
    "rows",
    [
        [], good(), good(critical=True), pairs("I" * 50), pairs("A" * 50), pairs("CCC"),
        pairs(["BC"] * 60), pairs("CB" * 30), pairs("C" * 9, slices={}),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "known",
    [
        None, calibration(), calibration(n=0),
        calibration(rates=None, confusion=None, word="passed"),
        calibration(rates=None, confusion=None, word="not_passed", limits={}),
    ],
)  # fmt: skip
def test_each_condition_has_one_whole_sentence(rows: list[Any], known: Any) -> None:
    found = decided(rows, calibration=known)
    for key, text in sentences(found).items():
        assert not text[0].islower(), key
        assert text.endswith("."), key
        assert "None" not in text, key
        assert "nan" not in text.lower().split(), key
    assert decision_text(found)
    ET.fromstring(junit_xml(found))


def test_the_sentences_tell_value_bound_and_limit() -> None:
    found = sentences(decided(good(critical=False), POLICY))

    assert found["minimumCandidatePreferenceLowerBound"] == (
        "The candidate won 300 of 400 decisive pairs, 75.0 %: at least 71.2 % with "
        "95 % confidence, where at least 52 % is asked."
    )
    assert found["maximumInvalidJudgeRate"] == (
        "The judge gave no verdict on 0 of 400 pairs, 0.0 %: at most 0.7 % with 95 % "
        "confidence, where at most 1 % is asked."
    )
    assert found["judgeCalibration"] == (
        "The judge keeps all of its limits on held-out pairs (2 of 2 limits)."
    )


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (pairs("C" * 31 + "B" * 19), "62.0 %: only at least"),
        (
            pairs("C" * 20 + "B" * 80),
            "where at least 52 % is asked: shown to be broken.",
        ),
        (pairs("CCC"), "so few that even a perfect record could not show"),
        ([], "There is no value, since there is no such pair."),
    ],
)
def test_the_four_outcomes_read_differently(rows: list[Any], said: str) -> None:
    found = sentences(decided(rows, POLICY))
    assert said in found["minimumCandidatePreferenceLowerBound"]


def test_a_waived_case_is_named_with_its_value() -> None:
    rows = [*good(), pair(900, "B", critical=True)]
    found = decided(rows, POLICY, waivers=[waiver("c900")])
    assert sentences(found)["criticalSliceRule"] == (
        "Of 1 critical case, 1 speaks against the candidate, lifted by waivers: c900."
    )
    assert "waiver 1 of c900 (new against old): used" in decision_text(found)


def test_open_critical_cases_do_not_hide_the_others() -> None:
    rows = [*good(), pair(900, "B", critical=True), pair(901, "A", critical=True)]
    found = decided(rows, POLICY, waivers=[waiver("c900")])
    assert sentences(found)["criticalSliceRule"] == (
        "Of 2 critical cases, 1 speaks against the candidate, lifted by waivers: c900; "
        "neither judge nor people settled c901."
    )


def test_what_is_missing_has_an_owner() -> None:
    found = decided(good(), POLICY, calibration=None)
    owners = {owner for _, owner, _ in missing_rows(found)}
    assert owners == {"cyd"}
    assert "from cyd" in decision_text(found)


def test_the_result_says_what_it_means() -> None:
    assert result_text(decided(good(), POLICY)).startswith("Ship: every condition")
    assert result_text(decided(pairs("I" * 400), POLICY)).startswith(
        "Hold: at least one"
    )
    open_ = decided(pairs("CCC"), POLICY)
    assert result_text(open_).startswith("Human review: no condition is shown")
    held = decided(pairs("CCC"), POLICY | {"wideIntervalDisposition": "hold"})
    assert "the policy then holds" in result_text(held)


def test_simulated_data_is_said_so() -> None:
    assert decision_text(decided(good())).startswith("SIMULATED DATA")


def test_a_policy_is_shown_with_the_meaning_of_each_key() -> None:
    rows = policy_rows(FULL)
    assert [name for name, _, _ in rows] == [k.name for k in KEYS if k.name in FULL]
    assert all(meaning for _, _, meaning in rows)


def test_junit_has_a_case_for_each_condition_and_one_for_the_result() -> None:
    found = decided(pairs("I" * 400), POLICY)
    suite = ET.fromstring(junit_xml(found))
    cases = {case.get("name"): case for case in suite.iter("testcase")}

    assert len(cases) == len(found["conditions"]) + 1 == int(suite.get("tests", 0))
    assert cases["maximumInvalidJudgeRate"].find("failure") is not None
    assert cases["minimumCandidatePreferenceLowerBound"].find("error") is not None
    assert cases["judgeCalibration"].find("error") is None
    assert cases["result"].find("failure") is not None
    assert (suite.get("failures"), suite.get("errors")) == ("2", "2")
    shipped = ET.fromstring(junit_xml(decided(good(), POLICY)))
    assert (shipped.get("failures"), shipped.get("errors")) == ("0", "0")


def test_a_used_waiver_is_told_in_full_in_text_and_junit() -> None:
    rows = [*good(), pair(900, "B", critical=True)]
    unused = waiver("c900", state="expired", number=2)
    found = decided(rows, POLICY, waivers=[waiver("c900"), unused])
    said = (
        "waiver 1 of c900 (new against old): used; owner support; reason: fixed next "
        "week; impact: one answer is late; expires 2026-02-01 00:00 UTC; asked "
        "for by ann, confirmed by ben"
    )
    text, suite = decision_text(found), ET.fromstring(junit_xml(found))
    assert f"  {said}\n" in text
    assert "  waiver 2 of c900 (new against old): expired\n" in text
    for name in ("criticalSliceRule", "result"):
        (case,) = suite.findall(f"testcase[@name='{name}']")
        assert said in case.findtext("system-out", "")
        assert "waiver 2" not in case.findtext("system-out", "")


def test_junit_says_what_is_missing_and_who_brings_it() -> None:
    suite = ET.fromstring(junit_xml(decided(good(), POLICY, calibration=None)))
    line = "missing: a calibration report of this judge with held-out pairs (from cyd)"
    (case,) = suite.findall("testcase[@name='judgeCalibration']")
    assert case.findtext("error") == line
    assert case.findtext("system-out", "").endswith(f"\n{line}")
    (result,) = suite.findall("testcase[@name='result']")
    assert line in result.findtext("system-out", "")


def test_one_pair_is_spoken_of_as_one() -> None:
    found = sentences(decided(pairs("C")))
    assert found["slotBalance"] == (
        "The only pair has as many calls in one order as in the other."
    )
    assert (
        "The candidate won 1 of 1 decisive pair, 100"
        in (found["minimumCandidatePreferenceLowerBound"])
    )


def test_junit_survives_any_text() -> None:
    found = decided([*good(), pair(900, "B", critical=True, case='a\x01<&"é')], POLICY)
    found["policy"]["name"] = "\ud800x"
    text = junit_xml(found)
    assert "<&" not in text
    ET.fromstring(text.encode())


def test_a_decision_by_other_rules_says_so() -> None:
    found = decided(good())
    assert rules_text(found) == ""
    assert "version" not in decision_text(found)
    older = {key: value for key, value in found.items() if key != "rules"}
    assert rules_text(older).startswith(
        "This decision was made by an older version of the rules; here is version "
    )
    assert rules_text(older) in decision_text(older)
    assert "made by version 99 of the rules" in decision_text(found | {"rules": 99})


def test_copies_are_said() -> None:
    rows = [pair(i, "C", copy_of="c0" if i else None) for i in range(3)]
    summary = decided(rows)["summary"]
    assert release_page(summary).basis == (
        "3 pairs of 1 case. 2 more repeat the texts of one of these, which counts once "
        "and as one cluster."
    )
    del summary["copies"]
    assert release_page(summary).basis == "3 pairs of 1 case."


def test_a_slice_that_no_case_has_is_said_to_be_absent() -> None:
    rows = pairs("C" * 9, slices={"language": "de"})
    both = FULL | {"minimumCasesPerSlice": {"langauge": 1, "language": 20}}
    said = sentences(decided(rows, both))["minimumCasesPerSlice"]
    assert said.startswith(
        "No case of the run has the slice langauge; too few got a verdict in "
        "language=de; "
    )
    alone = FULL | {"minimumCasesPerSlice": {"langauge": 4}}
    said = sentences(decided(rows, alone))["minimumCasesPerSlice"]
    assert said == "No case of the run has the slice langauge; 4 are asked for."
