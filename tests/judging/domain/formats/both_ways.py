"""The same text for either response as the winner.

A reading that depends on which response won would plant a preference for a slot. So
each text is made twice, with the names exchanged, and both must come out alike.
"""

from __future__ import annotations

from judging.domain.formats.registry import get_format
from judging.domain.verdicts import Verdict

WINNERS = ("A", "B")
CHOICES = {"A": "first", "B": "second"}
VERDICTS = {
    "five_token": {"A": "[[A>B]]", "B": "[[B>A]]"},
    "ab_bracket": {"A": "[[A]]", "B": "[[B]]"},
    "choice_123": {"A": "1", "B": "2"},
    "output_ab": {"A": "Output (a)", "B": "Output (b)"},
    "json_winner": {"A": "A", "B": "B"},
}
# How replies in a notation call the responses.
_NAMES = {
    "choice_123": {"A": "1", "B": "2"},
    "output_ab": {"A": "(a)", "B": "(b)"},
}
BRACKETS = ("five_token", "ab_bracket")
LAST_LINES = ("choice_123", "output_ab")


def filled(name: str, text: str, winner: str) -> str:
    """Write a verdict for one response, and both names, into a text."""
    other = "B" if winner == "A" else "A"
    names = _NAMES.get(name, {"A": "A", "B": "B"})
    parts = {
        "{V}": VERDICTS[name][winner],
        "{X}": names[winner],
        "{Y}": names[other],
        "{N}": winner,
        "{M}": other,
    }
    for part, word in parts.items():
        text = text.replace(part, word)
    return text


def reads(name: str, text: str) -> list[str]:
    """Read a text for either winner; a verdict for that one is ``read``."""
    found = []
    for winner in WINNERS:
        reading = get_format(name).read(filled(name, text, winner), offers_abstain=True)
        if not isinstance(reading, Verdict):
            found.append(str(reading.reason))
        else:
            found.append("read" if reading.choice == CHOICES[winner] else "WRONG")
    return found
