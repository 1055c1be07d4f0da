"""The shapes of a line that states a mark: alone, or with its label."""

from __future__ import annotations

import re
from dataclasses import dataclass

from judging.domain.formats.leads_elsewhere import leads_elsewhere

_OPEN = r"(?:#{1,6} +|[-\u2022] +)?[\s*_`\"'(\[{]*"
_SHUT = r"[\s*_`\"')\]}.!]*"
_LABEL = (
    r"(?:(?:my|the|final|overall) +){0,3}"
    r"(?:verdict|result|rating|score|grade|mark|answer|judge?ment|level)"
    r"[\s*_`\"']*(?::|\bis\b:?)[\s*_`\"'(\[]*"
)
# A bare number with a full stop or bracket behind it may open a list item instead.
_SHUT_NUMBER = r"[\s*_`\"'\]}]*"
_NUMBER = r"(?P<token>\d{1,4}(?:\.\d{1,4})?(?: ?/ ?\d{1,4})?)"
_WORD = r"(?P<token>[A-Za-z]{1,14}|N/A)"


@dataclass(frozen=True, slots=True)
class LineShapes:
    """The shapes of a line: the mark alone, and the mark with its label."""

    alone: re.Pattern[str]
    labelled: re.Pattern[str]
    several: re.Pattern[str]
    led: re.Pattern[str]

    def with_label(self, view: str, start: int, end: int) -> re.Match[str] | None:
        """Match a line with its label, in English or in another language."""
        match = self.labelled.fullmatch(view, start, end)
        if match is not None:
            return match
        led = self.led.fullmatch(view, start, end)
        return led if led is not None and leads_elsewhere(led["lead"]) else None


def _lines(token: str, shut: str) -> LineShapes:
    plain = re.sub(r"\?P<\w+>", "?:", token)
    more = rf"(?: *(?:[/,;|]|\bor\b|\band\b) *{plain})+"
    return LineShapes(
        re.compile(rf"{_OPEN}{token}{shut}", re.IGNORECASE),
        re.compile(rf"{_OPEN}{_LABEL}{token}{_SHUT}", re.IGNORECASE),
        re.compile(rf"{_OPEN}(?:{_LABEL})?{plain}{more}{_SHUT}", re.IGNORECASE),
        re.compile(
            rf"{_OPEN}(?P<lead>[^\d\n]{{2,60}}[:\uff1a ])[*_` ]*{token}{_SHUT}",
            re.IGNORECASE,
        ),
    )


WORDS = _lines(_WORD, _SHUT)
NUMBERS = _lines(rf"(?:{_NUMBER}|(?P<word>abstain(?:ed)?))", _SHUT_NUMBER)
