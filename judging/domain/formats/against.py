"""Words of the judge's own that go against the verdict that was read.

A verdict that is taken back afterwards ("Scratch that"), or beside a sentence that
names another winner, is none: which of the two is meant would be a guess.
"""

# ruff: noqa: RUF001 - letters of other scripts are meant

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from annotation.domain.outcomes import SlotChoice
from judging.domain.formats.claims import claims_after, last_claim
from judging.domain.formats.hiding import words_of
from judging.domain.formats.reporting import is_own
from judging.domain.formats.sentences import bare, sentences
from judging.domain.formats.slips import is_slip, may_be_slip
from judging.domain.formats.taking_back import BACK, BACK_ELSEWHERE, NO

if TYPE_CHECKING:
    from judging.domain.formats.claims import Claim

_MOST = 500
_CLOSING = 400
_CLOSING_OF_A_TEXT = 2_000
_SENTENCES, _SENTENCES_OF_A_TEXT = 3, 6
_CLAUSE_START = re.compile(
    r"(?:[\n.!?;:,\u2014\u2026)\ufffc\]。！？；，、：])[ \t*_#>(\[-]*"
)
_NOTATION = re.compile(r"\boutput[\s*_`\"']*\([\s*_`]*\Z")
_FINAL = re.compile(r"\b(?:final|definitive|ultimate)\b")
_AROUND = " \t\n*_`.!;\u2026\ufffc"


def is_taken_back(view: str, end: int) -> bool:
    """Whether what follows a verdict takes it back; ``view`` is in small letters."""
    if not view[end:].strip():
        return False
    if NO.match(view, end):
        return True
    starts = (each.end() for each in _CLAUSE_START.finditer(view, max(0, end - 1)))
    found = (
        BACK.match(view, start) or BACK_ELSEWHERE.match(view, start)
        for start in islice(starts, _MOST)
    )
    if any(is_own(view, *each.span()) for each in found if each):
        return True
    by_word = may_be_slip(words_of(view[end:]))
    return any(
        is_slip(bare(view, *each), by_word=by_word) and is_own(view, *each)
        for each in sentences(view, end)
    )


def says_another(view: str, span: tuple[int, int], choice: SlotChoice) -> bool:
    """Whether sentences after a verdict, or shortly before it, name another winner.

    Judges that call both equally good and choose all the same are believed, unless they
    say so on the verdict's own line, or at the very end. One that says "tie" is not.
    """
    if choice is SlotChoice.ABSTAIN:
        return False
    before = view[max(0, span[0] - _CLOSING) : span[0]]
    if "output" in before:
        before = _NOTATION.sub("", before)
    said, leads = last_claim(before, _SENTENCES)
    if said is not None and _is_superseded(before, said):
        said = None
    if said is not None and said.opposes(choice) and (leads or not said.even):
        return True
    return any(
        claim.opposes(choice) and not (claim.even and view[end:].strip(_AROUND))
        for claim, end in claims_after(view, span[1])
    )


def concludes_otherwise(text: str, choice: SlotChoice) -> bool:
    """Whether the last part of a text of reasons names another winner."""
    said, _ = last_claim(text[-_CLOSING_OF_A_TEXT:], _SENTENCES_OF_A_TEXT)
    return choice is not SlotChoice.ABSTAIN and _is_against(said, choice)


def closing_claim(text: str) -> Claim | None:
    """Give what the last sentence of a text, in small letters, claims."""
    return last_claim(text[-_CLOSING_OF_A_TEXT:], 1)[0]


def _is_superseded(before: str, said: Claim) -> bool:
    """Whether a choice that was written above is followed by one called the final."""
    return said.label and _FINAL.search(before.rpartition("\n")[2]) is not None


def _is_against(said: Claim | None, choice: SlotChoice) -> bool:
    return said is not None and said.opposes(choice)
