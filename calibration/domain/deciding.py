"""From an evidence document to a decision document, both plain JSON data.

Whoever has the evidence can make the decision again, with no database and no clock.
The evidence (``schema`` evenhand.evidence/1) holds everything a decision rests on:

- ``rules``: the version of the rules it is to be decided by
  (``calibration.domain.rules``)
- ``policy``: ``document`` as it was frozen, its ``digest``, ``label``, ``version``,
  ``frozen_at``
- ``run``: ``id``, ``gold_set``, ``systems`` in order, ``judge`` (name, version,
  digest), ``purpose``, ``began_at``, ``served_models`` (names), ``simulated``
- ``pairs``: one object a pair, see ``calibration.domain.release``
- ``not_judged``: the pairs of the set that the run left out, see
  ``calibration.domain.unjudged``
- ``calibration``: the held-out report, or null, see ``judge_conditions``
- ``waivers``: all that name a case of the run: ``id``, ``case_ids``, ``systems`` (null
  of older ones), ``impact``, ``owner``, ``reason``, ``expires_at``, ``asked_by``,
  ``confirmed_by``, ``state`` as it was at the time
  (``calibration.domain.waivers.state_of``)
- ``owners``: who brings what is missing, by what it is (``policy_keys.OWNERS``)

The time is in it only through the states of waivers: as long as nothing has changed,
the same evidence, by digest, gives the same decision. The document holds numbers in
full and no sentence; those are made where it is shown.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from annotation.domain.digests import digest_of
from calibration.domain import conditions as on_rates
from calibration.domain.gates import GateResult
from calibration.domain.human_conditions import abstain_condition, critical_condition
from calibration.domain.jsonable import jsonable
from calibration.domain.judge_conditions import held_out_conditions, unusable
from calibration.domain.policies import policy_of
from calibration.domain.policy_keys import OWNERS, Disposition
from calibration.domain.release import LEVEL, sample_of, summarise
from calibration.domain.rules import DECISION_RULES, other_rules, rules_of
from calibration.domain.unjudged import every_pair_condition
from calibration.domain.waivers import lifted_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from calibration.domain.conditions import Condition
    from calibration.domain.policies import Policy
    from calibration.domain.samples import Sample

    Evidence = Mapping[str, Any]

EVIDENCE_SCHEMA = "evenhand.evidence/1"
DECISION_SCHEMA = "evenhand.decision/1"
NOBODY = "lead"


class DecisionResult(StrEnum):
    """What becomes of a release."""

    SHIP = "ship"
    HOLD = "hold"
    HUMAN_REVIEW = "human_review"


_UNDECIDED = {
    Disposition.HUMAN_REVIEW: DecisionResult.HUMAN_REVIEW,
    Disposition.HOLD: DecisionResult.HOLD,
}


def decide(evidence: Evidence) -> dict[str, Any]:
    """Make the decision document of an evidence document.

    Raises ``ValueError`` for evidence that contradicts itself: a policy that is not
    the one of its digest, a pair whose verdict does not follow from its orders; and for
    evidence of other rules than these.
    """
    digest = digest_of(evidence)  # refuses NaN before anything is made of it
    if (rules := rules_of(evidence)) != DECISION_RULES:
        raise ValueError(other_rules("the evidence", rules, DECISION_RULES))
    policy = _policy(evidence)
    sample = sample_of(evidence["pairs"], evidence["run"]["systems"])
    compared = {tuple(pair["systems"]) for pair in evidence["pairs"]}
    lifted = lifted_by(evidence["waivers"], evidence["run"]["systems"], compared)
    found = conditions_of(evidence, policy, sample, lifted)
    result = result_of(policy, found)
    used = {number for each in found for case in each.waived for number in lifted[case]}
    return {
        "schema": DECISION_SCHEMA,
        "rules": DECISION_RULES,
        "result": result.value,
        "evidence_digest": digest,
        "simulated": evidence["run"]["simulated"],
        "policy": {k: v for k, v in evidence["policy"].items() if k != "document"},
        "run": dict(evidence["run"]),
        "not_judged": dict(evidence["not_judged"]),
        "calibration": _named(evidence["calibration"]),
        "conditions": [_condition_json(each, evidence["owners"]) for each in found],
        "missing": list(_missing(found, evidence["owners"])),
        "waivers": [
            {**waiver, "used": str(waiver["id"]) in used}
            for waiver in evidence["waivers"]
        ],
        "summary": jsonable(summarise(sample)),
        "correction": correction_json(evidence, sample),
    }


def _policy(evidence: Evidence) -> Policy:
    document = evidence["policy"]["document"]
    if digest_of(document) != evidence["policy"]["digest"]:
        raise ValueError("the policy is not the one that its digest names")
    return policy_of(document)


def conditions_of(
    evidence: Evidence,
    policy: Policy,
    sample: Sample,
    lifted: Mapping[str, Any],
) -> list[Condition]:
    """Every condition of a policy, in a fixed order."""
    pairs, run = evidence["pairs"], evidence["run"]
    calibration, digest = evidence["calibration"], evidence["policy"]["digest"]
    usable = None if unusable(run, calibration) else calibration
    calls = {str(pair["pair"]): tuple(pair["calls"]) for pair in pairs}
    corrected = on_rates.correction_of(sample, usable, on_rates.TWO_SIDED)
    left_out = evidence["not_judged"]
    found = [
        on_rates.preference_condition(policy, sample),
        on_rates.flip_condition(policy, sample),
        on_rates.invalid_condition(policy, sample),
        every_pair_condition(left_out),
        on_rates.slot_condition(sample, calls) if policy.slot_balance else None,
        on_rates.cases_condition(policy, sample),
        on_rates.slices_condition(policy, sample),
        critical_condition(policy, pairs, lifted, left_out["critical_cases"]),
        abstain_condition(policy, pairs, digest),
        on_rates.correction_condition(policy, corrected),
        *held_out_conditions(policy, run, calibration),
    ]
    return [each for each in found if each is not None]


def result_of(policy: Policy, found: Iterable[Condition]) -> DecisionResult:
    """Ship only if there are conditions and all pass; hold if any fails."""
    results = [each.result for each in found]
    if GateResult.FAIL in results:
        return DecisionResult.HOLD
    if results and all(result is GateResult.PASS for result in results):
        return DecisionResult.SHIP
    return _UNDECIDED[policy.undecided]


def correction_json(evidence: Evidence, sample: Sample) -> dict[str, Any]:
    """The corrected preference beside the raw one, or why there is none."""
    calibration = evidence["calibration"]
    why = unusable(evidence["run"], calibration)
    if why:
        return {"undefined": why}
    found = on_rates.correction_of(sample, calibration, LEVEL)
    if found is None:
        return {"undefined": "the held-out results are sealed"}
    return {"undefined": None, **_object(jsonable(found))}


def _object(found: Any) -> dict[str, Any]:
    assert isinstance(found, dict)  # noqa: S101 - of a dataclass
    return found


def _named(calibration: Evidence | None) -> dict[str, Any] | None:
    if calibration is None:
        return None
    kept = ("report", "judge", "gold", "n", "open_elsewhere", "word", "looks")
    return {key: calibration[key] for key in kept}


def _condition_json(found: Condition, owners: Mapping[str, str]) -> dict[str, Any]:
    made = _object(jsonable(found))
    return {**made, "owner": _owner(found, owners)}


def _owner(found: Condition, owners: Mapping[str, str]) -> str:
    return (owners.get(found.owner) or NOBODY) if found.owner in OWNERS else ""


def _missing(
    found: Iterable[Condition], owners: Mapping[str, str]
) -> Iterable[dict[str, str]]:
    for each in found:
        if each.missing:
            owner = _owner(each, owners)
            yield {"what": each.missing, "owner": owner, "condition": each.key}
