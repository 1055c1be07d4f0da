"""English sentences of nothing but words about who wins, in whatever order.

``claims_english`` knows the usual clauses. What it does not know still names a winner
where a sentence holds the name of one response, a word for winning or losing, and no
word that is not listed here ("This one goes to B", "B should be ranked first"). So a
sentence that speaks of tone, or under a condition, says nothing.
"""

from __future__ import annotations

import re

from annotation.domain.outcomes import SlotChoice
from judging.domain.formats.claims_english import ANY_NAME


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_WINNING = _listed(
    "better best superior stronger strongest preferred preferable prefer prefers"
    " favour favor favoured favored favourite favorite wins win winner winning won"
    " victor victory victorious triumphs prevails vote votes choose choosing chosen"
    " choice pick picked picks select selected recommend recommended rank ranked ranks"
    " nod edge edges ahead crown beats outperforms surpasses outranks outclasses tops"
    " verdict decision preference goes belongs give award hand leads > >>"
)
_LOSING = _listed(
    "worse worst weaker weakest inferior loser loses lost losing falls lags trails"
    " behind compete beaten outperformed outclassed surpassed < <<"
)
_FILLERS = _listed(
    "read the an this that these it its one ones i i'd i'll i've i'm we we'd my me our"
    " would will should must do does have has been be being is are to of by in on at"
    " for with as from and then so thus therefore hence which overall all end sum"
    " short final finally clear clearly much far slightly easily hands down still now"
    " again here two response responses answer answers assistant output outputs option"
    " reply considered everything things honestly frankly point set match case pair"
    " time day number first second place top out over above than before against"
    " instead rather compared who ought deserves deserve definitely simply really just"
    " most who what conclusion summary judgement judgment opinion view eyes mind clean"
    " sweep cannot can't not"
)
_DENIALS = frozenset({"cannot", "can't", "not"})
_NAMES = _listed("a b 1 2")
_ALLOWED = _WINNING | _LOSING | _FILLERS | _NAMES
_TOKEN = re.compile(r"[\w']+|[<>]+")
_OTHER = rf"(?:the )?(?:{ANY_NAME}|other(?: one| response| answer)?)"
_OBJECT = re.compile(
    r"\b(?P<verb>(?:than|over|above|before|ahead of|against|instead of|rather than"
    r"|and not|not|behind|compared (?:to|with)|(?:superior|inferior|preferable"
    r"|preferred"
    r"|loses|lost) to|(?:beaten|outperformed|outclassed|surpassed) by|compete with"
    r"|beats|outperforms|surpasses|outranks|outclasses|tops|edges out))"
    rf" {_OTHER}(?![\w'])|(?P<sign>[<>]+) ?{_OTHER}(?![\w'])"
)
_NAME = re.compile(
    r"(?:\b(?:response|answer|assistant|output|option|reply) |(?<![\w']))"
    r"\(?(?P<who>[ab12])\b\)?(?!')"
)
_NOUNED = re.compile(
    r"\b(?:response|answer|assistant|output|option|reply) \(?(?P<who>[ab12])\b"
)
_COMPETES = frozenset({"cannot", "can't"})


def plain_winner(sentence: str) -> SlotChoice | None:
    """Give the winner that a sentence in small letters names in such words alone."""
    words: list[str] = []
    if "[" in sentence:  # brackets are for the notation's own reader
        return None
    for token in _TOKEN.finditer(sentence):
        if token[0] not in _ALLOWED:
            return None
        words.append(token[0])
    is_better = not _WINNING.isdisjoint(words)
    is_worse = not _LOSING.isdisjoint(words)
    if is_better is is_worse:
        return None
    left = _OBJECT.sub(lambda each: f" {each['verb'] or each['sign']} ", sentence)
    denials = _DENIALS.intersection(_TOKEN.findall(left))
    if denials - (_COMPETES if "compete" in words else frozenset()):
        return None
    who = _subject(left)
    if who is None:
        return None
    return SlotChoice.FIRST if (who in "a1") is is_better else SlotChoice.SECOND


def _subject(text: str) -> str | None:
    """Give the one response that is named; a lone "a" may be no name."""
    nouned = _NOUNED.findall(text)
    found = nouned or _NAME.findall(text)
    return found[0] if len(found) == 1 or (nouned and len(set(found)) == 1) else None
