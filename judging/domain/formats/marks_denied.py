"""Sentences right before a PASS or FAIL that say the contrary, in small letters.

"This is not a PASS" leaves a FAIL and an abstain. Every form must match the whole
sentence: what is said of one point only ("it is not a pass on tone") says nothing of
the response, and what stands further up may speak of one point of many.
"""

from __future__ import annotations

import re

from judging.domain.formats.sentences import bare, sentences

PASS, FAIL = "pass", "fail"
# So many sentences before a mark speak of the whole.
_NEAR = 3
_SO = r"(?:(?:so|thus|therefore|hence|overall|in conclusion|clearly|but|and),? )?"
_SUBJECT = (
    r"(?:this|it|that|(?:the|this) (?:response|reply|answer|output|text)"
    r"|(?:my|the) (?:verdict|mark|judge?ment|result|answer))"
)
_NOT = (
    r"(?:is not|isn't|was not|wasn't|can't be|cannot be|is by no means|is anything but)"
)
_MARK = r"(?:an? |the )?(?P<{}>pass|fail)(?:ing)?(?: mark| grade)?"
_DENIED = re.compile(
    rf"{_SO}{_SUBJECT} (?:{_NOT} {_MARK.format('noun')}"
    r"|(?:does not|doesn't|did not|didn't|can't|cannot) (?P<verb>pass|fail))"
    r"(?: overall| here| at all)?"
)
_HYPOTHETICAL = re.compile(
    rf"{_SO}{_SUBJECT} would(?: otherwise)? have (?:been {_MARK.format('been')}"
    r"|(?P<had>pass|fail)ed)(?:,? (?:were it not|had it not"
    r"|if it (?:were|had|was)(?: not|n't)|if not|but|except) [^\n]*)?"
)
_SAID = re.compile(
    rf"{_SO}{_SUBJECT} (?:(?:is|was) {_MARK.format('noun')}"
    r"|(?P<verb>pass|fail)(?:e?s|ed))(?: overall| here)?"
)
_NEITHER = re.compile(
    rf"{_SO}(?:{_SUBJECT} is )?neither (?:an? )?(?:pass|fail)"
    r" nor (?:an? )?(?:pass|fail)"
)


def says_contrary(view: str, mark_at: int, mark: str) -> bool:
    """Tell whether a sentence right before a mark says that it is another.

    Args:
        view: The reply's own words, in small letters.
        mark_at: Where the mark stands in it.
        mark: What was read: `PASS` or `FAIL`.
    """
    before = [each for each in sentences(view, 0) if each[1] <= mark_at][-_NEAR:]
    return any(_is_contrary(bare(view, *each).rstrip(":. "), mark) for each in before)


def _is_contrary(sentence: str, mark: str) -> bool:
    if _NEITHER.fullmatch(sentence):
        return True
    for form in (_DENIED, _HYPOTHETICAL):
        if (denied := form.fullmatch(sentence)) is not None:
            return mark in denied.groups()
    said = _SAID.fullmatch(sentence)
    return said is not None and mark not in said.groups()
