"""Sentences behind a verdict by which a judge owns up to a slip, in any words.

``taking_back`` knows the usual phrases. What it does not know still takes a verdict
back where a sentence that names no response speaks of the judge or its verdict, and of
a mistake, a draft or a change ("By mistake I wrote the wrong winner", "TODO: replace by
the real verdict"). A mistake of a response is no such thing.
"""

from __future__ import annotations

import re


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SHORT = 60
_JUDGE = _listed("i we my me our myself i've i'd i'm")
_VERDICT = _listed(
    "verdict verdicts bracket brackets token tokens letter letters label labels above"
    " winner ranking judgement judgment todo p.s ps"
)
_SLIPS = _listed(
    "mistake mistakenly mistaken typo slip slipped swapped confused flipped inverted"
    " transposed erred wrongly misprint accident accidentally inadvertently oversight"
    " mix-up mixup muddled backwards"
)
_CHANGES = _listed(
    "wrong incorrect mistake mistaken typo error swap swapped reverse reversed flip"
    " flipped invert inverted fix fixed corrected replace replaced placeholder"
    " provisional preliminary tentative draft disregard disregarded ignore ignored"
    " retract retracted withdraw withdrawn void invalid superseded overruled dummy undo"
    " undone obsolete outdated unreliable pending swap exchange exchanged interchange"
    " changed revised amended updated change amend revise mislabelled mislabeled right"
    " correct replacing swapping"
)
# Right and correct change a verdict only where they are denied or come too late.
_AGREES = _listed("right correct")
_DENIES = _listed("not isn't wasn't doesn't no longer don't never cannot can't won't")
_WORD = re.compile(r"[\w'.-]*\w|\w")
_OF_A_RESPONSE = re.compile(
    r"\b(?:responses?|answers?|assistants?|outputs?|replies|reply|candidates?|they"
    r"|users?"
    r"|premise|question|facts?|dates?|it|its|both|code|text|source|sources|claim"
    r"|claims)\b"
    r"|(?<![\w'])[ab12](?:'s| (?:is|was|has|gets|got|names|corrects|fixes|makes|made"
    r"|says"
    r"|does|did|would|should|could|will))(?![\w'])"
)
_STANDS = re.compile(
    r"\b(?:no longer|not|don't|cannot|can't|won't|never) (?:really |fully |quite )?"
    r"(?:stand (?:by|behind)|(?:endorse|mean|agree with|believe in|hold to|defend)"
    r" (?:this|that|it|my|the (?:above|verdict)))\b"
)
_WHOLE = re.compile(
    r"\W*(?:a |only a |just a |the )?(?:placeholder|draft|todo|tbd|tba|provisional"
    r"|dummy|example|sample|test|not final|unfinished|preliminary|tentative"
    r"|to be (?:confirmed|revised|checked|replaced|determined|reviewed)"
    r"|(?:this is |that is )?not sure(?: (?:about|of) (?:this|that|it))?(?: at all)?"
    r"|(?:so |here |thus )?ends? (?:of )?(?:the |of )?(?:\w+ )?(?:quote|quotation"
    r"|excerpt"
    r"|response|answer|text|reply|output)(?: [ab12])?"
    r"|(?:(?:hm+|oh|well|no|but|wait)[,. ]+)*(?:that|this|it) (?:does not|doesn't"
    r"|can't|cannot) (?:look|seem|be|feel) "
    r"(?:quite )?"
    r"right"
    r"|(?:that|this|it)(?:'s| is| was) (?:backwards?|reversed|swapped|inverted|upside "
    r"down"
    r"|(?:just )?the wrong way (?:a?round))|(?:that|this) is (?:not )?what i meant)\W*"
)


def may_be_slip(words: frozenset[str]) -> bool:
    """Whether a text with these words can hold such a sentence of more than a word."""
    spoken_of = _JUDGE | _VERDICT
    return not spoken_of.isdisjoint(words) or not words.isdisjoint(_DENIES)


def is_slip(sentence: str, *, by_word: bool = True) -> bool:
    """Whether a sentence in small letters takes back the verdict that stands above."""
    if len(sentence) <= _SHORT and _WHOLE.fullmatch(sentence):
        return True
    if not by_word:
        return False
    words = set(_WORD.findall(sentence))
    if not words.isdisjoint(_DENIES) and _STANDS.search(sentence):
        return True
    slipped = not _SLIPS.isdisjoint(words) or "wrong way" in sentence
    of_judge = slipped and not _JUDGE.isdisjoint(words)
    changes = words & _CHANGES
    if changes <= _AGREES and words.isdisjoint(_DENIES):
        changes = set()
    of_verdict = bool(changes) and not _VERDICT.isdisjoint(words)
    return (of_judge or of_verdict) and _OF_A_RESPONSE.search(sentence) is None
