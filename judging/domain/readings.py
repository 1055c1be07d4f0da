"""From a raw reply to a reading: a verdict, or why there is none.

What the provider said about its own reply (refused, filtered, cut off) comes before
anything in the text, so that a token in half an answer never becomes a verdict. The
model's reasoning channel is never searched (DESIGN rule 18).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from judging.domain.formats.base import MIXED_STRENGTH
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid, Reading, Verdict

if TYPE_CHECKING:
    from judging.domain.ports import RawReply

NO_FINISH_REASON = "no_finish_reason"
ODD_FINISH_REASON = "odd_finish_reason"
SEVERAL_CHOICES = "several_choices"
SEVERAL_SAY_OTHERWISE = "the provider sent several choices, which say different things"

# What providers call the end of a reply, in lower case and without its enum's name.
_WHOLE = frozenset(
    {
        "stop",
        "eos",
        "eos_token",
        "stop_sequence",
        "stop_token",
        "end",
        "end_turn",
        "end_of_turn",
        "complete",
        "completed",
        "finished",
        "finish",
        "done",
        "success",
        "tool_calls",
        "tool_use",
        "function_call",
    }
)
_FILTERED = frozenset(
    {
        "content_filter",
        "content_filtered",
        "contentfilter",
        "safety",
        "prohibited_content",
        "blocklist",
        "recitation",
        "spii",
        "language",
        "image_safety",
        "guardrail",
        "guardrail_intervened",
        "moderation",
        "moderated",
        "blocked",
        "flagged",
        "sensitive",
    }
)
_REFUSED = frozenset({"refusal", "refused"})
_CUT_OFF = frozenset(
    {
        "length",
        "max_tokens",
        "max_output_tokens",
        "max_length",
        "model_length",
        "token_limit",
        "model_context_window_exceeded",
        "context_length",
        "abort",
        "aborted",
        "cancelled",
        "canceled",
        "interrupted",
        "error",
        "timeout",
        "insufficient_system_resource",
        "pause_turn",
    }
)


class Reads(Protocol):
    """A verdict format, as far as reading a reply is concerned."""

    def read(self, text: str, *, offers_abstain: bool) -> Reading:
        """Find the verdict in the place where the format declares it."""
        ...


def reading_of(reply: RawReply, fmt: Reads, *, offers_abstain: bool) -> Reading:
    """Read the verdict of one reply.

    In order: a stated refusal is ``refused``; a filtered reply ``filtered``; a reply
    cut off by the token limit ``truncated``, with or without a verdict in it; a reply
    without visible text ``empty``; anything else is what ``fmt`` reads, which tells a
    refusal in words from a missing verdict. A verdict without a finish reason is kept
    and flagged ``no_finish_reason``, with an unknown one ``odd_finish_reason``.
    Where the provider sent several choices, all that say something must say the same:
    that is flagged, anything else ``conflicting``.
    """
    reading = _read_one(reply, fmt, offers_abstain)
    if isinstance(reading, Invalid):
        return reading
    for other in _read_others(reply, fmt, offers_abstain):
        if other.choice != reading.choice:
            return Invalid(InvalidReason.CONFLICTING, SEVERAL_SAY_OTHERWISE)
        if other.strength != reading.strength:
            flags = tuple(dict.fromkeys((*reading.flags, MIXED_STRENGTH)))
            reading = replace(reading, strength=1, flags=flags)
    if reply.others:
        return replace(reading, flags=(*reading.flags, SEVERAL_CHOICES))
    return reading


def _read_others(reply: RawReply, fmt: Reads, offers_abstain: bool) -> list[Verdict]:  # noqa: FBT001 - as it came
    found = [fmt.read(text, offers_abstain=offers_abstain) for text in reply.others]
    return [each for each in found if isinstance(each, Verdict)]


def _read_one(reply: RawReply, fmt: Reads, offers_abstain: bool) -> Reading:  # noqa: FBT001 - as it came
    stated = no_answer(reply)
    if stated is not None:
        return stated
    reading = fmt.read(reply.text or "", offers_abstain=offers_abstain)
    if isinstance(reading, Invalid):
        return reading
    return replace(reading, flags=(*reading.flags, *finish_flags(reply)))


def finish_flags(reply: RawReply) -> tuple[str, ...]:
    """Flag a reply that doesn't say how it ended, or says it in words unknown here."""
    finish = _finish(reply)
    if finish is None:
        return (NO_FINISH_REASON,)
    return () if finish in _WHOLE else (ODD_FINISH_REASON,)


def _finish(reply: RawReply) -> str | None:
    stated = (reply.finish_reason or "").strip().lower()
    return stated.removeprefix("finish_reason_") or None


def no_answer(reply: RawReply) -> Invalid | None:
    """Say why a reply is no answer at all, by what the provider said about it."""
    finish = _finish(reply) or ""
    if (reply.refusal or "").strip() or finish in _REFUSED:
        return Invalid(InvalidReason.REFUSED, "the provider marked a refusal")
    if finish in _FILTERED:
        return Invalid(InvalidReason.FILTERED, f"finish reason {finish}")
    if finish in _CUT_OFF:
        return Invalid(InvalidReason.TRUNCATED, _cut_off_detail(reply))
    if not (reply.text or "").strip():
        return Invalid(InvalidReason.EMPTY, _empty_detail(reply))
    return None


def _cut_off_detail(reply: RawReply) -> str:
    detail = f"finish reason {reply.finish_reason}: the output limit was reached"
    if (reply.text or "").strip():
        return detail
    return f"{detail} before any visible text; raise the token limit"


def _empty_detail(reply: RawReply) -> str:
    if reply.tool_calls:
        return "a tool call instead of text"
    return "reasoning but no visible text" if reply.reasoning else "no text"
