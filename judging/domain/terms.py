"""The judge's vocabulary: closed lists that code, database and reports share."""

from __future__ import annotations

from enum import StrEnum


class JudgeOutcome(StrEnum):
    """What a judge's call, order or case came to: an outcome, or invalid."""

    BASELINE = "baseline"
    CANDIDATE = "candidate"
    TIE = "tie"
    ABSTAIN = "abstain"
    INVALID = "invalid"

    @property
    def is_decisive(self) -> bool:
        """Whether one system was preferred."""
        return self in (JudgeOutcome.BASELINE, JudgeOutcome.CANDIDATE)


class InvalidReason(StrEnum):
    """Why a call gave no outcome. Never a tie, never dropped, always counted."""

    UNPARSED = "unparsed"
    OFF_MENU = "off_menu"
    CONFLICTING = "conflicting"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    FILTERED = "filtered"
    EMPTY = "empty"
    TOO_LONG = "too_long"
    PROVIDER_ERROR = "provider_error"
    TIMEOUT = "timeout"
    INVALID_IN_FILE = "invalid_in_file"
    NO_QUORUM = "no_quorum"


class Consistency(StrEnum):
    """How a pair's two order outcomes relate."""

    CONSISTENT = "consistent"
    FLIP = "flip"
    TIE_TRANSITION = "tie_transition"
    ABSTAIN_TRANSITION = "abstain_transition"
    INVALID = "invalid"


class TieSource(StrEnum):
    """Where a tie verdict came from."""

    STATED = "stated"
    TRANSITION = "transition"
    FLIP = "flip"


class CombiningRule(StrEnum):
    """How two order outcomes become one case verdict; part of the frozen config."""

    AGREE_ELSE_TIE = "agree_else_tie"
    AGREE_ELSE_ABSTAIN = "agree_else_abstain"
    MEAN_STRENGTH = "mean_strength"


class RepeatRule(StrEnum):
    """How the repeats of one order become its outcome; part of the frozen config."""

    MEAN = "mean"
    MAJORITY = "majority"
