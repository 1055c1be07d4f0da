"""What the sentences of a reply say about which response is the better one.

A judge that writes "Response A is better in every way" and then a verdict for B is at
odds with itself. So each sentence near a verdict is asked what outcomes it leaves open:
"A is better" leaves the first response, "A is no better" the second and a tie. What is
said of one point only ("better on tone"), under a condition, or by somebody else leaves
everything open.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from annotation.domain.outcomes import SlotChoice
from judging.domain.formats.claims_denied import denied_or_ranked
from judging.domain.formats.claims_english import ANY_NAME, BEGINNINGS, CLAIM, LED_NAME
from judging.domain.formats.claims_plain import plain_winner
from judging.domain.formats.reporting import is_own
from judging.domain.formats.sentences import SIGNS, bare, sentences
from judging.domain.formats.winners_elsewhere import winner_elsewhere

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONG_LABEL = 4
_MOST_CLAUSES, _LONGEST = 12, 400
_FIRST, _SECOND, _TIE = SlotChoice.FIRST, SlotChoice.SECOND, SlotChoice.TIE
# Where a clause may begin inside a sentence.
_CLAUSE = re.compile(
    r"(?:[,:(\u2013\u2014]|(?<= )-+>?|\u2192) *|\b(?:so|thus|therefore|hence|that|but"
    r"|and|then|actually|yet) | (?=i(?:'d|'ll|'m| now| still| would| choose| prefer| "
    r"side"
    r"| pick| select| vote| favou?r| opt| lean| must| will)\b)"
)
_SO = re.compile(r"[,;] (?=(?:and )?(?:so|thus|therefore|hence|which)\b)")
_LAST_OF_A_NAME = frozenset("ab12)")
_FIRST_WORD = re.compile(r"[ (]*([^\W_]+)")
_NO_LEAD = re.compile(r"(?:(?:and|that|then|but|still|or|now)[ ,:]*)*")
_REVISES = re.compile(
    r"again|once more|\bmind\b|rather|instead|sorry|actual|this pair|meant|correct"
    r"|amend|revis|updat|chang|\bnew\b|really|thought|reconsider|edit|fix|winner"
    r"|verdict"
)
_UNSURE = re.compile(
    r"^\W*(?:were|had|should)\b|\b(?:if (?!i(?:'m| am) honest|pressed|anything|i "
    r"(?:must|have to|had to))|unless"
    r"|whether|had|suppos\w+|assum\w+|imagine|in case|otherwise|maybe"
    r"|perhaps|possibly|might|could|may|would have|not (?:say|think|believe|claim|mean)"
    r"|n't (?:say|think|believe|claim|mean)|deny|doubt|one (?:might|could)|according to"
    r"|(?:do|does|did) not mean|claims?|claimed|pretends?|insists?|at first|initially"
    r"|first glance|first sight|first impression|tempting|tempted"
    r"|example)\b"
)
_CONCEDES = re.compile(
    r"^\W*(?:and |but |so )?(?:even )?(?:although|though|while|whereas|because|since"
    r"|as|when|where|despite|how|why|what(?! i mean)|whatever|wherever|until|till"
    r"|where)\b"
)
_ON_ONE_POINT = re.compile(
    r"^\W*(?:and |but |so |yet )?(?:(?:purely |just |only |solely |merely )?(?:in terms"
    r" of|regarding|with (?:respect|regard) to|as (?:for|to|regards)|when it comes"
    r"|concerning|judging by|judged by|measured by|by|under)\b"
    r"|(?:from an?|from the) [\w -]{1,40}$"
    r"|(?:on|for|in|at) (?!balance|reflection|(?:the )?whole|closer|second|(?:a )?re"
    r"|the"
    r" end|end|my|all|th(?:is|ese|ose|at)\b|short|sum|conclusion|total|fact|truth|light"
    r"|hindsight|further|deeper|careful|view|these|comparison|general|last|least|other"
    r" words|once|every)"
    r"|(?:stylistic|grammatic|factual|formal|technical|structural|linguistic|visual"
    r"|superficial|rhetoric|historical|typographic|logical)\w*ly\W*$)"
)
_LABEL = re.compile(
    r"verdict|conclu|overall|summar|result|final|winner|judg|deci|choice|answer|prefer"
    r"|typo|addend|errat|corr|update|edit|revis|\bre-\w+|\bre(?:read|check|vis|vie|eval"
    r"|consid|think|assess)|note|\bp\.? ?s\b|fazit|thought"
    r"|second"
    r"|outcome|ultimate|assessment|evaluation|wait|look|hindsight|reflection|actual"
    r"|scratch|clear|short|sum|therefore|because|better|reason|ranking"
    r"|amend|\bnew\b|\bnow\b|again|once more|\bmind\b|letter|mixed|swap|precis|truth"
    r"|fact|honest|rather|instead"
    r"|this pair"
)
_SAYS = re.compile(
    r"\b(?:sa(?:ys|id)|states?|stated|writes|wrote|tells?|told(?<!all told)|asks?"
    r"|asked|demands?"
    r"|wants?|argues?|asserts?|announces|declares|suggests|concludes|reads|repeats"
    r"|promises|boasts|mentions|instructs)\b(?<!i say)"
)
# "The final answer is 2" may answer the case's own question.
_OF_THE_CASE = re.compile(
    r"^(?!.*\b(?:my|better|best|prefer\w+|response|assistant"
    r"|option)\b).*\b(?:answer|result|outcome|final)\b"
)
_SWAYS = re.compile(r"\b(?:if|unless|whereas|only|apart|aside|when|provided|except)\b")
_BUT = re.compile(r"\b(?:but|however|yet|though|although)\b")
_NAME = re.compile(ANY_NAME)
_TURNS = re.compile(
    r"^\W*(?:but|however|yet|still|nevertheless|nonetheless|that said|having said that"
    r"|on the other hand|even so|though|although|conversely|by contrast|in contrast"
    r"|aber|jedoch|mais|cependant|pero|sin embargo|ma |per\u00f2|mas|por\u00e9m|maar"
    r"|men |ale|\u043d\u043e|\u043e\u0434\u043d\u0430\u043a\u043e"
    r"|\u4f46|\u7136\u800c|\u4e0d\u8fc7|\u3057\u304b\u3057|\ud558\uc9c0\ub9cc)\b"
)
_NAMED_FIRST = frozenset({"a", "1", "one", "first"})
_TIED = ("even", "tied", "labelled_tie", "meant_tie")
_GROUPS = ("subject", "chosen", "chosen_so", "ranked", "given", "labelled", "meant",
           "led")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Claim:
    """What a sentence leaves open.

    ``even`` says only that both are equally good; a ``label`` is no sentence ("Choice:
    A").
    """

    leaves: frozenset[SlotChoice]
    even: bool = False
    label: bool = False

    def opposes(self, choice: SlotChoice) -> bool:
        """Whether a verdict for ``choice`` is at odds with it."""
        return choice not in self.leaves


# "The other response wins": opposes any verdict that stands before it.
_THE_OTHER = Claim(frozenset())


def last_claim(text: str, most: int) -> tuple[Claim | None, bool]:
    """Give the last claim among a text's last sentences, if nothing turns behind it.

    Also whether it closes the text with a colon, and so leads up to what follows.
    """
    spans = sentences(text, 0)
    is_closing = True
    for start, end in spans[: -most - 1 : -1]:
        found = claim_of(text, start, end)
        if found is not None and found is not _THE_OTHER:
            leads = is_closing and text[start:end].rstrip(" \t*_`").endswith(":")
            return found, leads
        if _TURNS.match(text[start:end]):
            break
        is_closing = False
    return None, False


def claims_after(text: str, place: int) -> Iterator[tuple[Claim, int]]:
    """Yield each claim behind a place, and where its sentence ends."""
    for start, end in sentences(text, place):
        found = claim_of(text, start, end, behind=True)
        if found is not None:
            yield found, end


def claim_of(text: str, start: int, end: int, *, behind: bool = False) -> Claim | None:
    """Say what one sentence claims, the last of its clauses that does.

    ``behind`` a verdict a claim counts even if it is softened ("A wins, but B ...").
    """
    sentence = bare(text, start, end)
    sentence = sentence[:_LONGEST]
    if not sentence or text[end : end + 1] in ("?", "\uff1f"):
        return None
    leaves = denied_or_ranked(sentence.rstrip(SIGNS + ".!"))
    found = Claim(leaves) if leaves else _in_english(sentence, behind=behind)
    if found is None:
        who = _in_plain_words(sentence) or winner_elsewhere(sentence)
        found = None if who is None else Claim(frozenset({who}))
    if found is None or not is_own(text, start, end):
        return None
    return found


def _in_plain_words(sentence: str) -> SlotChoice | None:
    """Ask a sentence, what follows its "so", and what follows a label of a verdict."""
    label, colon, rest = sentence.partition(":")
    if colon and _LABEL.search(label):
        sentence = rest
    found = plain_winner(sentence)
    if found is None and (so := _SO.search(sentence)) is not None:
        found = plain_winner(sentence[so.end() :])
    return found


def _in_english(sentence: str, *, behind: bool) -> Claim | None:
    if sentence[-1] in _LAST_OF_A_NAME:
        led = LED_NAME.fullmatch(sentence)
        if led is not None and _leads(led):
            return _claim(led)
    starts = [0, *(e.end() for e in islice(_CLAUSE.finditer(sentence), _MOST_CLAUSES))]
    found, covered = None, 0
    for at in starts:
        if at < covered or not _may_begin(sentence, at):
            continue
        match = CLAIM.match(sentence, at)
        if match is None or not _is_meant(sentence, at):
            continue
        covered = match.end()
        rest = sentence[covered:]
        if match["even"] and rest.strip(SIGNS + ".:!"):
            continue
        if not _is_softened(rest, behind=behind):
            found = _claim(match)
    return found


def _may_begin(sentence: str, at: int) -> bool:
    word = _FIRST_WORD.match(sentence, at)
    return word is not None and (word[1] in BEGINNINGS or word[1] == "re")


def _leads(match: re.Match[str]) -> bool:
    """Whether what stands before a bare name makes it the winner."""
    if match["label"] is not None:
        return _REVISES.search(match["label"]) is not None
    return _NO_LEAD.fullmatch(match["lead"]) is None


def _is_meant(sentence: str, at: int) -> bool:
    """Whether what stands before a clause leaves it a claim about the whole."""
    before = sentence[:at]
    if not before:
        return True
    label, colon, _ = before.rpartition(":")
    if colon and not _LABEL.search(label):
        return False
    label, dash, _ = before.rpartition(" \u2013 ")
    if dash and len(label.split()) < _LONG_LABEL and not _LABEL.search(label):
        return False
    parts = [each for each in before.split(",") if each.strip()] or [""]
    if _UNSURE.search(",".join(parts[-2:])) or _SAYS.search(parts[-1]):
        return False
    if any(_ON_ONE_POINT.match(each) for each in parts):
        return False
    closed = before.rstrip().endswith((",", ":", "(", "\u2013", "\u2014"))
    return closed or _CONCEDES.match(parts[-1]) is None


def _is_softened(rest: str, *, behind: bool) -> bool:
    if _SWAYS.search(rest):
        return True
    turn = None if behind else _BUT.search(rest)
    return turn is not None and _NAME.search(rest, turn.end()) is not None


def _claim(match: re.Match[str]) -> Claim | None:
    said = match.groupdict()
    if any(said.get(group) for group in _TIED):
        return Claim(frozenset({_TIE}), even=said.get("even") is not None)
    if said.get("the_other") or said.get("other"):
        agrees = said["is_worse"] or said["is_no_better"]
        return None if agrees else _THE_OTHER
    for group in ("labelled", "meant", "led"):
        if said.get(f"{group}_sign"):
            return _of_relation(said[f"{group}_left"], said[f"{group}_sign"])
    return _of_a_name(match[0], said)


def _of_a_name(text: str, said: dict[str, str | None]) -> Claim | None:
    group, name = next(
        (group, word)
        for group in _GROUPS
        if (word := said.get(group) or said.get(f"{group}_word"))
    )
    if group == "labelled" and name in "12" and _OF_THE_CASE.search(text):
        return None
    who = _FIRST if name in _NAMED_FIRST else _SECOND
    other = _SECOND if who is _FIRST else _FIRST
    if said.get("is_worse"):
        return Claim(frozenset({other}))
    leaves = frozenset({other, _TIE} if said.get("is_no_better") else {who})
    return Claim(leaves, label=group == "labelled")


def _of_relation(left: str | None, sign: str | None) -> Claim:
    if sign == "=":
        return Claim(frozenset({_TIE}))
    is_first = (left == "a") == (sign or "").startswith(">")
    return Claim(frozenset({_FIRST if is_first else _SECOND}))
