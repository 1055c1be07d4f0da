"""Whether a bare number on the last line answers what was asked, or something else.

A digit says nothing of what it counts: under "Number of errors:" it is no verdict. So
it counts alone after an empty line or a finished sentence, or under a line that
announces a verdict (or, for scores, a score), and never under one that asks for
another quantity.
"""

from __future__ import annotations

import re

from judging.domain.formats.hiding import QUOTED

_LOOK_ABOVE, _HEADING = 400, 60
_QUANTITY = (
    r"number|count|how many|how much|how (?:sure|certain|confident|difficult|hard)"
    r"|errors?|mistakes?|confiden\w*|difficult\w*|certainty|sure|steps?|words?|lines?"
    r"|sentences?|references?|sources?|citations?|points|length|years?|months?|days?"
    r"|index|page|prints?|printed|returns?|returned|displays?|total|sum|equals?"
    r"|question|version|temperature|priority|severity|example|item|list|options are"
    r"|worse|worst|weaker|weakest|losers?|losing|rejected|longer|longest|shorter"
    r"|shortest|fewer|fewest|least|earlier|came first"
    r"|program|code|result of|output of|answer to|anzahl|fehler|nombre|n\u00famero"
    r"|numero|aantal|quellen|fuentes|\d ?(?:-|\u2013|to) ?\d+"
)
_OTHER_MARKS = r"scores?|ratings?|grades?|marks?|levels?|points?|rank\w*"
_CHOICE = (
    r"verdict|choice|choos\w*|chose\w*|decision|decid\w*|prefer\w*|winner|wins|better"
    r"|best|pick|selection|select|conclusion|conclude|judge?ment|stronger|superior"
    r"|edge|advantage|favou?r\w*|recommend\w*|vote|lean"
    r"|therefore|final|evaluation|assessment|overall|urteil"
    r"|wahl|choix|elecci\u00f3n|scelta"
    r"|escolha|keuze|\u5224|\u9009|\u9078|\u7ed3\u8bba|\u7d50\u8ad6|\u7b54\u6848"
)
_NUMBER_LINE = re.compile(r"[\s*_`\[(#-]*\d{1,4}(?:[./]\d{1,4})?[\s*_`\]).:]*")
_CLAUSE_END = re.compile(r"[.!?;,\uff0c\u3002]\s*(?=\D)|[.!?;,]\s")
_CLOSED = tuple(".!?)\"'\u3002\uff01\u201d" + QUOTED)

# "Answer:" asks for the choice, and "The answer that names a date is" for another.
_A_LABEL = (
    r"^\W*(?:(?:my|the|your|final|overall|correct) )*(?:answers?|output|response"
    r"|assistant|result|number)(?: (?:is|number))*\W*$"
)
CHOICES = re.compile(
    rf"{_A_LABEL}|\b(?:{_CHOICE})|[\u5224\u9009\u9078\u6848]", re.IGNORECASE
)
SCORES = re.compile(rf"{_A_LABEL}|\b(?:{_OTHER_MARKS}|{_CHOICE})", re.IGNORECASE)
_NOT_CHOICES = re.compile(rf"\b(?:{_QUANTITY}|{_OTHER_MARKS})\b", re.IGNORECASE)
_NOT_SCORES = re.compile(rf"{_A_LABEL}|\b(?:{_QUANTITY})\b", re.IGNORECASE)


def answers_another(view: str, start: int, wanted: re.Pattern[str]) -> bool:
    """Whether a bare number at ``start`` stands under a line that makes it another's.

    ``wanted`` is ``CHOICES`` or ``SCORES``: the words that announce such a number.
    """
    above = view[max(0, start - _LOOK_ABOVE) : start].rstrip()
    if not above:
        return False
    line = above.rpartition("\n")[2].strip(" \t*_#`")
    after_gap = view[len(view[:start].rstrip()) : start].count("\n") > 1
    if _NUMBER_LINE.fullmatch(line):
        return not after_gap
    closing = _CLAUSE_END.split(line)[-1].rstrip(" *_") or line
    others = _NOT_CHOICES if wanted is CHOICES else _NOT_SCORES
    asks = closing.endswith((":", "?", "=", "\uff1a", "\uff1f"))
    if asks or not (after_gap or line.endswith(_CLOSED)):
        return others.search(closing) is not None or not wanted.search(closing)
    is_heading = len(line) <= _HEADING and not re.search("[:=]", line)
    return (
        is_heading and not line.endswith(_CLOSED) and others.search(closing) is not None
    )
