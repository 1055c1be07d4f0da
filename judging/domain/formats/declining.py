"""Whether a reply declines the task in its own words.

Only whole clauses in the first person count ("I can't assist with that", "I must
decline to judge"), never what the reply says of a response ("Response A refuses"). Two
kinds: declining the task as such, and saying that nothing can be judged. The second
agrees with an abstain and with no other verdict.
"""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING

from judging.domain.formats.declining_clauses import (
    CLAUSE,
    RULE_STEMS,
    RULES,
    is_hard,
    may_decline,
)
from judging.domain.formats.declining_elsewhere import refusals_elsewhere
from judging.domain.formats.hiding import small, words_of
from judging.domain.formats.missing_texts import missing_texts
from judging.domain.formats.reporting import is_own

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_CLAUSES = 500
# Where a clause may begin: on a line, behind a stop, behind a word that links.
_START = re.compile(
    r"(?:[\n.!?;:,\u2014\])>]| (?:but|so|and|however|therefore|thus|hence|because"
    r"|since) )[ \t*_#>-]*"
)
_DRESS = re.compile(r"[ \t*_#>-]*")
_MORE = re.compile(
    r"\b(?:i|we) (?:still |would )?need (?:(?:more|further|additional|the full|the"
    r" missing) )(?:info\w*|context|details?|time|data|text)\b",
)
# Of whom the same sentence speaks.
_OF_A_RESPONSE = re.compile(
    r"\b(?:(?:response|answer|output|option) [ab12]|assistant|model|[ab]|says?|said"
    r"|claims?|saying|stating|that it)\b[^.\n]*\Z"
)


_TELLS = re.compile(
    r"\b(?:response|answer|output|option|assistant|model|reply|it|one|\(?[ab12]\)?) "
    r"(?:only "
    r"|just |simply |merely )?(?:says?|said|replies|replied|writes|wrote|answers"
    r"|answered"
    r"|responds|responded|states|stated|declines|declined|refuses|refused|apologi[sz]es"
    r"|claims)(?: only| just| that| with| back| to do so)*[ ,\"'\u201c:]*"
    r"(?:(?:(?:i'?m |i am )?(?:very |so )?sorry|no|unfortunately|apologies)[ ,.]*)*"
    r"(?:but |that )?\Z"
)
# What a reply without any verdict may say more loosely.
_LOOSE = re.compile(
    r"(?:^|[.!?\]][\"')\]}]*[ \t]+)[*_ \t]{0,4}(?:unfortunately,? |sorry,? (?:but )?)?"
    r"(?:i(?:'m| am) (?:very |so )?sorry,? (?:but )?(?:i|this|that)\b"
    r"|i (?:can(?:'|no)t|can not|won't|will not|(?:am|'m) (?:unable|not able) to) "
    r"(?:assist|help|comply|fulfill?|engage|participate|continue|process|"
    r"(?:judge|compare|evaluate|rate|review) (?:this|these|those|such|content))\b)",
    re.MULTILINE,
)


class Declined(StrEnum):
    """How a reply declines."""

    THE_TASK = "the reply declines to judge"
    TO_JUDGE = "the reply says that it can't judge"


def declined(view: str, after: int | None = None) -> Declined | None:
    """Say whether what is visible of a reply declines.

    ``after`` is where a verdict ends: what is still needed ("but I need more context")
    declines only behind one.
    """
    view = small(view)
    words = words_of(view)
    how = _in_english(view) if may_decline(words) else None
    if how is Declined.THE_TASK or _is_against_own_rules(view):
        return Declined.THE_TASK
    if any(is_own(view, *span) for span in refusals_elsewhere(view, words)):
        return Declined.THE_TASK
    if how is None and after is not None and _needs_more(view, after):
        return Declined.TO_JUDGE
    if how is None and any(is_own(view, *span) for span in missing_texts(view, words)):
        return Declined.TO_JUDGE
    return how


def is_refusal(text: str) -> bool:
    """Whether a text without a verdict plainly declines (not: cannot decide)."""
    plain = small(text)
    return _LOOSE.search(plain) is not None or declined(plain) is Declined.THE_TASK


def _in_english(view: str) -> Declined | None:
    """Say how the reply itself declines; declining the task goes before the other."""
    how, behind = None, 0
    for start in _starts(view):
        match = CLAUSE.match(view, start) if start >= behind else None
        if match is None:
            continue
        behind = match.end()
        if how is not None and not is_hard(match):
            continue
        if is_own(view, start, behind) and not _is_told(view, start):
            how = Declined.TO_JUDGE
            if is_hard(match):
                return Declined.THE_TASK
    return how


def _is_told(view: str, start: int) -> bool:
    """Whether a response is said to say so: "A says sorry, I can't"."""
    return _TELLS.search(view, max(0, start - 100), start) is not None


def _starts(view: str) -> Iterator[int]:
    opening = _DRESS.match(view)
    yield opening.end() if opening else 0
    yield from (each.end() for each in _START.finditer(view))


def _needs_more(view: str, after: int) -> bool:
    return view.find(" need ", after) >= 0 and _MORE.search(view, after) is not None


def _is_against_own_rules(view: str) -> bool:
    if not any(stem in view for stem in RULE_STEMS):
        return False
    found = islice(RULES.finditer(view), _MOST_CLAUSES)
    return any(
        _OF_A_RESPONSE.search(view, max(0, each.start() - 100), each.start()) is None
        and is_own(view, *each.span())
        for each in found
    )
