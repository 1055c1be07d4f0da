"""Evidence documents for tests, their pairs written as letters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.domain.digests import digest_of
from calibration.domain.gates import RATES
from calibration.domain.rules import DECISION_RULES
from judging.domain.verdicts import consistency_of
from tests.calibration.factory import JUDGED, verdict_of

if TYPE_CHECKING:
    from collections.abc import Iterable

ILLUSTRATIVE = """
{"policyLabel": "illustrative-only", "minimumCandidatePreferenceLowerBound": 0.52,
 "maximumSwapFlipRate": 0.05, "maximumInvalidJudgeRate": 0.01,
 "criticalSliceRule": "no-new-critical-regressions",
 "wideIntervalDisposition": "human-review"}
"""
# Every limit that data of 400 pairs can keep.
POLICY: dict[str, Any] = {
    "policyLabel": "usual",
    "minimumCandidatePreferenceLowerBound": 0.52,
    "maximumSwapFlipRate": 0.05,
    "maximumInvalidJudgeRate": 0.01,
    "minimumHeldOutAgreement": 0.75,
    "maximumFalseCandidateWinRate": 0.1,
}
SOURCES = {"consistent": "stated", "flip": "flip", "tie_transition": "transition"}


def pair(number: int, there: str, back: str | None = None, **changes: Any) -> Any:
    """One pair whose orders said ``there`` (baseline first) and ``back``."""
    back = back or there
    verdict = verdict_of(there, back)
    consistency = consistency_of(JUDGED[there], JUDGED[back]).value
    return {
        "pair": str(number),
        "case": f"c{number}",
        "cluster": f"case:c{number}",
        "copy_of": None,
        "systems": ["old", "new"],
        "slices": {"language": "en"},
        "critical": False,
        "lengths": [100, 110],
        "baseline_first": JUDGED[there].value,
        "candidate_first": JUDGED[back].value,
        "verdict": JUDGED[verdict].value,
        "consistency": consistency,
        "tie_source": SOURCES[consistency] if verdict == "T" else None,
        "calls": [1, 1],
        "human": None,
        "only_candidate_fails": None,
        **changes,
    }


def pairs(letters: Iterable[str], **changes: Any) -> list[Any]:
    """One pair a case from one letter each, or two for the two orders."""
    return [pair(i, *said, **changes) for i, said in enumerate(letters)]


def good(n: int = 400, **changes: Any) -> list[Any]:
    """Pairs that keep every limit: the candidate wins three of four."""
    return pairs(["C", "C", "C", "B"] * (n // 4), **changes)


def calibration(**changes: Any) -> dict[str, Any]:
    """The held-out report of a judge that keeps its limits."""
    rate = {"hits": 2, "cases": 100, "effect": 1.0}
    row = {"baseline": 0, "candidate": 0, "tie": 0, "abstain": 0, "invalid": 0}
    return {
        "report": {"id": 1, "digest": "r"},
        "judge": {"name": "judge", "version": 1, "digest": "j"},
        "gold": {"set": "gold", "version": 1, "digest": "g"},
        "n": 240,
        "open_elsewhere": 0,
        "rates": {
            **dict.fromkeys(RATES, rate),
            "agreement": {"hits": 216, "cases": 240, "effect": 1.0},
        },
        "confusion": {
            "baseline": row | {"baseline": 92, "candidate": 2, "tie": 6},
            "candidate": row | {"baseline": 4, "candidate": 90, "tie": 6},
            "tie": row | {"baseline": 4, "candidate": 2, "tie": 34},
            "abstain": row,
        },
        "effect": 1.0,
        "limits": {},
        "looks": 10,
        "word": "",
        "served_models": ["m-1"],
        **changes,
    }


def waiver(*cases: str, state: str = "in_force", number: int = 1) -> dict[str, Any]:
    """A waiver as a decision lists it."""
    return {
        "id": number,
        "case_ids": list(cases),
        "systems": ["old", "new"],
        "impact": "one answer is late",
        "owner": "support",
        "reason": "fixed next week",
        "asked_by": "ann",
        "confirmed_by": "ben",
        "expires_at": "2026-02-01T00:00:00+00:00",
        "state": state,
    }


def evidence(
    rows: list[Any], policy: dict[str, Any] | None = None, **changes: Any
) -> Any:
    """An evidence document of a judge with a good report, or with ``calibration``."""
    document = POLICY if policy is None else policy
    return {
        "schema": "evenhand.evidence/1",
        "rules": DECISION_RULES,
        "policy": {"document": document, "digest": digest_of(document), "label": "x"},
        "run": {
            "id": 1,
            "gold_set": "release",
            "systems": ["old", "new"],
            "judge": {"name": "judge", "version": 1, "digest": "j"},
            "served_models": ["m-1"],
            "simulated": True,
        },
        "pairs": rows,
        "not_judged": {
            "of": len(rows),
            "pairs": 0,
            "panel": 0,
            "critical_cases": [],
        },
        "calibration": calibration(),
        "waivers": [],
        "owners": {"run": "ann", "cases": "ben", "calibration": "cyd"},
        **changes,
    }
