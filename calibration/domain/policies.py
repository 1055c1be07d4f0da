"""Release policies: read strictly, so that nothing stands in one that is not applied.

An unknown key, a metric that does not exist, a value of another type, NaN or a limit
out of its range is a fault that names its key. A limit of 0 or 1 is out of range: no
data could ever show the one, and the other would ask for nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from annotation.domain.strict_json import BrokenJson, decode, flaws, text_flaw
from calibration.domain.policy_keys import (
    BY_NAME,
    KEYS,
    LARGEST_WHOLE,
    LONGEST_TEXT,
    AbstainPath,
    Disposition,
    Key,
    Kind,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

SAMPLE_SHARE = 0.2
MOST_SLICES = 100
NO_JUDGE_LIMIT = (
    "It sets no limit for the judge on held-out pairs (minimumHeldOutAgreement, "
    "maximumFalseCandidateWinRate): unless the gold set's own plan of looks does, "
    "nothing shows that the judge may be trusted, and nothing ships."
)


class PolicyFault(ValueError):
    """What is wrong with a policy, by key; the key is empty for the whole of it."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        self.faults = dict(faults)
        super().__init__("; ".join(_worded(self.faults)))


def _worded(faults: Mapping[str, str]) -> Iterator[str]:
    for key, fault in faults.items():
        yield f"{key}: {fault}" if key else fault


@dataclass(frozen=True, slots=True)
class Policy:
    """A release rule. A limit that is None was not set, and asks for nothing.

    ``slice_minimums`` is a number for every slice, or one for each slice named.
    ``document`` is the policy as it was given: what its digest is taken of.
    """

    label: str
    preference: float
    flip_rate: float
    invalid_rate: float
    agreement: float | None
    false_candidate_wins: float | None
    corrected_net: float | None
    slot_balance: bool
    critical_named: bool
    cases: int | None
    slice_minimums: int | Mapping[str, int] | None
    undecided: Disposition
    abstain_path: AbstainPath | None
    abstain_share: float
    owners: Mapping[str, str]
    document: Mapping[str, Any]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Why nothing could be shipped under it, where that is plain beforehand."""
        if self.agreement is None and self.false_candidate_wins is None:
            return (NO_JUDGE_LIMIT,)
        return ()


def read_policy(text: str) -> Policy:
    """Read the text of a policy file; raises ``PolicyFault``."""
    try:
        found = decode(text.removeprefix("\ufeff"))
    except BrokenJson as error:
        place = f"line {error.line}, column {error.column}"
        raise PolicyFault({"": f"This is no JSON: {error.reason} ({place})."}) from None
    bad = dict(flaws(found))
    if bad:
        raise PolicyFault(bad)
    return policy_of(found)


def policy_of(document: object) -> Policy:
    """Check a policy that is plain data already; raises ``PolicyFault``."""
    if not isinstance(document, dict):
        raise PolicyFault({"": "A policy is one JSON object."})
    strays = [str(key) for key in document if key not in BY_NAME]
    faults = dict.fromkeys(strays, "there is no such key")
    for key in KEYS:
        if fault := _fault(key, document):
            faults[key.name] = fault
    faults |= {} if faults else _contradictions(document)
    if faults:
        raise PolicyFault(faults)
    return _made(document)


def _made(given: dict[str, Any]) -> Policy:
    path = given.get("abstainPath")
    return Policy(
        label=given["policyLabel"].strip(),
        preference=float(given["minimumCandidatePreferenceLowerBound"]),
        flip_rate=float(given["maximumSwapFlipRate"]),
        invalid_rate=float(given["maximumInvalidJudgeRate"]),
        agreement=given.get("minimumHeldOutAgreement"),
        false_candidate_wins=given.get("maximumFalseCandidateWinRate"),
        corrected_net=given.get("minimumCorrectedNetLowerBound"),
        slot_balance="slotBalance" in given,
        critical_named="criticalSliceRule" in given,
        cases=given.get("minimumCases"),
        slice_minimums=given.get("minimumCasesPerSlice"),
        undecided=Disposition(
            given.get("wideIntervalDisposition", Disposition.HUMAN_REVIEW)
        ),
        abstain_path=AbstainPath(path) if path else None,
        abstain_share=given.get("abstainSampleShare", SAMPLE_SHARE),
        owners=given.get("evidenceOwners", {}),
        document=given,
    )


def _contradictions(given: Mapping[str, Any]) -> dict[str, str]:
    sampled = given.get("abstainPath") == AbstainPath.REVIEW_SAMPLE
    if "abstainSampleShare" in given and not sampled:
        return {"abstainSampleShare": "only with the abstainPath review-sample"}
    return {}


def _fault(key: Key, document: Mapping[str, Any]) -> str:
    if key.name not in document:
        return "is missing" if key.required else ""
    return _CHECKS[key.kind](key, document[key.name])


def _text(_key: Key, value: object) -> str:
    if not isinstance(value, str):
        return "must be a text"
    if not value.strip() or len(value) > LONGEST_TEXT or not value.isprintable():
        return f"must be 1 to {LONGEST_TEXT} visible characters"
    return text_flaw(value) or ""


def _choice(key: Key, value: object) -> str:
    if isinstance(value, str) and value in key.choices:
        return ""
    return f"must be {' or '.join(key.choices)}"


def _number(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "must be a number"
    return "" if isfinite(value) else "must be a finite number"


def _share(_key: Key, value: Any) -> str:
    fault = _number(value)
    if not fault and not 0 < value < 1:
        return "must lie between 0 and 1, both excluded"
    return fault


def _net(_key: Key, value: Any) -> str:
    fault = _number(value)
    if not fault and not -1 <= value < 1:
        return "must lie between -1 and 1, the latter excluded"
    return fault


def _whole(_key: Key, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int):
        return "must be a whole number"
    if not 1 <= value <= LARGEST_WHOLE:
        return f"must be 1 to {LARGEST_WHOLE}"
    return ""


def _wholes(key: Key, value: Any) -> str:
    if not isinstance(value, dict):
        return _whole(key, value)
    if not 1 <= len(value) <= MOST_SLICES:
        return f"must name 1 to {MOST_SLICES} slices"
    for name, least in value.items():
        if fault := _text(key, name) or _whole(key, least):
            return f"{name!r} {fault}"
    return ""


def _texts(key: Key, value: object) -> str:
    if not isinstance(value, dict):
        return "must be an object"
    for name, text in value.items():
        if name not in key.choices:
            return f"{name!r} is none of {', '.join(key.choices)}"
        if fault := _text(key, text):
            return f"{name} {fault}"
    return ""


_CHECKS: dict[Kind, Callable[[Key, Any], str]] = {
    Kind.TEXT: _text,
    Kind.CHOICE: _choice,
    Kind.SHARE: _share,
    Kind.NET: _net,
    Kind.WHOLE: _whole,
    Kind.WHOLES: _wholes,
    Kind.TEXTS: _texts,
}
