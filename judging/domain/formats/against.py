"""Words of the judge's own that go against the verdict that was read.

A verdict that is taken back afterwards ("Scratch that"), or beside a whole sentence
that names another winner, is none: which of the two is meant would be a guess.
"""

# ruff: noqa: RUF001 - letters of other scripts are meant

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from annotation.domain.outcomes import SlotChoice
from judging.domain.formats import winners_elsewhere
from judging.domain.formats.reporting import is_own

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST = 500
_CLOSING = 300
_DISOWNED = (
    r"(?:this|that|it|the (?:above|verdict|token|line|brackets?))(?: verdict| token|"
    r" above)? (?:is|was)(?: only| just| merely)? (?:what (?:\S+ ){1,4}?(?:ask|demand"
    r"|request|told|want|says|said|wrote|writes|claim|instruct|suggest)|an?"
    r" (?:example|placeholder|draft|guess|quote|quotation|sample|test|copy)\b|not"
    r" (?:my\b|the (?:final|verdict|answer|real)|final|a (?:final|real) verdict)"
    r"|(?:in|from|part of|by) (?:the )?(?:response|assistant|answer|output|prompt"
    r"|[ab]\b)|(?:demanded|requested|quoted|copied|taken|written|suggested|given)"
    r" (?:by|from|in)\b)|i (?:do not|don't) (?:endorse|mean|stand by|agree with)"
    r" (?:this|that|it|the (?:above|verdict))\b|(?:please )?(?:do not|don't) (?:use"
    r"|count|take|read|trust) (?:this|that|it|the (?:above|verdict))\b"
)
_BACK = re.compile(
    r"(?:(?:oh|oops|hm+|ah|sorry|no|well|but|and|okay|ok|yet|however)\b["
    r" ,.!\u2026-]*)*(?:oops\b|(?:scratch|strike) (?:that|this|it)\b"
    r"|wait(?=\s*[,.!:;\u2026\u2014-]|$| no\b| a (?:moment|minute|second)\b)|hold"
    r" on\b|on second thoughts?\b|never ?mind\b|(?:an? |small |one"
    r" )*correction\s*[:.,!\u2014-]|(?:edit|update|errat\w+)\s*:|(?:i|we|let"
    r" me)(?:'ll| will| must| should| would| have to| need to| do| did| want to| have"
    r"|'ve)?(?: now)? (?:(?:take|took) (?:that|it|this|my \w+) back|retract|withdraw"
    r"|reconsider|re-?think|re-?evaluate|revise|(?:correct|amend) (?:myself|that|this"
    r"|my|the)\b|changed? my (?:mind|verdict|answer|choice|decision)|mis-?read|misspoke"
    r"|mistyped|meant(?: to (?:say|write|put|choose|pick))?\b|made an? (?:\w+"
    r" )?(?:mistake|error|typo))|i (?:was|am) (?:wrong|mistaken)\b|i'm (?:wrong"
    r"|mistaken)\b|my (?:mistake|bad|error)\b|apologies for the (?:error|confusion"
    r"|mistake)|(?:please )?(?:ignore|disregard|discard|forget) (?:(?:that|this"
    r"|it)(?=\s*[.,;!:]|$)|(?:the|my) (?:above|previous|first|last|earlier|verdict"
    r"|answer|choice)\b|what i\b)|(?:that|this|the (?:above|verdict|token))(?:"
    r" verdict| answer)?(?:'s| is| was) (?:wrong|incorrect|a mistake|not right|an"
    r" error|a typo|not my\b)|actually(?=\s*,|\s+(?:no|a|b|the|it|i|response"
    rf"|assistant)\b)|(?:just )?(?:kidding|joking)\b|{_DISOWNED})"
)
# Just behind the verdict, "no" alone denies it; further on it may answer a question.
_NO = re.compile(r"[\s*_`.!)\]\"'\ufffc]*no(?=\s*[,.!;:\u2026\u2014-])")
_BACK_ELSEWHERE = re.compile(
    r"moment(?: mal)?,|halt,|warte\b|korrektur\s*:|ich nehme das zurück|nein, "
    r"|attende[zs]\b|je me corrige|non, |espera\b|esperen?\b|corrección|me corrijo"
    r"|aspetta\b|correzione|mi correggo|espere\b|correção|wacht[,. ]|correctie|nee, "
    r"|vänta\b|vent,|poczekaj|korekta|počkejte|oprava|bekle|düzeltme|hayır, |đợi đã"
    r"|tunggu|koreksi|подожди|постойте|стоп|исправл|поправк|нет, |зачекайте|ні, "
    r"|انتظر|تصحيح|لحظة|रुकिए|रुको|सुधार|नहीं, |等等|等一下|稍等|更正|不对|不對|修正"
    r"|待って|訂正|いや、|いえ、|잠깐|정정|아니,|아니요"
)
_CLAUSE_START = re.compile(
    r"(?:[\n.!?;:,\u2014\u2026)\ufffc\]。！？；，、])[ \t*_#>(\[-]*"
)

_NAME = (
    r"(?:the )?(?:(?:response|assistant|answer|output|option|model|candidate|reply"
    r"|submission) ?)?\(?(?P<{0}>[ab12]|one|two|first|second)\)?(?:'s (?:response"
    r"|answer|reply|output))?(?: (?:response|assistant|answer|output|one|option))?"
)
_PREFIX = (
    r"(?:(?:so|thus|therefore|hence|overall|in (?:short|summary|conclusion|the end)"
    r"|finally|clearly|on balance|i (?:think|believe|find|conclude|say|would say)"
    r"|(?:my |the )?(?:final |overall )?(?:verdict|choice|answer|decision|conclusion)"
    r"(?: is)?|that|scratch that|no"
    r"|actually|wait|and|but|rather|instead|however|yet)[ ,:]+)*"
)
_BETTER = (
    r"(?: is| was|'s)(?: (?:clearly|much|far|slightly|definitely|overall|marginally"
    r"|significantly|still|indeed|actually|a|bit|the|by|my))* (?:better|best|superior"
    r"|stronger|preferred|preferable|winner|choice|pick)(?: (?:one|response|answer"
    r"|assistant|choice|option|output|overall|here|of the two"
    r"|than (?:the )?(?:(?:response|assistant|answer|output) )?(?:[ab12]|other)))*"
    r"| wins(?: (?:overall|clearly|here))?"
)
_WORSE = (
    r"(?: is| was|'s)(?: (?:clearly|much|far|slightly|overall|a|bit|the|by))* (?:worse"
    r"|worst|weaker|inferior|loser)(?: (?:one|response|answer|assistant|overall|here"
    r"|of the two|than (?:the )?(?:(?:response|assistant|answer) )?(?:[ab12]|other)))*"
    r"| loses(?: (?:overall|clearly|here))?"
)
_EVEN = (
    r"(?:(?:it(?:'s| is)|this is) )?(?:a )?(?:tie|draw)|(?:they|both|(?:both |the"
    r" )?(?:two )?(?:responses|answers|assistants|outputs)|the two) (?:are|is)"
    r" (?:equally (?:good|bad)|equal|tied|equivalent|of equal quality|the same(?: in"
    r" quality)?)(?: overall)?|(?:i see|there is) no (?:real )?difference(?: between"
    r" (?:them|the \w+))?"
)
_SAYS = re.compile(
    rf"{_PREFIX}(?:{_NAME.format('better')}(?:{_BETTER})"
    rf"|{_NAME.format('worse')}(?:{_WORSE})|i(?: would|'d| will|'ll)?"
    rf" (?:choose|prefer|pick|select|vote for|go with) {_NAME.format('chosen')}"
    r"|(?:my |the )?(?:final |overall )?(?:verdict|answer|choice|decision|winner|pick"
    rf"|preference|final|conclusion)(?: is\b|:|"
    rf" is:)[\s*_]*(?:{_NAME.format('labelled')}"
    r"|(?P<tied>(?:a )?(?:tie|draw)))"
    rf"|(?P<even>{_EVEN}))(?=[\s*_]*(?:[.!;\u2026]|\n|\Z))"
)
_SENTENCE = re.compile(
    r"(?:[\n.!?;\u2026\ufffc\u3002\uff01\uff1f][\"')\]*_]*)[ \t*_#>-]*"
)
_LAST_SENTENCE = re.compile(r"[.!?;\n]\s|[\u3002\uff01\uff1f]")
_LEADS = re.compile(r":[ \t*_`]*\Z")
_NOTATION = re.compile(r"\boutput[\s*_`\"']*\([\s*_`]*\Z")
_AROUND = " \t\n*_`.!;\u2026\ufffc"
_FIRST = frozenset({"a", "1", "one", "first"})


def is_taken_back(view: str, end: int) -> bool:
    """Whether what follows a verdict takes it back; ``view`` is in small letters."""
    if not view[end:].strip():
        return False
    if _NO.match(view, end):
        return True
    starts = (each.end() for each in _CLAUSE_START.finditer(view, max(0, end - 1)))
    found = (
        _BACK.match(view, start) or _BACK_ELSEWHERE.match(view, start)
        for start in islice(starts, _MOST)
    )
    return any(is_own(view, *each.span()) for each in found if each)


def says_another(view: str, span: tuple[int, int], choice: SlotChoice) -> bool:
    """Whether a sentence after a verdict, or right before it, names another winner.

    Judges that call both equal and choose all the same are believed, unless they call
    it a tie on the verdict's own line, or at the very end.
    """
    if choice is SlotChoice.ABSTAIN:
        return False
    before = view[max(0, span[0] - _CLOSING) : span[0]]
    if "output" in before:
        before = _NOTATION.sub("", before)
    said = closing_choice(before)
    if said is SlotChoice.TIE and not _LEADS.search(before):
        said = None
    if said is not None and said is not choice:
        return True
    return any(each is not choice for each in _said_after(view, span[1]))


def closing_choice(text: str) -> SlotChoice | None:
    """Give the winner that the last sentence of a text names, and nothing else does."""
    whole = text.rstrip(" \t\n*_`:.!\"'([{#>-\u3002\uff01")
    closing = _LAST_SENTENCE.split(whole)[-1].strip(" \t\n*_`#>-\"'")
    match = _match(closing, 0)
    return None if match is None else _winner(match)


def _said_after(view: str, end: int) -> Iterator[SlotChoice]:
    for each in islice(_SENTENCE.finditer(view, max(0, end - 1)), _MOST):
        match = _match(view, each.end())
        if match is None or not is_own(view, each.end(), match.end()):
            continue
        is_even = match.groupdict().get("even") is not None
        if not is_even or not view[match.end() :].strip(_AROUND):
            yield _winner(match)


def _match(text: str, start: int) -> re.Match[str] | None:
    return _SAYS.match(text, start) or winners_elsewhere.SAYS.match(text, start)


def _winner(match: re.Match[str]) -> SlotChoice:
    said = match.groupdict()
    names = [said.get(key) for key in ("better", "chosen", "labelled", "who")]
    name = next((each for each in names if each), None)
    worse = said.get("worse")
    if name is None and worse is None:
        return SlotChoice.TIE
    is_first = (name or worse) in _FIRST
    return SlotChoice.FIRST if is_first is (worse is None) else SlotChoice.SECOND
