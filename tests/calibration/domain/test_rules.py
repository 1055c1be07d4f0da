"""What the rules come to, pinned: a change of outcome needs a new rule number.

The inputs are made here and of nothing that other tests share. Numbers are cut to nine
digits, so that another processor's last bit is no change.
"""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest

from annotation.domain.digests import digest_of
from calibration.domain.deciding import decide
from calibration.domain.gates import RATES
from calibration.domain.rules import DECISION_RULES, REPORT_RULES
from tests.calibration.pinned_report import SAID, SYSTEMS, judged, report

# By rule number: the digest of everything below. One is added with each new number.
DECISIONS = {
    1: "461ef6aabb43f533b07314d4fdc741c6b8c95603d80884abb04e13a3778ee443",
    2: "dd397264e67b8f83a2c71b2732b10b264cac97f9806176a2b6de86d94745b1cc",
    3: "229b3a6b6b1fb0376e04c9c1bb1f2146af140ed44c2c70329956a7e4d73ca135",
    4: "78d0fc0a3cd73e3bf74eba601fe74b3d81bacf64f4bee1688c1f6ba99fa02dfc",
    5: "fd757de9d83c7e7bfa4892bdf1eff85fde39986cd0856ac9a18f8bb507858fd1",
    6: "efc538626e6a9be7ef88c7b96526d3f86f78497207c93c2a9063255644c78400",
    7: "8ad6eb464ff216860b669bb9b5c94f1852dc0357f1358b2d7e160b90abc0bc4f",
}
REPORTS = {
    3: "21074b9cfe8eb1fdd468a994f4df67435f5236995ceae87982e464f64bef1733",
    4: "cfcbce08acfb26eed817c86835286a87a4030b2cbf713495cfcf45f8a4fe327f",
    5: "2910a090540c00f7d869edd12f5823d5d162bf8139c876fde489671f218e38b2",
    6: "1ee8f5496d0d949f5689c79396052972f8b94a8a8298880436ede28be83524f5",
    7: "4f7b610319c638f5a996279258f5c4934637fe05f363e180e23895f82a44a440",
}


def evidence_pair(number: int, letters: str) -> dict[str, Any]:
    _, verdict = judged(letters, 1)
    return {
        "pair": str(number),
        "case": f"c{number}",
        "cluster": f"group:{number // 3}" if number % 20 < 6 else f"case:c{number}",
        "copy_of": None,
        "systems": list(SYSTEMS),
        "slices": {"language": "de" if number % 4 == 0 else "en"},
        "critical": number % 40 == 7,
        "lengths": [100, 90 + number % 9 * 10],
        "baseline_first": verdict.baseline_first.value,
        "candidate_first": verdict.candidate_first.value,
        "verdict": verdict.outcome.value,
        "consistency": verdict.consistency.value,
        "tie_source": verdict.tie_source.value if verdict.tie_source else None,
        "calls": [1, 1],
        "human": ("candidate", None)[number % 2],
        "only_candidate_fails": (None, False)[number % 2],
    }


POLICIES: tuple[dict[str, Any], ...] = (
    {},
    {"wideIntervalDisposition": "hold", "criticalSliceRule":
     "no-new-critical-regressions", "minimumCases": 150, "slotBalance": "equal-calls"},
    {"minimumHeldOutAgreement": 0.75, "maximumFalseCandidateWinRate": 0.1,
     "minimumCorrectedNetLowerBound": 0.05, "minimumCasesPerSlice": 40,
     "abstainPath": "review-sample", "abstainSampleShare": 0.5},
)  # fmt: skip
# A clear candidate, a doubtful one, a bad judge, nothing at all.
RUNS = ("21" * 30 + "12" * 8, "2112" * 10 + "TT" * 3, "".join(SAID) * 3, "")


def calibration() -> dict[str, Any]:
    rate = {"hits": 2, "cases": 100, "effect": 1.25}
    counts = ("baseline", "candidate", "tie", "abstain", "invalid")
    table = {
        "baseline": (92, 2, 6, 0, 0),
        "candidate": (4, 90, 5, 1, 0),
        "tie": (4, 2, 33, 0, 1),
        "abstain": (0, 0, 0, 0, 0),
    }
    agreed = {"hits": 215, "cases": 240, "effect": 1.0}
    return {
        "report": {"id": 1, "digest": "r"},
        "judge": {"name": "judge", "version": 1, "digest": "j"},
        "gold": {"set": "gold", "version": 1, "digest": "g"},
        "n": 240,
        "open_elsewhere": 0,
        "rates": {**dict.fromkeys(RATES, rate), "agreement": agreed},
        "confusion": {k: dict(zip(counts, v, strict=True)) for k, v in table.items()},
        "effect": 1.25,
        "limits": {"agreement": 0.7},
        "looks": 10,
        "word": "",
        "served_models": ["m-1"],
    }


def waiver(number: int, state: str) -> dict[str, Any]:
    return {
        "id": number,
        "case_ids": ["c7", "c47"],
        "systems": list(SYSTEMS),
        "impact": "one answer is late",
        "owner": "support",
        "reason": "fixed next week",
        "asked_by": "ann",
        "confirmed_by": "ben",
        "expires_at": "2026-02-01T00:00:00+00:00",
        "state": state,
    }


def evidence(run: str, changes: dict[str, Any]) -> dict[str, Any]:
    said = [run[at : at + 2] for at in range(0, len(run), 2)] * 5
    pairs = [evidence_pair(number, letters) for number, letters in enumerate(said)]
    policy = {
        "policyLabel": "golden",
        "minimumCandidatePreferenceLowerBound": 0.52,
        "maximumSwapFlipRate": 0.05,
        "maximumInvalidJudgeRate": 0.02,
        **changes,
    }
    return {
        "schema": "evenhand.evidence/1",
        "rules": DECISION_RULES,
        "policy": {"document": policy, "digest": digest_of(policy), "label": "golden"},
        "run": {
            "id": 1,
            "gold_set": "golden",
            "systems": list(SYSTEMS),
            "judge": {"name": "judge", "version": 1, "digest": "j"},
            "served_models": ["m-1"],
            "simulated": True,
        },
        "pairs": pairs,
        "not_judged": {
            "of": len(pairs),
            "pairs": 0,
            "panel": 0,
            "critical_cases": [],
        },
        "calibration": calibration() if len(pairs) != 215 else None,
        "waivers": [waiver(1, "in_force"), waiver(2, "expired")],
        "owners": {"run": "ann", "cases": "ben", "calibration": "cyd"},
    }


# Reports that say nothing of the judge, or too little; since version 2.
GAPS: tuple[dict[str, Any], ...] = (
    {"limits": {}}, {"served_models": ["m-0"]}, {"n": 0},
    {"judge": {"name": "judge", "version": 2, "digest": "k"}},
    {"rates": None, "confusion": None, "word": "passed", "limits": {}},
    {"rates": None, "confusion": None, "word": "not_passed"}, {"open_elsewhere": 1},
)  # fmt: skip


# What leaves a decision open in other ways; since version 6.
ELSE: tuple[dict[str, Any], ...] = (
    {"not_judged": {"of": 195, "pairs": 5, "panel": 0, "critical_cases": ["c190"]}},
    {"not_judged": {"of": 195, "pairs": 0, "panel": 5, "critical_cases": []}},
    {"waivers": [waiver(1, "in_force") | {"systems": ["old", "newer"]}]},
    {"waivers": [waiver(1, "in_force") | {"systems": None}]},
    {"pairs": [evidence_pair(number, "II") for number in range(190)]},
    {"pairs": [evidence_pair(n, "BB") | {"cluster": "case:c1"} for n in range(90)]},
)


def decisions() -> list[Any]:
    usual = [decide(evidence(*each)) for each in product(RUNS, POLICIES)]
    gaps = [
        decide(evidence(RUNS[0], policy) | {"calibration": calibration() | gap})
        for policy, gap in product(POLICIES, GAPS)
    ]
    return [*usual, *gaps] + [
        decide(evidence(RUNS[0], policy) | other)
        for policy, other in product(POLICIES, ELSE)
    ]


def cut(value: Any) -> Any:
    """Every number to nine digits; what says nothing of outcomes is left out."""
    if isinstance(value, float):
        return f"{value:.9g}" if abs(value) > 1e-9 else "0"
    if isinstance(value, dict):
        kept = value.keys() - {"rules", "evidence_digest"}
        return {key: cut(value[key]) for key in kept}
    return [cut(each) for each in value] if isinstance(value, list) else value


def pinned(what: str, number: int, known: dict[int, str], found: Any) -> None:
    digest = digest_of(cut(json.loads(json.dumps(found))))
    assert number in known, f"{what} = {number} is new: pin {digest} for it here"
    assert known[number] == digest, (
        f"The same inputs come to something else than before. If that is meant, give "
        f"{what} in calibration/domain/rules.py the number {number + 1}, say there "
        f"what changed, and pin {digest} for it here. If not, undo it."
    )


def test_a_change_of_what_decisions_come_to_needs_a_new_number() -> None:
    pinned("DECISION_RULES", DECISION_RULES, DECISIONS, decisions())


def test_a_change_of_what_reports_come_to_needs_a_new_number() -> None:
    pinned("REPORT_RULES", REPORT_RULES, REPORTS, report())


def test_the_golden_decisions_differ() -> None:
    """They are pinned for every result, and for conditions of every kind."""
    found = decisions()
    conditions = [each for one in found for each in one["conditions"]]
    assert {one["result"] for one in found} == {"ship", "hold", "human_review"}
    assert {each["result"] for each in conditions} == {
        "pass", "fail", "not_shown", "too_few",
    }  # fmt: skip
    assert len({each["key"] for each in conditions}) == 13


@pytest.mark.parametrize("known", [DECISIONS, REPORTS])
def test_no_two_numbers_come_to_the_same(known) -> None:
    assert len({*known.values()}) == len(known)


def test_another_number_or_outcome_fails_with_the_way_out() -> None:
    found = [{"value": 0.25, "rules": 1}]
    with pytest.raises(AssertionError, match="RULES = 2 is new: pin"):
        pinned("RULES", 2, {1: "x"}, found)
    digest = digest_of([{"value": "0.25"}])
    pinned("RULES", 1, {1: digest}, found)
    with pytest.raises(AssertionError, match="the number 2, say there"):
        pinned("RULES", 1, {1: digest}, [{"value": 0.2500001}])
