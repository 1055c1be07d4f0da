"""Short names for what a format may read."""

from __future__ import annotations

from annotation.domain.outcomes import SlotChoice
from judging.domain.formats.registry import get_format
from judging.domain.verdicts import Invalid, Verdict

SHORT = {
    SlotChoice.FIRST: "first",
    SlotChoice.SECOND: "second",
    SlotChoice.TIE: "tie",
    SlotChoice.ABSTAIN: "abstain",
}


def read(name: str, text: str, *, offers_abstain: bool = True) -> str:
    """Read a reply and give the choice ("first+" when strong) or the reason."""
    reading = get_format(name).read(text, offers_abstain=offers_abstain)
    if isinstance(reading, Invalid):
        return str(reading.reason)
    return SHORT[reading.choice] + ("+" if reading.strength == 2 else "")


def verdict(name: str, text: str, *, offers_abstain: bool = True) -> Verdict:
    """Read a reply that must hold a verdict."""
    reading = get_format(name).read(text, offers_abstain=offers_abstain)
    assert isinstance(reading, Verdict), reading
    return reading


def span_text(reading: Verdict, text: str) -> str:
    """Give the part of a reply where its verdict stands."""
    assert reading.span is not None
    start, end = reading.span
    return text[start:end]
