"""What is said to be missing where the judge's report says nothing, or too little."""

from __future__ import annotations

import json
from typing import Any

import pytest

from calibration.domain.deciding import decide
from tests.calibration.evidence import ILLUSTRATIVE, calibration, evidence, good

LIMITED = {"minimumHeldOutAgreement": 0.8}
PLAN = "a plan of looks for the sealed pairs with this limit, as strict or stricter"
SEALED = {"rates": None, "confusion": None, "limits": {"agreement": 0.75}}


@pytest.mark.parametrize(
    ("changes", "policy", "key", "what", "owner"),
    [
        (
            {"limits": {}}, {}, "judgeCalibration",
            "a limit for the judge, in a new policy or in the gold set's plan of looks",
            "eve",
        ),
        (
            {"served_models": ["m-0"]}, {}, "judgeCalibration",
            "a held-out report for which the same models answered as in the run", "cyd",
        ),
        (
            {"judge": {"digest": "other"}}, LIMITED, "minimumHeldOutAgreement",
            "a held-out report of the very judge that ran", "cyd",
        ),
        (SEALED | {"word": "passed"}, LIMITED, "minimumHeldOutAgreement", PLAN, "cyd"),
        (
            SEALED | {"word": "not_passed", "limits": {"agreement": 0.9}}, LIMITED,
            "minimumHeldOutAgreement", "a held-out report that keeps every limit",
            "cyd",
        ),
        (
            {"n": 0}, LIMITED, "minimumHeldOutAgreement",
            "a calibration report of this judge with held-out pairs", "cyd",
        ),
    ],
)  # fmt: skip
def test_what_is_missing_is_what_would_fill_the_gap(
    changes: dict[str, Any], policy: dict[str, Any], key: str, what: str, owner: str
) -> None:
    rows = evidence(
        good(), json.loads(ILLUSTRATIVE) | policy, calibration=calibration(**changes)
    )
    rows["owners"] |= {"policy": "eve"}
    found = decide(rows)
    (one,) = (each for each in found["missing"] if each["condition"] == key)
    assert (one["what"], one["owner"]) == (what, owner)
