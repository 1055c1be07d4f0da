"""How one recorded reply is read: its text, or the choice that came with the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.domain.outcomes import SlotChoice
from judging.domain.ports import RawReply
from judging.domain.readings import reading_of
from judging.domain.terms import CombiningRule, InvalidReason
from judging.domain.verdicts import Invalid, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from annotation.domain.records import VerdictRecord
    from judging.domain.formats.base import VerdictFormat
    from judging.domain.verdicts import Reading

STORED_INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class RecordedPlan:
    """How a file of verdicts is to be read; ``regex`` needs ``format_options``."""

    judge: str
    verdict_format: str
    combining_rule: CombiningRule = CombiningRule.AGREE_ELSE_TIE
    use_choice: bool = False
    offers_abstain: bool = True
    format_options: Mapping[str, object] | None = None


def reading_of_record(
    record: VerdictRecord, fmt: VerdictFormat, plan: RecordedPlan
) -> Reading:
    """Read the text, or take the stored choice; an empty reply is neither's tie."""
    if record.raw is not None and not record.raw.strip():
        return Invalid(InvalidReason.EMPTY, "the recorded reply is empty")
    if not plan.use_choice:
        return _read(record.raw or "", fmt, plan)
    if record.choice == STORED_INVALID:
        return Invalid(InvalidReason.INVALID_IN_FILE, "recorded as invalid")
    return Verdict(SlotChoice(str(record.choice)))


def _read(text: str, fmt: VerdictFormat, plan: RecordedPlan) -> Reading:
    """Read a recorded text by the very rules of a live reply that ended by itself."""
    reply = RawReply(text=text, body="", finish_reason="stop")
    return reading_of(reply, fmt, offers_abstain=plan.offers_abstain)


def contradicting(
    read: Sequence[tuple[VerdictRecord, Reading]],
    fmt: VerdictFormat,
    plan: RecordedPlan,
) -> int:
    """Count stored choices that the text, as the format reads it, says otherwise."""
    counted = 0
    for record, reading in read:
        if record.raw is None or record.choice is None:
            continue
        stored = None if record.choice == STORED_INVALID else record.choice
        if not plan.use_choice:  # the text was read, and stands
            text = reading.choice if isinstance(reading, Verdict) else None
            counted += text != stored
            continue
        found = _read(record.raw, fmt, plan)
        if isinstance(found, Verdict):
            counted += found.choice != stored
        else:
            counted += isinstance(reading, Invalid) and stored is not None
    return counted
