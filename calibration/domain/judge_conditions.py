"""The conditions on the judge itself: its held-out report (DESIGN rule 25).

``calibration`` of an evidence document is null, or an object with

- ``report``: ``digest`` and ``id``; ``judge``: ``digest``; ``gold``
- ``n``: held-out pairs; ``open_elsewhere``: of how many the texts were judged where
  nothing holds them out, so that their results were open
- ``rates``: of each name in ``gates.RATES`` its ``hits``, ``cases`` and ``effect``, or
  null where the set is sealed; ``confusion`` and ``effect`` likewise
- ``limits``: those of the set's plan of looks; ``looks``: how many were planned
- ``word``: what the look at a sealed set said, else empty
- ``served_models``: the models that answered
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from calibration.domain.conditions import CONFIDENCE, Condition, rate_condition
from calibration.domain.gates import (
    Count,
    GateResult,
    Limit,
    Side,
    confidence_of,
    gate,
    limits_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from calibration.domain.policies import Policy

    Known = Mapping[str, Any]

REPORT = "a calibration report of this judge with held-out pairs"
PASSED = "passed"
LACKS_REPORT = "there is no report on held-out pairs of this judge"
OTHER_JUDGE = "the report is of another judge than the run"
OTHER_MODEL = "other models answered in the run than in the report"
LACKS_PAIRS = "the report has no held-out pair"
OPEN = (
    "texts of its held-out pairs were judged where nothing holds them out, so that "
    "their results were open to whoever chose the pairs or the judge"
)
SEALED = "the held-out results are sealed, and their plan has no such limit"
WORD_NOT_PASSED = "the sealed look said that the judge does not keep all of its limits"
LACKS_LIMIT = "neither the policy nor the gold set sets the judge a limit"
KEEPS_LIMITS = "a held-out report that keeps every limit"
# What would fill each gap, and who brings it; for any other it is the report.
_LACKING = {
    OTHER_JUDGE: ("a held-out report of the very judge that ran", "calibration"),
    OTHER_MODEL: (
        "a held-out report for which the same models answered as in the run",
        "calibration",
    ),
    OPEN: ("held-out pairs not seen before", "calibration"),
    SEALED: (
        "a plan of looks for the sealed pairs with this limit, as strict or stricter",
        "calibration",
    ),
    WORD_NOT_PASSED: (KEEPS_LIMITS, "calibration"),
    LACKS_LIMIT: (
        "a limit for the judge, in a new policy or in the gold set's plan of looks",
        "policy",
    ),
}
_WORST = (GateResult.FAIL, GateResult.TOO_FEW, GateResult.NOT_SHOWN)


def held_out_conditions(
    policy: Policy, run: Known, calibration: Known | None
) -> list[Condition]:
    """Agreement and false candidate wins, where the policy limits them; and health."""
    wanted = _wanted(policy)
    found = [
        _held_out(key, name, side, limit, run, calibration)
        for key, (name, side, limit) in wanted.items()
    ]
    return [*found, _health(found, run, calibration)]


def _wanted(policy: Policy) -> dict[str, tuple[str, Side, float]]:
    every = {
        "minimumHeldOutAgreement": ("agreement", Side.AT_LEAST, policy.agreement),
        "maximumFalseCandidateWinRate": (
            "false_candidate_wins",
            Side.AT_MOST,
            policy.false_candidate_wins,
        ),
    }
    return {
        key: (name, side, limit)
        for key, (name, side, limit) in every.items()
        if limit is not None
    }


def unusable(run: Known, calibration: Known | None) -> str:
    """Why a report says nothing about the judge of a run, or nothing."""
    if not calibration:
        return LACKS_REPORT
    if calibration["judge"]["digest"] != run["judge"]["digest"]:
        return OTHER_JUDGE
    if not calibration["n"]:
        return LACKS_PAIRS
    if calibration["open_elsewhere"]:
        return OPEN
    strangers = set(run["served_models"]) - set(calibration["served_models"])
    return OTHER_MODEL if strangers else ""


def _blank(key: str, why: str, **fields: Any) -> Condition:
    """A condition whose value is not there: never a pass."""
    given = {"result": GateResult.NOT_SHOWN, "value": None, "n": 0} | fields
    missing, owner = _LACKING.get(why, (REPORT, "calibration"))
    return Condition(key=key, why=why, missing=missing, owner=owner, **given)


def _held_out(
    key: str,
    name: str,
    side: Side,
    limit: float,
    run: Known,
    calibration: Known | None,
) -> Condition:
    shape = {"limit": limit, "side": side, "confidence": CONFIDENCE}
    if why := unusable(run, calibration):
        result = GateResult.TOO_FEW if why == LACKS_PAIRS else GateResult.NOT_SHOWN
        return _blank(key, why, result=result, **shape)
    assert calibration is not None  # noqa: S101 - unusable said so
    if calibration["rates"] is None:
        return _sealed(key, name, calibration, shape)
    found = rate_condition(key, side, limit, _count(calibration["rates"][name]))
    if not found.missing:
        return found
    return replace(found, missing="more held-out pairs with gold", owner="calibration")


def _sealed(key: str, name: str, calibration: Known, shape: Any) -> Condition:
    """What one word tells of one limit: that of the plan has to be as strict."""
    planned = calibration["limits"].get(name)
    limit, at_least = shape["limit"], shape["side"] is Side.AT_LEAST
    if planned is None or (planned < limit if at_least else planned > limit):
        return _blank(key, SEALED, n=calibration["n"], **shape)
    if calibration["word"] != PASSED:
        return _blank(key, WORD_NOT_PASSED, n=calibration["n"], **shape)
    return Condition(
        key=key, result=GateResult.PASS, value=None, n=calibration["n"],
        bound=planned, **shape,
    )  # fmt: skip


def _count(rate: Known) -> Count:
    return Count(rate["hits"], rate["cases"], rate["effect"])


def _health(
    found: Iterable[Condition],
    run: Known,
    calibration: Known | None,
) -> Condition:
    """Whether the judge keeps every limit that anybody set it; none is not enough.

    The limit is how many there are, the value how many are kept.
    """
    key = "judgeCalibration"
    if why := unusable(run, calibration):
        result = GateResult.TOO_FEW if why == LACKS_PAIRS else GateResult.NOT_SHOWN
        return _blank(key, why, result=result)
    assert calibration is not None  # noqa: S101 - unusable said so
    results = {each.key: each.result for each in found}
    results |= _planned(calibration)
    if not results:
        return _blank(key, LACKS_LIMIT, n=calibration["n"])
    kept = sum(result is GateResult.PASS for result in results.values())
    worst = next((one for one in _WORST if one in results.values()), GateResult.PASS)
    passed = worst is GateResult.PASS
    word = calibration["rates"] is None and calibration["word"] != PASSED
    return Condition(
        key=key,
        result=worst,
        value=float(kept),
        numerator=kept,
        n=len(results),
        bound=float(kept),
        limit=float(len(results)),
        side=Side.AT_LEAST,
        why=WORD_NOT_PASSED if word else "",
        missing="" if passed else KEEPS_LIMITS,
        owner="" if passed else "calibration",
        names=tuple(
            name for name, one in results.items() if one is not GateResult.PASS
        ),
    )


def _planned(calibration: Known) -> dict[str, GateResult]:
    """The limits of the set's own plan; of a sealed set the word alone."""
    limits: tuple[Limit, ...] = limits_of(calibration["limits"])
    if calibration["rates"] is None:
        passed = calibration["word"] == PASSED
        result = GateResult.PASS if passed else GateResult.NOT_SHOWN
        return {limit.name: result for limit in limits}
    confidence = confidence_of(max(1, calibration["looks"]))
    return {
        limit.name: gate(
            limit, _count(calibration["rates"][limit.name]), confidence
        ).result
        for limit in limits
    }
