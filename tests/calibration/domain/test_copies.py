"""Cases that repeat another: one cluster, and one case."""

from __future__ import annotations

from calibration.domain.copies import CaseTexts, case_texts, standings
from calibration.domain.deciding import decide
from tests.calibration.evidence import POLICY, evidence, pair

SIDES = (("One.", ""), ("Two.", ""))


def texts(case: str, prompt: str, context: str | None = None, sides=SIDES) -> CaseTexts:
    return case_texts(case, f"case:{case}", prompt, context, sides)


def clusters(*cases: CaseTexts) -> dict[str, str]:
    return {case: one.cluster for case, one in standings(cases).items()}


def copies(*cases: CaseTexts) -> dict[str, str | None]:
    return {case: one.copy_of for case, one in standings(cases).items()}


def test_different_cases_stay_apart() -> None:
    found = (texts("a", "First?"), texts("b", "Second?"))
    assert clusters(*found) == {"a": "case:a", "b": "case:b"}
    assert copies(*found) == {"a": None, "b": None}


def test_a_copy_is_of_the_first_and_in_its_cluster() -> None:
    """Blanks around a text, and which response is whose, make no other case."""
    turned = (("Two.", ""), ("One. ", ""))
    found = (texts("a", "First?"), texts("b", "First? \n"),
             texts("c", "First?", sides=turned))  # fmt: skip
    assert clusters(*found) == dict.fromkeys("abc", "case:a")
    assert copies(*found) == {"a": None, "b": "a", "c": "a"}


def test_another_context_does_not_hide_a_copy() -> None:
    found = (texts("a", "First?", "Here."), texts("b", "First?", "There."))
    assert clusters(*found) == {"a": "case:a", "b": "case:a"}
    assert copies(*found)["b"] == "a"


def test_other_answers_to_the_same_input_are_one_cluster_and_two_cases() -> None:
    other = (("Three.", ""), ("Four.", ""))
    found = (texts("a", "First?"), texts("b", "First?", sides=other))
    assert clusters(*found) == {"a": "case:a", "b": "case:a"}
    assert copies(*found) == {"a": None, "b": None}


def test_one_prompt_about_different_contexts_stays_apart() -> None:
    other = (("Three.", ""), ("Four.", ""))
    found = (texts("a", "Sum up.", "Here."), texts("b", "Sum up.", "There.", other))
    assert clusters(*found) == {"a": "case:a", "b": "case:b"}


def test_groups_that_share_a_copy_are_one_cluster() -> None:
    rows = [("a", "group:x", "1"), ("b", "group:x", "2"), ("c", "group:y", "3"),
            ("d", "group:y", "1"), ("e", "case:e", "4")]  # fmt: skip
    found = [CaseTexts(case, group, f"i{text}", text) for case, group, text in rows]
    assert clusters(*found) == {**dict.fromkeys("abcd", "group:x"), "e": "case:e"}


def test_copies_ship_nothing_that_the_case_alone_would_not() -> None:
    """400 copies of one case are one case in one cluster."""
    same = {"cluster": "case:c0"}
    rows = [pair(i, "C", **same, copy_of="c0" if i else None) for i in range(400)]
    policy = POLICY | {"minimumCases": 2}
    found = decide(evidence(rows, policy))
    results = {one["key"]: one for one in found["conditions"]}
    assert results["minimumCases"]["result"] == "too_few"
    assert results["minimumCases"]["numerator"] == 1
    assert results["minimumCandidatePreferenceLowerBound"]["result"] != "pass"
    assert found["result"] != "ship"
    assert (found["summary"]["cases"], found["summary"]["copies"]) == (1, 399)
