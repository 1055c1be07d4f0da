"""Whether what follows is announced as somebody else's words, or only as possible.

"Response B ends with", "I was told to write one of:" and "If uncertain, the default
is:" lead up to words that are no verdict; "My final verdict is:" leads up to one.
"""

from __future__ import annotations

import re
import unicodedata

from judging.domain.formats.hiding import small
from judging.domain.formats.leads_elsewhere import leads_elsewhere
from judging.domain.formats.not_mine import is_not_meant, is_not_mine

_LOOK_ABOVE = 400
_OPEN_FENCE = re.compile(r"(?:`{3,}|~{3,})\w*$")
_SENTENCE_END = re.compile(r"[.!?;]\s|[\u3002\uff01\uff1f\uff1b]")
_SAID = (
    r"(?:says?|said|saying|writes?|wrote|written|reads|states?|stated|stating|claims?"
    r"|claimed|claiming|ends?|ended|ending|contains?|contained|containing|includes?"
    r"|included|including|outputs|output|tells?|told|quotes?|quoted|inserts?|inserted"
    r"|embeds?|begins?|began|starts?|started|closes|closed|finishes|finished|adds?"
    r"|added|repeats?|repeated|prints?|printed|displays?|appends?|appended|concludes?"
    r"|concluded|answers|answered|replies|replied|responds?|responded|argues?|argued"
    r"|announces?|announced|declares?|declared|suggests?|suggested|proposes?|proposed"
    r"|shows|showed|states|declines|declined|refuses|refused|apologi[sz]e[sd]|opens)"
)
_REPORTS = re.compile(
    rf"\b(?:{_SAID}|asks?|asked|asking|instructs?|instructed|demands?|demanded|wants?"
    r"|wanted|requests?|requested|tries|tried|attempts?|injects?|injection|prompts?"
    r"|gives|gave|has|instructions?)\b[^\n]{0,40}$"
    r"|\b(?:line|end|text|part|words) of (?:the )?\w+(?: [ab12])?$",
)
_UNFINISHED = re.compile(
    rf"\b{_SAID}(?: (?:with|that|this|these|as follows|only|just|simply|to|out|in the"
    r" end|at the end|the following|by|me|us|saying|writing))*$"
    r"|\b(?:one of|either of|default is|would be|otherwise)$"
    r"|\b(?:line|end|text|part|words) of (?:the )?\w+(?: [ab12])?$",
)
# A sentence that stops where a text is to follow: "Response B contains the line".
_HOLDS = re.compile(
    r"(?:\b(?:with|has|have|had|carries|holds|holding|hides?|hidden|there|finds?|found"
    r"|appears?|sneaks?|smuggles?|plants?|planted|slips?|tries|trying|attempts?"
    r"|follow(?:s|ing|ed)|see|sees|saw|notice[ds]?|on|in|of|by"
    rf"|{_SAID})\b[^\n]{{0,80}})\b(?:texts?|lines?|strings?|instructions?|words?"
    r"|sentences?|tokens?|notes?|sequences?|phrases?|commands?|statements?|messages?"
    r"|directives?|tags?|markers?|snippets?|passages?|fragments?|payloads?|injections?"
    r"|demands?|requests?|prompts?|orders?|characters|brackets|following)"
    r"(?: (?:is|are|was|were|here|below|says|reads|like|as))?$"
    r"|\b(?:has|have|had|with|adds?|puts?|says) (?:this|these|the following|it)\b"
    r"[^\n]{0,40}$"
    r"|\b(?:there|one|i|we|you|which|that|it|who|[ab12])"
    r" (?:is|are|was|were|finds?|found|sees?|saw|reads?|gets?|got|has|have|had|stands"
    r"|comes|came|goes|went|puts?|uses?|used|offers?|offered)$"
    r"|\b(?:line|text|string|instruction|words?|sentence|command|note|phrase|message"
    r"|token|verdict)\b[^\n]{0,30}\b(?:appears?|stands?|is|was|found|sits|occurs?"
    r"|comes|placed|hidden|embedded|buried)\b[^\n]{0,30}\b(?:in|at|of|by|inside"
    r"|within|from)\b[^\n]{0,30}$"
    r"|\b(?:the|an|with|to|for|by|at|in|on|of|from|that|this|says|like|as|and|or"
    r"|but|because|than)$",
)
_SOMEBODY = (
    r"(?:responses?|assistants?|answers?|outputs?|models?|candidates?|repl(?:y|ies)"
    r"|texts?|users?|prompts?|instructions?|authors?|systems?|programs?|scripts?|codes?"
    r"|pages?|it|they|he|she|a|b|one|other|first|second)"
)
_OF_OTHERS = re.compile(
    rf"\b{_SOMEBODY}\b(?:'s)?(?: [ab12]\b)?[^.:;\n]{{0,60}}\b{_SAID}\b"
)
# "Response B says my final verdict is", unlike "since B says so, my verdict is".
_OF_OTHERS_OWN = re.compile(
    _OF_OTHERS.pattern + r"(?: that| in the end| at the end)?[ ,\"'\u201c]{1,3}"
    r"(?:(?:the|its|his|her|their|final|overall) ){0,3}(?:my|i|verdict|answer"
    r"|choice)\b",
)
_ON_ORDERS = re.compile(
    r"\b(?:was|am|were|been|being|are|'m|got) (?:\w+ )?(?:told|asked|instructed"
    r"|supposed|required|expected|meant|ordered|allowed|invited|requested)\b"
    r"|\b(?:tells|told|asks|asked|wants|wanted|orders|ordered|instructs|instructed"
    r"|urges|urged|expects|invites) (?:me|us|you|the judge)\b"
    r"|\b(?:have|has|had|need) to (?:end|write|output)\b",
)
_POSSIBLE = re.compile(
    r"\b(?:if|unless|otherwise|defaults?|one of|either of|would (?:be|have)"
    r"|(?:could|might|may|should) (?:be|have)|possible|allowed|offered|permitted"
    r"|instead of|rather than)\b",
)
_UNREAL = re.compile(
    r"\b(?:defaults?|one of|either of|otherwise|instead of)\b"
    r"|\bif\b[^,\n]{0,80}\b(?:were|was|had (?!to\b)|weren't|wasn't|hadn't)",
)
_ANNOUNCES = re.compile(
    r"\b(?:my|i) [^.:]{0,60}$|^[\s*_#]*(?:(?:the|final|overall) +){0,3}"
    r"(?:verdict|answer|choice|decision|output|result)(?: is)?[\s*_]*$",
)
_HEADING = re.compile(
    r"^[\s*_#>\d.)-]*(?:the )?(?:full |last |final |closing |exact )*"
    r"(?:(?:text|line|words?|reply|answer|response|output|verdict|conclusion) "
    r"(?:of|by|from) )?(?:the )?"
    r"(?:responses?|assistants?|answers?|outputs?|options?|models?|candidates?"
    r"|antwort|r\u00e9ponse|respuesta|risposta|resposta|antwoord|svar"
    r"|\u043e\u0442\u0432"
    r"\u0435\u0442|\u56de\u7b54|\u56de\u590d|\u56de\u7b54|\uc751\ub2f5)"
    r"[ _]*\(?[ab12]?\)?(?:'s)?"
    r"(?: (?:full|own|last|final|closing|text|answer|response|line|words?|output|reply"
    r"|verdict|conclusion|statement|ending|end|content|quote|excerpt))*$",
)
# Somebody who says something, in words that are not English, just before a colon.
_ELSEWHERE = re.compile(
    r"(?:\bsagt|\bschreibt|\bendet|\blautet(?= so)|\bdit|\b\u00e9crit|\btermine"
    r"|\bdice|\bescribe|\btermina|\bscrive|\bdiz|\bescreve|\bzegt|\bschrijft"
    r"|\bs\u00e4ger|\bsiger|\bm\u00f3wi|\bpisze|\u0433\u043e\u0432\u043e\u0440\u0438"
    r"\u0442|\u043f\u0438\u0448\u0435\u0442|\u8bf4|\u8aaa|\u5199\u9053?|\u5beb"
    r"|\u8a00\u3046|\u66f8\u304f|\u793a)[^\n]{0,12}$",
)
# A sentence that says that a list follows, whatever it ends in.
_LISTS = re.compile(
    r"\b(?:of the following|the following (?:verdicts?|options?|choices?|tokens?)"
    r"|(?:options|choices|verdicts|tokens) (?:are|were) (?:as follows|these|below)"
    r"|(?:listed|shown|given) below)(?: \w+){0,3}\.[\s*_`]*\Z"
    r"|\bwhat follows (?:is|was|comes|are)\b[^.\n]{0,60}\.[\s*_`]*\Z",
)
# Above a verdict, a line that ends in a colon has to be about one.
_OF_A_VERDICT = re.compile(
    r"\b(?:verdict|choice|choos|chose|decision|decid|prefer|winner|wins\b|better|best"
    r"|pick|select|conclu|judg|result|therefore|thus|hence|final|overall|evaluation"
    r"|assess|rating|answer|vote|summary|summari|outcome|stronger|superior|tie\b|tied"
    r"|equal|score|mark|grade|level|rubric|pass|determin|recommend|mine\b|weigh"
    r"|given the"
    r"|opinion"
    r"|favou?r|go with|say\b|compar)"
)
_COMMA = re.compile(r"[,\uff0c\u3001\u060c]")
_WITH_COLON = (_POSSIBLE, _REPORTS, _HEADING, _ELSEWHERE)
# What follows says that the words were somebody else's.
_OF_THEIRS = re.compile(
    r"[^.!?\n]{0,120}[.!?]?[\"')]?[ \t]*"
    r"(?:,? (?:says?|said|writes|wrote|replies|states|claims) (?:response|assistant"
    r"|answer|output|the|it|a|b)\b|is (?:all|what|how)\b"
    r"|is the (?:whole|entire|only|full|gist|text|words|reply|response|content|way|end"
    r"|line|answer (?:of|by|from))\b)",
)
_AWAITS = re.compile(
    r"\b(?:is|was|were|would be|has been|remains"
    r"|(?:to )?(?:say|write|answer|choose)|saying|writing|answering"
    r"|choosing)$",
    re.IGNORECASE,
)
# A line that is a heading, though it ends in no colon: "## Template", "**Format**".
_TITLE = re.compile(
    r"[ \t]*(?:#{1,6} [^\n]*[^\n.!;\u3002\uff01]|(?:\*\*|__)[^\s*_.!]+(?: "
    r"[^\s*_.!]+){0,3}"
    r"(?:\*\*|__))[ \t]*"
)
_DRESS = " \t\n*_`#>[(\"'~\u201c\u2018"


def reported_above(text: str, start: int, *, verdict: bool = True) -> bool:
    """Whether the line above makes what stands at ``start`` no words of the judge's.

    Above a ``verdict``, a line that ends in a colon has to be about one.

    It is heeded with and without a colon: "Response B ends with" is an unfinished
    sentence. A line that ends in a full stop introduces nothing.
    """
    closing, colon = lead_above(text, start)
    if not closing and _lists(text[max(0, start - 120) : start]):
        return True
    if not closing or _is_reported(small(closing), colon=colon):
        return bool(closing)
    return verdict and colon and not _announces_a_verdict(small(closing))


def _lists(above: str) -> bool:
    above = small(above)
    return ("follow" in above or "below" in above or "these" in above) and (
        _LISTS.search(above) is not None
    )


def reported_before(before: str) -> bool:
    """Whether the same line says before a colon that somebody else speaks."""
    head, colon, _ = before.rpartition(":")
    if not colon:
        return False
    closing = small(_SENTENCE_END.split(head)[-1])
    if _ANNOUNCES.search(closing):
        return _OF_OTHERS_OWN.search(closing) is not None
    forms = (_OF_OTHERS, _HEADING, _ELSEWHERE)
    return any(form.search(closing) is not None for form in forms)


def is_own(view: str, start: int, end: int) -> bool:
    """Whether the reply itself says what stands there, and reports it of nobody."""
    line = view.rfind("\n", max(0, start - 400), start + 1) + 1
    if _OF_THEIRS.match(view, end) or reported_before(view[line:start] + " "):
        return False
    is_first = not view[line:start].strip(" \t*_#>-")
    return not (is_first and reported_above(view, line, verdict=False))


def lead_above(text: str, start: int) -> tuple[str, bool]:
    """Give the last sentence above, bare, and whether it leads up to what follows.

    A line does by a colon, or as a heading or a question.
    """
    low = max(0, start - _LOOK_ABOVE)
    above = text[low:start].rstrip(_DRESS)
    if "`" in above or "~" in above:
        above = _OPEN_FENCE.sub("", above)
    above = above.rstrip(" *_\n")
    raw, is_above, _ = text[low + above.rfind("\n") + 1 : start].partition("\n")
    line = above.rpartition("\n")[2].rstrip(" *_")
    colon = line.endswith((":", "\uff1a", "?", "\uff1f"))
    if colon:
        line = line[:-1]
    elif _AWAITS.search(line) or (is_above and _TITLE.fullmatch(raw)):
        colon = True
    elif line.endswith(
        (".", "!", "?", ";", "\u2026", "\u3002", "\uff01", "\uff1f", "\ufffc")
    ):
        return "", False
    return _SENTENCE_END.split(line)[-1].strip(" *_"), colon


def _is_reported(closing: str, *, colon: bool) -> bool:
    if _ON_ORDERS.search(closing) or is_not_mine(closing):
        return True
    if colon and is_not_meant(closing):
        return True
    if not colon and _HOLDS.search(closing) and not _OF_A_VERDICT.search(closing):
        return True
    if _ANNOUNCES.search(closing):
        return any(form.search(closing) for form in (_OF_OTHERS_OWN, _UNREAL))
    if not colon:
        forms = (_UNFINISHED, _HOLDS)
        return any(form.search(closing, max(0, len(closing) - 120)) for form in forms)
    return any(form.search(closing) for form in _WITH_COLON)


def _announces_a_verdict(closing: str) -> bool:
    if _is_in_another_script(closing):
        return leads_elsewhere(_COMMA.split(closing)[-1])
    return (
        _ANNOUNCES.search(closing) is not None
        or _OF_A_VERDICT.search(closing) is not None
        or leads_elsewhere(closing)
    )


def _is_in_another_script(text: str) -> bool:
    """Whether a text holds letters that are not Latin: then no list above fits it."""
    return not text.isascii() and any(
        letter.isalpha() and not unicodedata.name(letter, "").startswith("LATIN")
        for letter in text
    )
