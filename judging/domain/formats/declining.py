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

from judging.domain.formats.reporting import reported_above, reported_before

_MOST_CLAUSES = 500
_TASK = (
    r"(?:th(?:is|at|ese|ose)|such|it|them|the (?:pair|two|responses?|outputs?|answers?"
    r"|content|case|request|task|material|texts?|question|comparison)|your|any|either"
    r"|both|here|further|fairly)\b(?! (?:one|response|answer|output)?"
    r" ?(?:higher|better|above|over|as\b|to be|more|worse))"
)
_PRODUCT = (
    r"(?:verdict|judge?ment|answer|evaluation|comparison|assessment|opinion|rating"
    r"|preference|decision|response|choice|mark|score|recommendation|ruling)"
)
_END = (
    r"(?=\s*(?:[.,;!?)\u2013\u2014-]|$)|\s+(?:because|since|as|due|without|based|from))"
)
_CANNOT = (
    r"(?:(?:can(?:no|')?t|can not|won't|will not|would(?: rather)? not|wouldn't"
    r"|(?:am|'m|are|'re) (?:unable|not able|not allowed|not permitted|not going"
    r"|not willing|unwilling|not in a position|not comfortable|afraid i can't)"
    r"(?: to)?|shouldn't|should not|(?:will|would) not be able to|won't be able to"
    r"|must not|may not|do not (?:want|wish) to|don't (?:want|wish) to)"
    r"(?: (?:really|in good conscience|ethically|currently|possibly|safely|honestly"
    r"|properly|reliably))?)"
)
# Not complying with what a response demands is what a judge should do.
_THEIRS = (
    r"(?![^.\n]{0,60}\b(?:instructions?|inject\w*|demands?|embedded|commands?"
    r"|responses?"
    r"|[AB])\b)"
)
_SERVE = (
    r"(?:assist|help(?!\w| but| noticing| thinking| feeling)|compl(?:y|ying)"
    + _THEIRS
    + r"|engage(?= in| with|\W*$)|participate|take part|fulfil+|proceed"
    r"|continue(?= with|\W*$)|(?:process|discuss|support) "
    r"(?:(?:this|that|such|your) (?:request|task|topic|content|comparison)|this\b)"
    r"|do (?:that|this|so)\b|(?:answer|complete) (?:this|that|the|your)\b|respond\b"
    r"|carry (?:this|that|it) out|be part of)"
)
_JUDGE = (
    r"(?:judge|compare|evaluate|assess|review|rate|grade|score|rank|analy[sz]e)"
    rf"(?: {_TASK}|{_END})|(?:give|provide|offer|make|render|issue|produce|reach|state"
    r"|deliver|form|come to)"
    rf" (?:\w+ ){{0,3}}{_PRODUCT}\b"
)
_DECLINE = (
    r"(?:(?:must|have to|need to|will|would|'ll|'d(?: rather)?|shall)?"
    r"(?: (?:respectfully|politely|therefore))? ?"
    r"(?:decline|refuse|abstain from (?:judging|comparing|choosing))"
    r"(?= to (?:judge|compare|evaluate|assess|answer|help|assist|give|provide|do|engage"
    r"|participate|comply|rate|review|choose|continue|say|make|render|respond|take)\b"
    r"| (?:this|that|the|your) (?:task|request|comparison)\b|\W*$|[.,;!])"
    r"|(?:'d|would) (?:rather|prefer) not(?: to)?(?= (?:judge|say|answer|compare|help"
    r"|assist|do)|\W*$))"
)
_APOLOGY = (
    r"(?:(?:i'?m|i am|we are|we're)\s+(?:very |so |really |truly |deeply )?sorry"
    r"|sorry|(?:i|we) apologi[sz]e|(?:my )?apologies)"
)
_SORRY = rf"(?:{_APOLOGY}|unfortunately|regret\w*|as an ai(?: \w+){{0,3}})"
_START = (
    r"(?:^|(?<=[.!?;:,\u2014\])>])[ \t]"
    r"|\b(?:but|so|and|however|therefore|thus|hence|because|since)[ \t])"
)
_HARD = re.compile(
    rf"{_START}[ \t*_#>-]*(?P<clause>(?:{_SORRY}[\s,.;:-]*)?(?:but |that |however,? )?"
    rf"(?:(?:i|we)(?: (?:really|simply|just|therefore"
    rf"|also))? ?(?:{_CANNOT} (?:{_SERVE})|{_DECLINE})"
    rf"|(?:unable|not able|cannot|can't|won't) (?:to )?(?:{_SERVE})"
    rf"|{_APOLOGY}[\s,]*(?:but )?(?:i|we) ?{_CANNOT} (?!see|find|tell|decide"
    rf"|choose|agree"
    r"|say|distinguish|determine|pick|detect|spot|separate|prefer|help but"
    r"|judge|compare"
    r"|evaluate|assess|review|rate|grade|score|rank|give|make|recommend|call|name)\w"
    rf"|{_APOLOGY}[\s,]*(?:but )?(?:this|that|the|your) (?:request|content|task"
    rf"|question"
    r"|conversation|prompt|material|topic)\b))",
    re.IGNORECASE | re.MULTILINE,
)
_SOFT = re.compile(
    rf"{_START}[ \t*_#>-]*(?P<clause>(?:{_SORRY}[\s,.;:-]*)?(?:but |that |however,? )?"
    rf"(?:(?:i|we) ?{_CANNOT} (?:{_JUDGE})"
    r"|(?:there is |i have |i give |i reach )?no (?:final )?(?:verdict"
    r"|judge?ment|decision)"
    r"(?: (?:is |can be |could be )?(?:given|possible|made"
    r"|reached))?(?=[ \t]*(?:[.!]|$))"
    r"|i will not guess|i won't guess"
    rf"|(?:unable|not able|cannot|can't) (?:to )?(?:{_JUDGE})"
    r"|(?:it|this|these|they|the (?:pair|two|responses|outputs|answers))"
    r" (?:cannot|can't|can not) be (?:judged|compared|evaluated|assessed|rated|graded"
    r"|scored)))",
    re.IGNORECASE | re.MULTILINE,
)
_MORE = re.compile(
    r"\b(?:i|we) (?:still |would )?need (?:(?:more|further|additional|the full|the"
    r" missing) )(?:info\w*|context|details?|time|data|text)\b",
    re.IGNORECASE,
)
# The same in other languages: an apology or "I cannot", and a verb of the task.
_ELSEWHERE = re.compile(
    r"(?:^|(?<=[.!?,;:\u3002\uff0c\uff01])\s?)[ \t*_]*(?:"
    r"(?:es )?tut mir (?:sehr )?leid|entschuldigung, (?:aber )?ich"
    r"|(?:leider )?(?:ich kann|kann ich|ich darf)[^.\n]{0,40} nicht (?:helfen"
    r"|behilflich"
    r"|weiterhelfen|beurteilen|bewerten|vergleichen|beantworten"
    r"|unterst\u00fctzen|bearbeiten"
    r"|nachkommen)"
    r"|(?:je suis )?d\u00e9sol\u00e9e?\b|je ne (?:peux"
    r"|puis) (?:pas )?(?:vous )?(?:aider"
    r"|juger|r\u00e9pondre|\u00e9valuer|comparer|donner|participer|traiter)"
    r"|lo siento|lo lamento|no puedo (?:ayudar|asistir|juzgar|evaluar|comparar"
    r"|responder"
    r"|cumplir|dar)|mi dispiace|non posso (?:aiutar|assister|giudicar|valutar|risponder"
    r"|fornir|confrontar)|desculpe|sinto muito|lamento, mas|n\u00e3o posso (?:ajudar"
    r"|julgar|avaliar|responder|comparar|auxiliar)|het spijt me|ik kan (?:hier|u|je|dit"
    r"|daar)[^.\n]{0,20} niet|jag kan (?:tyv\u00e4rr )?inte (?:hj\u00e4lpa|bed\u00f6ma)"
    r"|przykro mi|przepraszam, ale|nie mog\u0119 (?:pom\u00f3c|oceni\u0107)"
    r"|\u0438\u0437\u0432\u0438\u043d\u0438\u0442\u0435|\u043f\u0440\u043e\u0441\u0442"
    r"\u0438\u0442\u0435|\u044f \u043d\u0435 \u043c\u043e\u0433\u0443 (?:\u043f\u043e"
    r"\u043c\u043e\u0447|\u043e\u0446\u0435\u043d|\u0432\u044b\u043f\u043e\u043b\u043d"
    r"|\u043e\u0442\u0432\u0435\u0442)"
    r"|(?:\u5f88)?\u62b1\u6b49|\u5bf9\u4e0d\u8d77|\u5c0d\u4e0d\u8d77"
    r"|\u6211(?:\u65e0\u6cd5|\u4e0d\u80fd|\u7121\u6cd5)(?:\u534f\u52a9|\u5354\u52a9"
    r"|\u5e2e\u52a9|\u5e6b\u52a9|\u63d0\u4f9b|\u6ee1\u8db3|\u56de\u7b54|\u8bc4\u5224"
    r"|\u8bc4\u4f30|\u5b8c\u6210)"
    r"|\u7533\u3057\u8a33|\u3059\u307f\u307e\u305b\u3093|\uc8c4\uc1a1)",
    re.IGNORECASE | re.MULTILINE,
)
# What follows says that the words were somebody else's.
_OF_THEIRS = re.compile(
    r"[^.!?\n]{0,120}[.!?]?[\"')]?[ \t]*"
    r"(?:,? (?:says?|said|writes|wrote|replies|states|claims) (?:response|assistant"
    r"|answer|output|the|it|a|b)\b|is (?:all|what|the|how)\b)",
    re.IGNORECASE,
)


# What a reply without any verdict may say more loosely.
_LOOSE = re.compile(
    r"(?:^|[.!?\]][\"')\]}]*[ \t]+)[*_ \t]{0,4}(?:unfortunately,? |sorry,? (?:but )?)?"
    r"(?:i(?:'m| am) (?:very |so )?sorry,? (?:but )?(?:i|this|that)\b"
    r"|i (?:can(?:'|no)t|can not|won't|will not|(?:am|'m) (?:unable|not able) to) "
    r"(?:assist|help|comply|fulfill?|engage|participate|continue|process|"
    r"(?:judge|compare|evaluate|rate|review) (?:this|these|those|such|content))\b)",
    re.IGNORECASE | re.MULTILINE,
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
    view = view.replace("\u2019", "'")
    if _own(_HARD, view) or _own(_ELSEWHERE, view):
        return Declined.THE_TASK
    if _own(_SOFT, view) or (after is not None and _MORE.search(view, after)):
        return Declined.TO_JUDGE
    return None


def is_refusal(text: str) -> bool:
    """Whether a text without a verdict plainly declines (not: cannot decide)."""
    plain = text.replace("\u2019", "'")
    return _LOOSE.search(plain) is not None or declined(plain) is Declined.THE_TASK


def _own(form: re.Pattern[str], view: str) -> bool:
    """Whether the reply itself says so somewhere, and reports it of nobody."""
    for match in islice(form.finditer(view), _MOST_CLAUSES):
        start, end = match.span()
        line = view.rfind("\n", max(0, start - 400), start + 1) + 1
        if _OF_THEIRS.match(view, end) or reported_before(view[line:start] + " "):
            continue
        if not view[line:start].strip(" \t*_#>-") and reported_above(view, line):
            continue
        return True
    return False
