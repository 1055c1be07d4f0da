"""Words that make a lead one to something else than the judge's own verdict.

What is worse, rejected, an example, possible, demanded or somebody else's is led up to
in the same shape as a verdict, so such a lead is taken for none: in doubt no verdict.
"""

from __future__ import annotations

import re

_VERDICT = r"(?:verdict|choice|answer|decision|judge?ment|conclusion|rating|result)"
_VETO = re.compile(
    r"^(?:[\W\d]*)(?:the |my )?(?:worse|worst|weaker|losing|inferior|rejected|poorer)"
    r"(?: \w+){0,2}\W*$"
    r"|^[\W\d]*(?:the )?losers?\W*$|\bi (?:would )?(?:reject|discard|rule out)\W*$"
    r"|^[\W\d]*errors?\b[^.:]{0,30}\bin\b"
    r"|\b(?:rating|grade|score|mark) (?:for|of) (?:the )?\w+ [ab12]\b"
    rf"|\b{_VERDICT}\W{{1,3}}(?:draft|requested|demanded|preliminary|possible|example"
    r"|(?:that )?(?:in|by|of) (?:the )?(?:response|assistant|answer|output|b|a)\b"
    r"|(?:that )?(?:the )?(?:response|assistant|output|model)s?(?: [ab12])? \w+)"
    rf"|\b(?:draft|requested|demanded|preliminary|possible|example) {_VERDICT}\b"
    r"|\b(?!(?:here|it|that|this|what)'s)\w+'s (?:\w+ ){0,2}(?:verdict|choice"
    r"|decision|judge?ment|conclusion)\W*$"
    r"|\bbeispiel|\bvorl\u00e4ufig|\bm\u00f6gliche"
    r"|\u4f8b\u5982|\u793a\u4f8b|^\W*\u4f8b\W*$|\uc608\uc2dc|\b\u043f\u0440\u0438\u043c\u0435\u0440\b|\b\u0445\u0443\u0436\u0435\b"
    r"|\u66f4\u5dee|\u8f83\u5dee|\u8f03\u5dee|\u62d2\u7edd|\u62d2\u7d55|\u52a3",
    re.IGNORECASE,
)


def is_not_mine(clause: str) -> bool:
    """Whether a clause that leads up to something says that it is no own verdict."""
    return _VETO.search(clause) is not None
