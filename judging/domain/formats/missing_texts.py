"""Whether a reply says that it was not given both responses.

A judge that "sees only one response", or for whom "the responses did not load", has
nothing to compare. What a response leaves out ("Response B is missing the date") is no
such thing.
"""

# Letters of other scripts look like others, and that is what they are here for.

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST = 100
# Nobody says so without a word of each of these kinds, or one of these beginnings.
_ARRIVING = frozenset(
    """
    load loaded loading through arrive arrived render rendered displayed display
    transmitted retrieved retrieve fetched access accessed uploaded attached visible
    shown appear appeared open opened reached prompt input message request context
    conversation view read see find
    """.split()  # noqa: SIM905 - as text, a word is found at a glance
)
_DENYING = frozenset(
    """
    not no didn't don't doesn't failed fail never couldn't cannot can't hasn't haven't
    wasn't weren't isn't aren't neither unable missing blank absent empty cut
    """.split()  # noqa: SIM905
)
_GONE, _ONLY = frozenset({"missing", "absent"}), frozenset({"only", "just", "half"})
_BEGINNINGS = (
    "only one", "only a ", "only 1", "only half", "only the first", "only the second",
    "just one", "just a single", "only see", "only have", "only had", "only got",
    "only get", "only received", "only receive", "only find", "only found", "only been",
    "only given", "only shown", "given just", "given only", "shown just",
    "shown only", "just see", "half of the",
)  # fmt: skip
_TEXT = (
    r"(?:responses?|answers?|outputs?|replies|reply|candidates?|assistants?|texts?"
    r"|files?|attachments?|messages?|materials?|content|pair)"
)
_TEXTS = (
    r"(?:the (?:content|text|body|wording)s? of )?"
    rf"(?:the|both|these|those|either|neither|no|one|your|any|all)(?: of the)?"
    rf"(?: \w+){{0,2}}? {_TEXT}(?: (?:texts?|[ab12]|contents?))?"
)
_ARRIVES = (
    r"(?:load(?:ed|ing)?|come through|came through|go through|get through|got through"
    r"|arrived?|appear(?:ed)?|show(?:ed|n)?(?: up)?|display(?:ed)?|render(?:ed)?"
    r"|open(?:ed)?|transmit(?:ted)?|retrieved?|fetched|accessed|reached? me"
    r"|upload(?:ed)?"
    r"|attach(?:ed)?|available|visible)"
)
_STOP = (
    r"(?=\s*(?:[.,;!?)\u2013\u2014\u2026-]|\Z|\n)| (?:here|for me|properly|correctly"
    r"|on my|in (?:my|the|this|your)|at all|to me|so|and|because)\b)"
)
_ONE = (
    rf"(?:only |just )?(?:one|1|a single|half|the (?:first|second))(?: of the(?: "
    rf"two)?)?"
    rf"(?: (?:single|of the))?(?: {_TEXT})"
)
_GIVEN = (
    r"(?:provided|given|included|supplied|shown|present|visible|attached|submitted"
    r"|available|there|here|displayed)"
)
_MISSING = re.compile(
    r"(?:\A|[\n.!?;:,\u2014(>]|\b(?:but|that|because|since|as|so|and|sorry)\b)"
    r"[ \t*_#>-]*(?:unfortunately,? |it (?:seems|looks|appears)(?: like| as if)?(?: "
    r"that)?"
    r" )?(?:"
    rf"{_TEXTS} (?:(?:did not|didn't|does not|doesn't|do not|don't|failed to|fail to"
    r"|could not be|couldn't be|cannot be|can't be|never|has not|have not|haven't"
    r"|hasn't"
    rf"|was not|were not|weren't|wasn't|is not|are not|aren't) ?(?:been "
    rf")?{_ARRIVES}{_STOP}"
    r"|(?:is|are|was|were|seems?(?: to be)?|appears? to be) (?:missing|absent|blank"
    r"|empty"
    r"|cut off) (?:from|in) (?:the|your|this|my) (?:prompt|input|message|request"
    r"|context"
    r"|conversation|data|material))"
    rf"|(?:no|neither)(?: of the)? (?:\w+ )?{_TEXT}(?: texts?| contents?)? "
    rf"(?:{_ARRIVES}|(?:was|were|has been"
    rf"|have"
    rf" been|is|are) {_ARRIVES}){_STOP}"
    r"|(?:i|we)(?: (?:can|could|do|did|have|was|were|am))?(?: only| just| but)+(?: "
    r"\w+)?"
    rf" (?:see|have|had|received?|got|get|find|found|given|shown|provided "
    rf"with) {_ONE}\b"
    r"|(?:i|we)(?:'m| am|'re| are|'ve been| was)? ?(?:cannot|can't|could not|couldn't"
    r"|unable to|not able to) (?:see|access|open|view|read|load|retrieve) (?:response"
    rf"|answer|output) [ab12]{_STOP}"
    r"|(?:the |this |your )?(?:prompt|input|message|request) (?:contains?|contained|has"
    rf"|had|includes?|holds?|shows?) (?:no|neither|only one|just one) (?:\w+ "
    rf")?{_TEXT}\b"
    rf"|(?:there (?:is|was) )?(?:only|just) {_ONE} ?(?:(?:is|was|has been|seems to be)"
    rf" {_GIVEN})?{_STOP}"
    rf"|(?:i|we) (?:was|were|have been|got) (?:given|shown|sent) (?:only|just) {_ONE}\b"
    r"|(?:one|half) of (?:the|these) (?:two )?(?:responses|answers|outputs|texts) (?:is"
    r"|was) (?:missing|absent|not (?:there|given|provided|included|shown))"
    r"|(?:i|we)(?:'ve| have| had| do not have| don't have| can(?:not|'t) get)(?: been"
    r" given)?(?: no| any)? access to (?:the|either|both|any|these|those)(?: \w+)?"
    rf" {_TEXT}\b"
    r"|(?:i|we) (?:cannot|can't|could not|couldn't|am unable to|was unable to) (?:see"
    r"|access|open|view|read|load|retrieve|find) (?:the|either|both|any|these|those"
    r"|your)"
    rf"(?: \w+)? {_TEXT}\b)"
)
_ELSEWHERE = re.compile(
    r"\bich (?:sehe|habe|erhielt|bekam)(?: \w+){0,2} (?:nur eine"
    r"|keine) antwort(?:en)?\b(?! \w+ (?:gut|falsch|richtig))"
    r"|\bes (?:liegt|liegen|wurde|wurden"
    r"|gibt)(?: \w+)? (?:nur eine|keine) antwort(?:en)?\b"
    r"|die antworten fehlen\b|les réponses n'ont pas été"
    r"|aucune réponse n'(?:a été|est)"
    r"|je ne vois qu'une(?: seule)? réponse|no se (?:han"
    r"|ha) proporcionado las? resp|\bs[oó]lo veo una respuesta"
    r"|le risposte non (?:sono|mi)|vedo una sola risposta"
    r"|não foram fornecidas|só vejo uma resposta"
    r"|ik zie maar één antwoord"
    r"|ответы не (?:были )?(?:предоставлены|загрузил|приложены)"
    r"|вижу только один ответ|(?:没有|未)提供(?:任何)?(?:回答|回复)"
    r"|我?只看到一个(?:回答|回复)|没有看到(?:任何)?(?:回答|回复)|回答が一つしか(?:あり"
    r"|見)"
    r"|응답이 제공되지 않|답변이 하나(?:만|뿐)"
)
_TEXTS_ELSEWHERE = frozenset(
    """
    antwort antworten réponse réponses respuesta respuestas risposta risposte resposta
    antwoord
    """.split()  # noqa: SIM905
)
_OTHER_LETTERS = re.compile(r"[\u0400-\u1fff\u3040-\ud7ff]")
_HAS_ACCESS = re.compile(r"(?:have|had|'ve) access to\b")


def missing_texts(view: str, words: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yield where a text in small letters, with these words, says so."""
    if not _TEXTS_ELSEWHERE.isdisjoint(words) or _OTHER_LETTERS.search(view):
        yield from (each.span() for each in islice(_ELSEWHERE.finditer(view), _MOST))
    is_denied = not (_ARRIVING.isdisjoint(words) or _DENYING.isdisjoint(words))
    if is_denied or not _GONE.isdisjoint(words):
        pass
    elif _ONLY.isdisjoint(words) or not any(map(view.__contains__, _BEGINNINGS)):
        return
    for found in islice(_MISSING.finditer(view), _MOST):
        if _HAS_ACCESS.search(found[0]) is None or "not have" in found[0]:
            yield found.span()
