"""Decisions in words: one sentence a condition, and who brings what is missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calibration.presenters.figures import count_text, percent_number, rounded
from calibration.presenters.unjudged_texts import every_pair_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Stored = Mapping[str, Any]

RESULTS = {"ship": "Ship", "hold": "Hold", "human_review": "Human review"}
MEANING = {
    "ship": "Every condition of the policy is met.",
    "hold": "At least one condition is shown to be broken.",
    "human_review": "No condition is shown to be broken, but not all are met.",
}
OPEN_AND_HELD = "Not all conditions are met, and the policy then holds the release."
OUTCOMES = {
    "pass": "pass",
    "fail": "fail",
    "not_shown": "not shown",
    "too_few": "too few",
}
LABELS = {
    "minimumCandidatePreferenceLowerBound": "Candidate preference",
    "maximumSwapFlipRate": "Flips when slots swap",
    "maximumInvalidJudgeRate": "Invalid pairs",
    "everyPairJudged": "Pairs judged",
    "slotBalance": "Slot balance",
    "minimumCases": "Cases over all",
    "minimumCasesPerSlice": "Cases in each slice",
    "criticalSliceRule": "Critical cases",
    "abstainPath": "Abstained pairs",
    "minimumCorrectedNetLowerBound": "Corrected preference",
    "minimumHeldOutAgreement": "The judge's agreement with gold",
    "maximumFalseCandidateWinRate": "The judge's false candidate wins",
    "judgeCalibration": "Calibration of the judge",
}
_RATES = {
    "minimumCandidatePreferenceLowerBound": ("The candidate won", "decisive pairs"),
    "maximumSwapFlipRate": ("The judge turned round on", "pairs usable in both orders"),
    "maximumInvalidJudgeRate": ("The judge gave no verdict on", "pairs"),
    "minimumHeldOutAgreement": ("The judge agreed with", "held-out pairs with gold"),
    "maximumFalseCandidateWinRate": (
        "The judge gave the candidate",
        "held-out pairs that people gave the baseline",
    ),
}
MOST_NAMES = 8


@dataclass(frozen=True, slots=True)
class ConditionRow:
    """A condition as it is shown."""

    key: str
    label: str
    result: str
    outcome: str
    sentence: str
    value: str
    bound: str
    limit: str
    n: str


def condition_rows(payload: Stored) -> list[ConditionRow]:
    """Every condition, with its one sentence."""
    return [_row(one) for one in payload["conditions"]]


def _row(one: Stored) -> ConditionRow:
    return ConditionRow(
        key=one["key"],
        label=LABELS[one["key"]],
        result=one["result"],
        outcome=OUTCOMES[one["result"]],
        sentence=sentence(one),
        value=_number(one, one["value"]),
        bound=_number(one, one["bound"]),
        limit=_limit(one),
        n=f"{one['n']:,}",
    )


def _number(one: Stored, value: float | None) -> str:
    if value is None:
        return "n/a"
    if one["key"] in _RATES:
        return f"{percent_number(value)} %"
    if one["key"] == "minimumCorrectedNetLowerBound":
        return rounded(value, 3)
    return f"{value:,.0f}"


def _limit(one: Stored) -> str:
    limit = one["limit"]
    if limit is None:
        return "n/a"
    if isinstance(limit, str):
        return limit
    word = "at least" if one["side"] == "at_least" else "at most"
    return f"{word} {_asked(one)}"


def _asked(one: Stored) -> str:
    """The limit itself, as exact as it was written."""
    if one["key"] in _RATES:
        return f"{100 * one['limit']:.10g} %"
    return f"{one['limit']:.10g}"


def sentence(one: Stored) -> str:
    """Explain one condition in one sentence."""
    made = _SENTENCES.get(one["key"], _rate)
    return made(one)


def _rate(one: Stored) -> str:
    if one["value"] is None:
        return _absent(one)
    done, unit = _RATES[one["key"]]
    unit = unit.replace("pairs", "pair", 1) if one["n"] == 1 else unit
    share, limit = f"{percent_number(one['value'])} %", _limit(one)
    bound, sure = _number(one, one["bound"]), f"{100 * one['confidence']:g} %"
    side = "at least" if one["side"] == "at_least" else "at most"
    endings = {
        "pass": f": {side} {bound} with {sure} confidence, where {limit} is asked",
        "fail": f", where {limit} is asked: shown to be broken",
        "not_shown": (
            f": only {side} {bound} is shown with {sure} confidence, where {limit} is "
            "asked"
        ),
        "too_few": f": so few that even a perfect record could not show {limit}",
    }
    if one["why"]:
        endings["too_few"] = f"; {one['why']}"
    count = f"{done} {one['numerator']:,} of {one['n']:,} {unit}, {share}"
    return f"{count}{endings[one['result']]}."


def _absent(one: Stored) -> str:
    """A value that is not there never passes, except by the word of a sealed look."""
    if one["result"] == "pass":
        return (
            f"The sealed look passed the judge, and its plan asks for {_limit(one)} or "
            "more strictly."
        )
    return f"There is no value, since {one['why']}."


def _slots(one: Stored) -> str:
    if one["value"] is None:
        return _absent(one)
    pairs = count_text(one["n"], "pair")
    if not one["numerator"]:
        if one["n"] == 1:
            return "The only pair has as many calls in one order as in the other."
        return f"All {pairs} have as many calls in one order as in the other."
    return (
        f"{one['numerator']:,} of {pairs} have more calls in one order than the other."
    )


def _cases(one: Stored) -> str:
    found = count_text(one["numerator"] or 0, "case")
    return f"{found} got a verdict, where {_limit(one)} are asked for."


def _slices(one: Stored) -> str:
    if not one["names"]:
        if one["why"]:
            return f"There is no value, since {one['why']}."
        return f"In the smallest slice {_cases(one)}"
    absent = [name for name in one["names"] if "=" not in name]
    if absent:
        slices = "slice" if len(absent) == 1 else "slices"
        told = f"No case of the run has the {slices} {_listed(absent)}"
        small = [name for name in one["names"] if name not in absent]
        also = f"; too few got a verdict in {_listed(small)}" if small else ""
        return f"{told}{also}; {_asked(one)} are asked for."
    names = _listed(one["names"])
    return f"Too few cases got a verdict in {names}; {_asked(one)} are asked for."


def _critical(one: Stored) -> str:
    skipped = one.get("unjudged", ())
    beside = f" The run did not judge {_listed(skipped)}." if skipped else ""
    return f"{_judged_critical(one)}{beside}"


def _judged_critical(one: Stored) -> str:
    if one["value"] is None:
        return _absent(one)
    n, bad = count_text(one["n"], "critical case"), _speak(one["numerator"])
    waived = f", lifted by waivers: {_listed(one['waived'])}" if one["waived"] else ""
    if not one["names"]:
        return f"Of {n}, {bad} against the candidate{waived}."
    names = _listed(one["names"])
    if one["result"] == "fail":
        return f"Of {n}, {bad} against the candidate ({names}{waived})."
    return (
        f"Of {n}, {bad} against the candidate{waived}; neither judge nor people "
        f"settled {names}."
    )


def _speak(count: int) -> str:
    return f"{count:,} speaks" if count == 1 else f"{count:,} speak"


def _abstains(one: Stored) -> str:
    if one["value"] is None:
        return _absent(one)
    if not one["n"]:
        return "The judge abstained on no pair that the policy sends to people."
    settled = f"{one['numerator']:,} of {count_text(one['n'], 'abstained pair')}"
    return f"People settled {settled} that the policy sends to them."


def _net(one: Stored) -> str:
    if one["value"] is None:
        return _absent(one)
    value, bound = rounded(one["value"], 3), rounded(one["bound"], 3)
    word = "is shown" if one["result"] == "pass" else "alone is shown"
    return (
        f"Corrected for the judge's errors the net preference is {value}, of which at "
        f"least {bound} {word}, where {_limit(one)} is asked."
    )


def _health(one: Stored) -> str:
    if one["value"] is None:
        return _absent(one)
    kept = f"{one['numerator']:,} of {count_text(one['n'], 'limit')}"
    if one["result"] == "pass":
        return f"The judge keeps all of its limits on held-out pairs ({kept})."
    names = _listed([LABELS.get(name, name.replace("_", " ")) for name in one["names"]])
    because = f", since {one['why']}" if one["why"] else ""
    return (
        f"The judge is shown to keep {kept} on held-out pairs; not: {names}{because}."
    )


_SENTENCES: dict[str, Callable[[Stored], str]] = {
    "everyPairJudged": every_pair_text,
    "slotBalance": _slots,
    "minimumCases": _cases,
    "minimumCasesPerSlice": _slices,
    "criticalSliceRule": _critical,
    "abstainPath": _abstains,
    "minimumCorrectedNetLowerBound": _net,
    "judgeCalibration": _health,
}


def _listed(names: Iterable[str]) -> str:
    every = list(names)
    more = len(every) - MOST_NAMES
    shown = ", ".join(every[:MOST_NAMES])
    return f"{shown} and {more} more" if more > 0 else shown


def result_text(payload: Stored) -> str:
    """The decision in one sentence."""
    result = payload["result"]
    failed = any(one["result"] == "fail" for one in payload["conditions"])
    meaning = OPEN_AND_HELD if result == "hold" and not failed else MEANING[result]
    return f"{RESULTS[result]}: {meaning[0].lower()}{meaning[1:]}"


def missing_rows(payload: Stored) -> list[tuple[str, str, str]]:
    """What is missing, who brings it, and for which condition."""
    return [
        (one["what"], one["owner"], LABELS[one["condition"]])
        for one in payload["missing"]
    ]
