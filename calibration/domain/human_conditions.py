"""The conditions that ask for people, or name cases: critical pairs and abstains."""

from __future__ import annotations

import hashlib
from math import ceil
from typing import TYPE_CHECKING, Any

from calibration.domain.conditions import Condition
from calibration.domain.gates import GateResult, Side
from calibration.domain.policy_keys import CRITICAL_RULE, AbstainPath
from judging.domain.terms import Consistency, JudgeOutcome

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from calibration.domain.policies import Policy

    Pair = Mapping[str, Any]

_BASELINE = JudgeOutcome.BASELINE.value
_INVALID = JudgeOutcome.INVALID.value
_NO_VERDICT = (JudgeOutcome.ABSTAIN.value, _INVALID)


def is_regression(pair: Pair) -> bool:
    """Whether a critical pair speaks against the candidate.

    The judge decided it for the baseline, or people did, or marks of the single
    responses fail the candidate alone.
    """
    if not pair["critical"]:
        return False
    against = _BASELINE in (pair["verdict"], pair["human"])
    return against or pair["only_candidate_fails"] is True


def is_open(pair: Pair) -> bool:
    """Whether a critical pair is neither settled by the judge nor by people.

    A judge that contradicts itself when the slots are swapped settled nothing: to
    count its tie as harmless would favour the candidate (DESIGN rule 3).
    """
    settled = pair["human"] not in (None, JudgeOutcome.ABSTAIN.value)
    if not pair["critical"] or is_regression(pair) or settled:
        return False
    flipped = pair["consistency"] == Consistency.FLIP.value
    return flipped or pair["verdict"] in _NO_VERDICT


def critical_condition(
    policy: Policy,
    pairs: Sequence[Pair],
    lifted: Collection[str],
    unjudged: Sequence[str] = (),
) -> Condition | None:
    """No critical case goes to the baseline, but for those lifted by waivers.

    The value counts regressions, waived or not. ``unjudged`` are critical cases of the
    set without a judged pair: nothing is shown of them, and no waiver lifts that. None
    where there are no critical cases and the policy does not ask for any.
    """
    critical = [pair for pair in pairs if pair["critical"]]
    if not critical and not unjudged and not policy.critical_named:
        return None
    bad = _cases(pair for pair in critical if is_regression(pair))
    left = [
        case for case in _cases(p for p in critical if is_open(p)) if case not in bad
    ]
    failing = tuple(case for case in bad if case not in lifted)
    open_ = tuple(case for case in left if case not in lifted)
    result = GateResult.PASS
    why = missing = owner = ""
    if open_:
        result, owner = GateResult.NOT_SHOWN, "critical"
        why = "neither the judge nor people settled every critical case"
        missing = f"labels of critical cases that nobody settled: {', '.join(open_)}"
    elif not critical and not unjudged:
        result, owner = GateResult.NOT_SHOWN, "critical"
        why = "the run has no critical pair"
        missing = "critical cases"
    if unjudged:
        result, owner = GateResult.NOT_SHOWN, "critical"
        why = "the run did not judge every critical case of the set"
        lacks = f"verdicts on critical cases not judged: {', '.join(unjudged)}"
        missing = f"{missing}; {lacks}" if missing else lacks
    if failing:
        result, why = GateResult.FAIL, ""
    return Condition(
        key="criticalSliceRule",
        result=result,
        value=float(len(bad)) if critical else None,
        numerator=len(bad) if critical else None,
        n=len(_cases(critical)),
        bound=float(len(bad)) if critical else None,
        limit=CRITICAL_RULE,
        side=Side.AT_MOST,
        why=why,
        missing=missing,
        owner=owner,
        names=failing or open_,
        waived=tuple(case for case in (*bad, *left) if case in lifted),
        unjudged=tuple(unjudged),
    )


def _cases(pairs: Any) -> list[str]:
    return sorted({pair["case"] for pair in pairs})


def wanted_from_people(
    policy: Policy, pairs: Sequence[Pair], policy_digest: str
) -> tuple[Pair, ...]:
    """The abstained pairs that people have to settle: all, or a sample.

    The sample is drawn by the digest of the policy and the pair, so that nobody
    chooses it and everybody can draw it again.
    """
    abstained = [p for p in pairs if p["verdict"] == JudgeOutcome.ABSTAIN.value]
    if policy.abstain_path is AbstainPath.REVIEW_SAMPLE:
        size = ceil(policy.abstain_share * len(abstained) - 1e-9)
        drawn = sorted(abstained, key=lambda pair: _place(policy_digest, pair["pair"]))
        abstained = sorted(drawn[:size], key=lambda pair: str(pair["pair"]))
    return tuple(abstained) if policy.abstain_path else ()


def _place(digest: str, pair: object) -> str:
    return hashlib.sha256(f"{digest} {pair}".encode()).hexdigest()


def abstain_condition(
    policy: Policy, pairs: Sequence[Pair], policy_digest: str
) -> Condition | None:
    """Whether people settled the abstained pairs that the policy sends to them."""
    if policy.abstain_path is None:
        return None
    wanted = wanted_from_people(policy, pairs, policy_digest)
    settled = sum(pair["human"] is not None for pair in wanted)
    short = settled < len(wanted)
    result, why, missing, owner = GateResult.PASS, "", "", ""
    if not pairs:
        result, why = GateResult.TOO_FEW, "there is no such pair"
        missing, owner = "a run with pairs", "run"
    elif all(pair["verdict"] == _INVALID for pair in pairs):
        result, why = GateResult.TOO_FEW, "no pair got a verdict"
        missing, owner = "pairs with a verdict", "run"
    elif short:
        result, owner = GateResult.NOT_SHOWN, "abstains"
        missing = f"labels of {len(wanted) - settled} pairs that the judge abstained on"
    return Condition(
        key="abstainPath",
        result=result,
        value=None if why else float(settled),
        numerator=None if why else settled,
        n=len(wanted),
        bound=None if why else float(settled),
        limit=policy.abstain_path.value,
        side=Side.AT_LEAST,
        why=why,
        missing=missing,
        owner=owner,
        names=tuple(_cases(pair for pair in wanted if pair["human"] is None)),
    )
