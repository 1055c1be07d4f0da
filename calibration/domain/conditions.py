"""The conditions of a release: each by itself, no average (DESIGN rules 23 to 25).

A missing or undefined value never passes. Bounds are one-sided Clopper-Pearson at 95 %,
on effective counts where pairs are clustered. Where every pair of a clustered sample
says the same, nothing tells how alike a cluster's pairs are, so that each cluster then
counts as one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from annotation.domain.clusters import ROUNDING
from annotation.domain.estimates import Estimate
from calibration.domain.columns import BASELINE, CANDIDATE, TIE
from calibration.domain.correction import correct
from calibration.domain.gates import Count, GateResult, Limit, Side, gate
from calibration.domain.position import flips, usable
from calibration.domain.rates import design_effect
from calibration.domain.release import answered_cases, invalid_pairs, verdict_counts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.domain.columns import Mask
    from calibration.domain.correction import Correction
    from calibration.domain.gates import Gate
    from calibration.domain.policies import Policy
    from calibration.domain.samples import Sample

CONFIDENCE = 0.95
TWO_SIDED = 0.9  # whose lower end is the one-sided 95 % bound
ALONE = (
    "they count as one case: nothing tells how cases of another prompt or group would "
    "come out"
)
OTHERS = "cases of other prompts and groups"
UNDECIDED = "no pair was decided for either system"
UNUSABLE = "no pair got a verdict in both orders"
UNUSABLE_LACKS = "pairs with a verdict in both orders"


@dataclass(frozen=True, slots=True)
class Condition:
    """What one condition came to.

    ``value`` is the plain rate or count, ``n`` what it is of, ``bound`` what was held
    against ``limit``. ``why`` is the reason of a value that is not there, ``missing``
    the evidence that would help and ``owner`` who is to bring it. ``names`` are what it
    fails on or leaves open: case ids, slices, limits; ``waived`` the cases lifted,
    ``unjudged`` the critical cases of the set that the run did not judge.
    """

    key: str
    result: GateResult
    value: float | None
    n: int
    bound: float | None = None
    limit: float | str | None = None
    side: Side | None = None
    numerator: int | None = None
    confidence: float | None = None
    why: str = ""
    missing: str = ""
    owner: str = ""
    names: tuple[str, ...] = ()
    waived: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()


def preference_condition(policy: Policy, sample: Sample) -> Condition:
    """The candidate's share of the decisive pairs."""
    verdict = sample.columns.verdict
    key = "minimumCandidatePreferenceLowerBound"
    count = count_of(sample, verdict == CANDIDATE, verdict < TIE)
    found = rate_condition(key, Side.AT_LEAST, policy.preference, count)
    if count.cases or not len(sample):
        return found
    return replace(found, why=UNDECIDED, missing="pairs that the judge decides")


def flip_condition(policy: Policy, sample: Sample) -> Condition:
    """Flips, of the pairs usable in both orders."""
    key, count = "maximumSwapFlipRate", count_of(sample, flips(sample), usable(sample))
    found = rate_condition(key, Side.AT_MOST, policy.flip_rate, count)
    if count.cases or not len(sample):
        return found
    return replace(found, why=UNUSABLE, missing=UNUSABLE_LACKS)


def invalid_condition(policy: Policy, sample: Sample) -> Condition:
    """Invalid pairs, of all pairs."""
    return rate_condition(
        "maximumInvalidJudgeRate",
        Side.AT_MOST,
        policy.invalid_rate,
        count_of(sample, invalid_pairs(sample), np.ones(len(sample), bool)),
    )


def count_of(sample: Sample, hits: Mask, among: Mask) -> Count:
    """Hits among some pairs, with the design effect that a gate has to allow for."""
    n, found = int(among.sum()), int((hits & among).sum())
    if not n:
        return Count(0, 0)
    clusters = sample.columns.cluster[among]
    return Count(found, n, design_effect(hits[among].astype(float), clusters))


def rate_condition(
    key: str,
    side: Side,
    limit: float,
    count: Count,
    confidence: float = CONFIDENCE,
) -> Condition:
    """Hold a rate against its limit.

    What counts as one case keeps no limit, however loose it is.
    """
    found = _of_gate(gate(Limit(key, side, limit), count, confidence))
    alone = 0 < count.cases <= count.effect + ROUNDING
    if not alone or found.result is GateResult.FAIL:
        return found
    return replace(
        found, result=GateResult.TOO_FEW, why=ALONE, missing=OTHERS, owner="cases"
    )


def _of_gate(found: Gate) -> Condition:
    count = found.count
    value = count.hits / count.cases if count.cases else None
    missing = ""
    if found.result in (GateResult.TOO_FEW, GateResult.NOT_SHOWN):
        missing = "more cases"
    return Condition(
        key=found.limit.name,
        result=found.result,
        value=value,
        n=count.cases,
        bound=found.bound,
        limit=found.limit.value,
        side=found.limit.side,
        numerator=count.hits,
        confidence=found.confidence,
        why="" if count.cases else "there is no such pair",
        missing=missing,
        owner="cases" if missing else "",
    )


def slot_condition(sample: Sample, calls: Mapping[str, tuple[int, int]]) -> Condition:
    """Whether every pair has as many calls in one order as in the other."""
    unequal = sum(there != back for there, back in calls.values())
    result = GateResult.FAIL if unequal else GateResult.PASS
    made = sum(there + back for there, back in calls.values())
    found = Condition(
        key="slotBalance",
        result=result,
        value=float(unequal),
        numerator=unequal,
        n=len(sample),
        bound=float(unequal),
        limit=0.0,
        side=Side.AT_MOST,
    )
    if made:
        return found
    return replace(
        found,
        result=GateResult.TOO_FEW,
        value=None,
        numerator=None,
        bound=None,
        why="there is no call",
        missing="a run with calls",
        owner="run",
    )


def cases_condition(policy: Policy, sample: Sample) -> Condition | None:
    """Whether enough cases have a verdict, over all."""
    if policy.cases is None:
        return None
    n = answered_cases(sample)
    return _enough("minimumCases", n, policy.cases, len(sample))


def _enough(key: str, found: int, least: int, n: int) -> Condition:
    short = found < least
    return Condition(
        key=key,
        result=GateResult.TOO_FEW if short else GateResult.PASS,
        value=float(found),
        numerator=found,
        n=n,
        bound=float(found),
        limit=float(least),
        side=Side.AT_LEAST,
        missing="more cases" if short else "",
        owner="cases" if short else "",
    )


def slices_condition(policy: Policy, sample: Sample) -> Condition | None:
    """Whether enough cases have a verdict in every value of the slices asked for.

    The value is that of the slice with the fewest, against its own minimum. A slice
    that no case has is a slice with none.
    """
    wanted = policy.slice_minimums
    if wanted is None:
        return None
    found = sample.by_slice()
    least = dict.fromkeys(found, wanted) if isinstance(wanted, int) else dict(wanted)
    counts = [
        (answered_cases(part), least[name], f"{name}={value}")
        for name in sorted(least)
        for value, part in sorted(found.get(name, {}).items())
    ]
    counts += [(0, least[name], name) for name in sorted(least) if name not in found]
    if not counts:
        counts = [(0, wanted if isinstance(wanted, int) else 1, "")]
    short = [(n, limit, name) for n, limit, name in counts if n < limit]
    n, limit, _ = min(short or counts)
    why = "there is no slice" if not found and isinstance(wanted, int) else ""
    condition = _enough("minimumCasesPerSlice", n, limit, len(sample))
    names = tuple(name for _, _, name in short if name)
    return replace(condition, why=why, names=names)


def correction_condition(policy: Policy, found: Correction | None) -> Condition | None:
    """The lower bound of the corrected net preference."""
    limit = policy.corrected_net
    if limit is None:
        return None
    blank = Condition(
        key="minimumCorrectedNetLowerBound",
        result=GateResult.NOT_SHOWN,
        value=None,
        n=0,
        limit=limit,
        side=Side.AT_LEAST,
        confidence=CONFIDENCE,
        why="there is no held-out report that shows its counts",
        missing="a calibration report of this judge with held-out pairs",
        owner="calibration",
    )
    if found is None:
        return blank
    if not isinstance(found.net, Estimate) or found.net.low is None:
        reason = getattr(found.net, "reason", "it has no interval")
        missing = "held-out pairs that tell the judge's errors"
        return replace(blank, why=reason, missing=missing)
    net, low, high = found.net, found.net.low, found.net.high
    result = GateResult.PASS if low >= limit else GateResult.NOT_SHOWN
    if high is not None and high < limit:
        result = GateResult.FAIL
    open_ = result is GateResult.NOT_SHOWN
    return replace(
        blank,
        result=result,
        value=net.value,
        n=net.denominator,
        bound=low,
        why="",
        missing="more cases, or more held-out pairs" if open_ else "",
        owner="cases" if open_ else "",
    )


def correction_of(
    sample: Sample, calibration: Mapping[str, Any] | None, level: float
) -> Correction | None:
    """Correct the verdict counts by the held-out confusion, where that is shown."""
    confusion = (calibration or {}).get("confusion")
    if not confusion:
        return None
    names = ("baseline", "candidate", "tie", "abstain", "invalid")
    table = np.array([[confusion[g][v] for v in names] for g in names[: TIE + 1]])
    counts = np.array(verdict_counts(sample), np.float64)
    effect = _effect(sample)
    gold_effect = float((calibration or {}).get("effect") or 1.0)
    return correct(table, counts, level=level, effect=effect, gold_effect=gold_effect)


def _effect(sample: Sample) -> float:
    """Design effect of the candidate's and the baseline's share, the larger."""
    if not len(sample):
        return 1.0
    every = np.ones(len(sample), bool)
    verdict = sample.columns.verdict
    return max(
        count_of(sample, verdict == side, every).effect
        for side in (BASELINE, CANDIDATE)
    )
