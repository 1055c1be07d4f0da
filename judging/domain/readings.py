"""From a raw reply to a reading: a verdict, or why there is none.

What the provider said about its own reply (refused, filtered, cut off) comes before
anything in the text, so that a token in half an answer never becomes a verdict. The
model's reasoning channel is never searched (DESIGN rule 18).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from judging.domain.formats.base import MIXED_STRENGTH
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid, Reading, Verdict

if TYPE_CHECKING:
    from judging.domain.ports import RawReply

NO_FINISH_REASON = "no_finish_reason"
SEVERAL_CHOICES = "several_choices"
SEVERAL_SAY_OTHERWISE = "the provider sent several choices, which say different things"

_FILTERED = frozenset({"content_filter", "safety", "prohibited_content", "blocklist"})
_CUT_OFF = frozenset({"length", "max_tokens", "model_length", "abort"})

# A refusal that closes the reply: an optional apology, then "I can't / cannot / won't /
# am unable to", then one of a few verbs that decline the task itself. "I cannot decide"
# and "I can't help but prefer A" are none. Nothing that could belong to a quotation, a
# JSON string or a verdict token may follow.
_REFUSAL = (
    r"(?:(?:i'?m|i am)\s+(?:very |so |really )?sorry|sorry|i apologi[sz]e|"
    r"unfortunately|as an ai(?: \w+){0,3})?[\s,.;:-]*(?:but\s+)?"
    r"i(?:'m| am)?\s*(?:can't|cannot|can not|won't|will not|unable to|not able to|"
    r"must decline to|have to decline to)\s+"
    r"(?:assist|help(?! but)|comply|engage|participate|fulfil+|continue with|"
    r"process|support|take part|discuss)\b"
)
_TAIL = 1000
_ENDS_IN_REFUSAL = re.compile(
    rf"(?:^|[.!?)][ \t]+|\n)[ \t*_]*{_REFUSAL}[^\"{{}}\[\]]*$", re.IGNORECASE
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
    without visible text ``empty``; anything else is what ``fmt`` reads (which tells a
    refusal in words from a missing verdict), unless the reply closes with a refusal
    after the verdict, which is ``refused``. A verdict without a finish reason is kept
    and flagged ``no_finish_reason``. Where the provider sent several choices, all that
    say something must say the same: that is flagged, anything else ``conflicting``.
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
    text = reply.text or ""
    reading = fmt.read(text, offers_abstain=offers_abstain)
    if isinstance(reading, Invalid):
        return reading
    if taken_back(text, reading.span):
        return Invalid(InvalidReason.REFUSED, "the reply ends by declining the task")
    if reply.finish_reason is None:
        return replace(reading, flags=(*reading.flags, NO_FINISH_REASON))
    return reading


def no_answer(reply: RawReply) -> Invalid | None:
    """Say why a reply is no answer at all, by what the provider said about it."""
    finish = (reply.finish_reason or "").lower()
    if (reply.refusal or "").strip():
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


def taken_back(text: str, span: tuple[int, int] | None) -> bool:
    """Whether the reply ends by declining the task after what was read at ``span``.

    The token before it is then an echo of the instructions, or was taken back.
    """
    if span is None:
        return False
    tail = text[span[1] :][-_TAIL:].replace("\u2019", "'")
    return _ENDS_IN_REFUSAL.search(tail) is not None
