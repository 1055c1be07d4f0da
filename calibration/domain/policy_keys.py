"""The keys of a release policy: what each may hold, and what it means.

This table is the one place that knows them: reading, the published JSON schema and the
documentation follow from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SCHEMA = "evenhand.policy/1"
LONGEST_TEXT = 200
LARGEST_WHOLE = 1_000_000_000


class Kind(StrEnum):
    """What a key holds. A share lies between 0 and 1, both excluded."""

    TEXT = "text"
    CHOICE = "choice"
    SHARE = "share"
    NET = "net"
    WHOLE = "whole"
    WHOLES = "whole_or_by_slice"
    TEXTS = "texts"


class Disposition(StrEnum):
    """What becomes of a release that is neither proved good nor proved bad."""

    HUMAN_REVIEW = "human-review"
    HOLD = "hold"


class AbstainPath(StrEnum):
    """Where pairs go on which the judge abstained."""

    REVIEW_SAMPLE = "review-sample"
    MANDATORY_HUMAN = "mandatory-human"


CRITICAL_RULE = "no-new-critical-regressions"
EQUAL_CALLS = "equal-calls"
OWNERS = ("run", "calibration", "cases", "abstains", "critical", "policy")


@dataclass(frozen=True, slots=True)
class Key:
    """One key: its name as in the file, what it holds, and what it means."""

    name: str
    kind: Kind
    meaning: str
    required: bool = False
    choices: tuple[str, ...] = ()


KEYS = (
    Key("schema", Kind.CHOICE, "The version of this format.", choices=(SCHEMA,)),
    Key("policyLabel", Kind.TEXT, "What the policy is called.", required=True),
    Key(
        "minimumCandidatePreferenceLowerBound",
        Kind.SHARE,
        "The candidate's share of decisive pairs: its one-sided 95 % lower bound.",
        required=True,
    ),
    Key(
        "maximumSwapFlipRate",
        Kind.SHARE,
        "Flips, of pairs usable in both orders: the upper bound.",
        required=True,
    ),
    Key(
        "maximumInvalidJudgeRate",
        Kind.SHARE,
        "Invalid pairs, of all pairs: the upper bound.",
        required=True,
    ),
    Key(
        "minimumHeldOutAgreement",
        Kind.SHARE,
        "The judge's agreement with gold on held-out pairs: the lower bound.",
    ),
    Key(
        "maximumFalseCandidateWinRate",
        Kind.SHARE,
        "False candidate wins, of held-out pairs with gold baseline: the upper bound.",
    ),
    Key(
        "minimumCorrectedNetLowerBound",
        Kind.NET,
        "Net preference corrected for the judge's errors: the lower bound.",
    ),
    Key(
        "slotBalance",
        Kind.CHOICE,
        "As many calls with the baseline first as with the candidate first, by pair.",
        choices=(EQUAL_CALLS,),
    ),
    Key(
        "criticalSliceRule",
        Kind.CHOICE,
        "No critical pair goes to the baseline. It holds also where it is not named; "
        "named, it asks for critical pairs too.",
        choices=(CRITICAL_RULE,),
    ),
    Key("minimumCases", Kind.WHOLE, "Cases with a verdict, over all."),
    Key(
        "minimumCasesPerSlice",
        Kind.WHOLES,
        "Cases with a verdict in each value of every slice, or of the slices named.",
    ),
    Key(
        "wideIntervalDisposition",
        Kind.CHOICE,
        "What becomes of it where no condition fails and not all pass.",
        choices=tuple(each.value for each in Disposition),
    ),
    Key(
        "abstainPath",
        Kind.CHOICE,
        "Which pairs that the judge abstained on people have to settle first.",
        choices=tuple(each.value for each in AbstainPath),
    ),
    Key(
        "abstainSampleShare",
        Kind.SHARE,
        "How many of them, where the path is a sample (0.2).",
    ),
    Key(
        "evidenceOwners",
        Kind.TEXTS,
        "Who is to bring evidence that is missing, by what it is.",
        choices=OWNERS,
    ),
)
BY_NAME = {key.name: key for key in KEYS}


def json_schema() -> dict[str, object]:
    """The published JSON schema of a policy file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA,
        "title": "Evenhand release policy",
        "type": "object",
        "additionalProperties": False,
        "required": [key.name for key in KEYS if key.required],
        "properties": {key.name: _schema_of(key) for key in KEYS},
        "dependentSchemas": {
            "abstainSampleShare": {
                "required": ["abstainPath"],
                "properties": {
                    "abstainPath": {"const": AbstainPath.REVIEW_SAMPLE.value}
                },
            }
        },
    }


def _schema_of(key: Key) -> dict[str, object]:
    whole = {"type": "integer", "minimum": 1, "maximum": LARGEST_WHOLE}
    text = {"type": "string", "minLength": 1, "maxLength": LONGEST_TEXT}
    shapes: dict[Kind, dict[str, object]] = {
        Kind.TEXT: dict(text),
        Kind.CHOICE: {"enum": list(key.choices)},
        Kind.SHARE: {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        Kind.NET: {"type": "number", "minimum": -1, "exclusiveMaximum": 1},
        Kind.WHOLE: dict(whole),
        Kind.WHOLES: {
            "oneOf": [
                whole,
                {"type": "object", "minProperties": 1, "additionalProperties": whole},
            ]
        },
        Kind.TEXTS: {
            "type": "object",
            "additionalProperties": False,
            "properties": dict.fromkeys(key.choices, text),
        },
    }
    return {"description": key.meaning, **shapes[key.kind]}
