"""The clauses by which a reply declines in English, in small letters.

``CLAUSE`` matches at the start of a clause. The group ``hard`` is declining the task as
such ("I can't assist with that"), ``soft`` saying that nothing can be judged ("neither
response was provided"). ``RULES`` is searched for: its own rules forbid it.
"""

from __future__ import annotations

import re


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_TASK = (
    r"(?:th(?:is|at|ese|ose)|such|it|them|the (?:pair|two|responses?|outputs?|answers?"
    r"|content|case|request|task|material|texts?|question|comparison)|your|any|either"
    r"|both|here|further|fairly|people|persons)\b(?! (?:one|response|answer|output)?"
    r" ?(?:higher|better|above|over|as\b|to be|more|worse))"
)
_PRODUCT = (
    r"(?:verdict|judge?ment|answer|evaluation|comparison|assessment|opinion|rating"
    r"|preference|decision|response|choice|mark|score|recommendation|ruling)s?"
)
_END = (
    r"(?=\s*(?:[.,;!?)\u2013\u2014\u2026-]|$)|\s+(?:because|since|as|due|without|based"
    r"|from))"
)
_STOP = r"(?=[ \t]*(?:[.!\u2026]|$))"
_CANNOT = (
    r"(?:(?:can(?:no|')?t|can not|won't|will not|would(?: rather)? not|wouldn't"
    r"|(?:am|'m|are|'re) (?:unable|not (?:able|allowed|permitted|going|willing"
    r"|in a position|comfortable|designed|programmed|trained|authori[sz]ed|qualified"
    r"|equipped|built|meant|prepared|inclined)|unwilling|afraid i can't)"
    r"(?: to)?|shouldn't|should not|(?:will|would) not be able to|won't be able to"
    r"|must not|may not|could not|couldn't|never|do(?: not|n't)"
    r"(?: (?:want|wish|intend) to|(?: think| believe| feel)(?: that)? i"
    r" (?:can|could|should|am able to))?)"
    r"(?: (?:really|in good conscience|ethically|currently|possibly|safely|honestly"
    r"|properly|reliably|meaningfully|responsibly))?)"
)
# Not complying with what a response demands is what a judge should do.
_THEIRS = (
    r"(?![^.\n]{0,60}\b(?:instructions?|inject\w*|demands?|embedded|commands?"
    r"|responses?|[ab])\b)"
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
    r"|deliver|form|pass|come to)"
    rf" (?:\w+ ){{0,3}}{_PRODUCT}\b"
)
_JUDGING = (
    r"(?:judging|comparing|evaluating|assessing|rating|ranking|scoring|grading"
    r"|reviewing|answering|providing|giving|making|engaging|discussing|helping|doing"
    r"|choosing|picking|continuing|participating|offering|weighing)"
)
_DECLINE = (
    r"(?:(?:must|have to|need to|will|would|'ll|'d(?: rather)?|shall)?"
    r"(?: (?:respectfully|politely|therefore))? ?"
    r"(?:decline|refuse|abstain from (?:judging|comparing|choosing))"
    r"(?= to (?:judge|compare|evaluate|assess|answer|help|assist|give|provide|do|engage"
    r"|participate|comply|rate|review|choose|continue|say|make|render|respond|take)\b"
    r"| (?:this|that|the|your) (?:task|request|comparison)\b|\W*$|[.,;!])"
    r"|(?:'d|would) (?:rather|prefer) not(?: to)?(?= (?:judge|say|answer|compare|help"
    r"|assist|do)|\s*[.,;!]|\W*$))"
)
_APOLOGY = (
    r"(?:(?:i'?m|i am|we are|we're)\s+(?:very |so |really |truly |deeply )?sorry"
    r"|sorry|(?:i|we) apologi[sz]e|(?:my )?apologies)"
)
_SORRY = (
    rf"(?:{_APOLOGY}|i(?:'m| am) afraid(?: that)?|unfortunately|regret\w*"
    r"|as an? (?:ai|(?:large )?language model)(?: \w+){0,3}?)"
)
_ME = (
    r"(?:i|we)(?: (?:really|simply|just|therefore|also|personally|honestly"
    r"|respectfully))?"
)
_UNEASY = (
    r"(?:i|we)(?:(?:'m|'re| am| are) not| do(?: not|n't) feel| would(?: not|n't)"
    r" (?:be|feel)|(?:'m|'re| am| are)?(?: feel| find it)? un)"
    r"(?: (?:at all|really|very|entirely|quite))? ?comfortable"
    rf"(?= {_JUDGING}\b| with (?:this|that|these|the (?:request|task|content|topic"
    r"|material|comparison))\b| to\b|\s*(?:[.,;!]|$))"
)
_BLOCKED = (
    r"(?:(?:this|your) )?(?:request|content|prompt|conversation|comparison|query)(?:"
    r" (?:has been|was|is))? (?:blocked|filtered|refused|denied|rejected|flagged"
    r"|declined|not allowed|not permitted|prohibited|disallowed|withheld)"
    r"(?=\s*(?:[.!;]|$)| (?:by|due to) (?:the |our |a )?(?:content|safety|filter"
    r"|polic))"
)
# What begins with "I" and what does not are kept apart, since most clauses do not.
_I_HARD = (
    rf"{_ME} ?(?:{_CANNOT} (?:{_SERVE})|{_DECLINE})|{_UNEASY}"
    r"|(?:i|we)(?:'m|'re| am| are) (?:prohibited|forbidden|barred|restricted|prevented"
    r"|precluded)\b"
)
_HARD = (
    rf"(?:unable|not able|cannot|can't|won't) (?:to )?(?:{_SERVE})"
    rf"|(?=[isamw]){_APOLOGY}[\s,]*(?:but )?(?:(?:i|we) ?{_CANNOT} (?!see|find|tell"
    r"|decide|choose|agree|say|distinguish|determine|pick|detect|spot|separate|prefer"
    r"|help but|judge|compare|think|believe|feel|have|know|want|evaluate|assess|review"
    r"|rate|grade|score|rank|give|make|recommend|call|name)\w"
    r"|(?:this|that|the|your) (?:request|content|task|question|conversation|prompt"
    r"|material|topic)\b)"
    r"|(?=[ti])(?:this|that|it)(?: is|'s)? (?:something|nothing|a (?:thing|task|request"
    r"|comparison))(?: that)? (?:i|we) (?:won't|will not|can't|cannot|must not|may not"
    r"|refuse to|decline to|am not (?:able|willing|allowed) to|can (?!only|rate|judge))"
    r"|(?=[ti])(?:this|that|it)(?: is|'s| falls| goes| lies)? (?:outside|beyond)(?: "
    r"of)?"
    r" (?:(?:the scope of )?what (?:i|we) (?:can|may|am able)|my (?:abilit|capabilit"
    r"|remit|scope|role|competence|mandate))"
    rf"|(?=[tyrcpq]){_BLOCKED}|(?:declined|refused){_STOP}"
)
_GIVEN = (
    r"(?:provided|given|included|supplied|shown|present|visible|attached|submitted"
    r"|available|there)(?=\s*(?:[.,;!)\u2026]|$)| (?:to me|here|for me"
    r"|in (?:the|this|your))\b)"
)
_TEXTS = r"(?:responses|answers|outputs|texts|replies|candidates)"
_MISSING = (
    r"(?:neither|none|no) (?:of the )?(?:\w+ )?(?:responses?|answers?|outputs?|texts?"
    r"|candidates?|assistants?|reply|replies|materials?|content|pair)(?:'s \w+)?"
    rf" (?:was|were|is|are|has been|have been|seems? to (?:be|have been)) {_GIVEN}"
    rf"|(?:the|both|these)(?: two| \w+)? {_TEXTS} (?:(?:are|were) (?:both )?(?:missing"
    rf"|absent|not {_GIVEN})|(?:aren't|weren't|haven't been|have not been) {_GIVEN})"
    r"|(?:there (?:is|are|was|were) )?(?:no|nothing)(?: \w+){0,3}? to (?:judge"
    r"|compare"
    rf"|evaluate|assess|rate)(?: {_TASK}|{_END})"
    rf"|there (?:are|were) no(?: \w+)? {_TEXTS}(?: (?:here"
    rf"|given|provided|shown|above))?{_STOP}"
    r"|you (?:did not|didn't|haven't|have not|forgot to) (?:actually )?(?:provided?"
    rf"|included?|give|given|pasted?|shared?|supply|attach)[^.\n]{{0,30}}\b{_TEXTS}\b"
    r"|please (?:provide|share|paste|supply|send|include|give|resend|attach|submit)"
    r"(?: me)?(?: with)? (?:the|both|two|your|a|all|more|additional|further)\b"
    r"[^.\n]{0,40}\b(?:responses?|answers|outputs|texts?|candidates|context"
    r"|information|details|pair|material)\b"
)
_I_MISS = (
    r"(?:i|we) (?:do not|don't|can't|cannot|could not|couldn't|did not|didn't"
    r"|haven't|have not|see no|have no|received no)(?: (?:see|find|have|receive"
    r"|received|get|been given|been provided(?: with)?))?(?: (?:any|the|either|two"
    r"|both|actual|\w+)){0,2}"
    rf" {_TEXTS}(?: (?:to \w+|here|provided|given|above))?{_STOP}"
)
_IMPOSSIBLE = (
    r"(?:(?:it|this)(?:'s| is| would be)(?: not)? )?(?:not possible|not appropriate"
    r"|not ethical|not feasible|inappropriate|unethical|improper|impossible|not my"
    r" place)"
    rf"(?: for (?:me|us|an ai))? to (?:{_JUDGE})"
    r"|(?:judging|comparing|evaluating|assessing|rating|ranking|a (?:\w+"
    r" )?(?:comparison|judge?ment|verdict|evaluation|decision))(?: \w+){0,4} (?:is"
    r"|would be|isn't|wouldn't be) (?:not (?:possible|appropriate|feasible|ethical)"
    r"|impossible|inappropriate)"
)
_NO_VERDICT = (
    r"no (?:final )?(?:verdict|judge?ment|decision)(?: (?:is |can be |could be"
    r" )?(?:given"
    rf"|possible|made|reached))?{_STOP}"
)
_I_SOFT = (
    rf"{_ME} ?{_CANNOT} (?:{_JUDGE}|be (?:judging|comparing|evaluating|assessing|rating"
    r"|providing|giving|offering|making|engaging|participating|continuing|answering)\b)"
    r"|(?:i|we) (?:do not|don't|never|cannot|can't) (?:take sides|express (?:an?y? )?"
    r"(?:opinion|preference)s?|have (?:any )?(?:opinions|preferences))\b"
    rf"|i (?:have|give|reach) {_NO_VERDICT}|i will not guess|i won't guess"
    r"|(?:i|we) ?(?:can't|cannot|can not|(?:am|'m|are|'re) (?:unable|not able) to"
    r"|couldn't|could not) (?:decide|tell|choose|pick|say|determine|settle|conclude)"
    rf"{_STOP}|(?:i|we)(?:'m|'re| am| are) undecided\b"
    r"|(?:i|we)(?:'ll| will|'d| would| must| have to)?(?: rather| have to)? (?:pass"
    rf"|abstain|recuse myself)(?: on (?:this|that|these|it)(?: one| pair| case| "
    rf"comparison)?\b)?{_STOP}"
    r"|(?:i|we) (?:do not have|don't have|have no|lack) (?:an? |any |the |enough"
    r" |sufficient )?(?:\w+ )?(?:basis|grounds|means|way|ability|authority|context"
    r"|information|data) (?:to (?:judge|compare|evaluate|assess|decide|choose|rate"
    r"|determine|make)|for (?:an?|any|judging|comparing))\b"
    rf"|{_I_MISS}"
)
_SOFT = (
    rf"(?:there is )?{_NO_VERDICT}|(?:unable|not able|cannot|can't) (?:to"
    rf" )?(?:{_JUDGE})"
    r"|(?=[ti])(?:it|this|these|they|the (?:pair|two|responses|outputs|answers))"
    r" (?:cannot|can't|can not) be (?:judged|compared|evaluated|assessed|rated|graded"
    rf"|scored|decided)|{_MISSING}|{_IMPOSSIBLE}"
)
_LINK = r"(?:(?:but|that|so|and|however|therefore|thus|hence|because|since)[ ,]+)*"

CLAUSE = re.compile(
    rf"(?:(?=[aimrsuw]){_SORRY}[\s,.;:-]*)?(?:(?=[abhst]){_LINK})?"
    rf"(?:(?=[iw])(?:(?P<hard>{_I_HARD})|(?P<soft>{_I_SOFT}))"
    rf"|(?P<hard_too>{_HARD})|(?P<soft_too>{_SOFT}))",
    re.MULTILINE,
)
_OWN_RULES = (
    r"(?:\w+ ){0,3}?(?:guidelines?|polic(?:y|ies)|programming|principles|rules"
    r"|instructions|training|values|standards)\b"
)
RULES = re.compile(
    r"\b(?:violat(?:es?|ing)|breach(?:es)?|(?:goes|go|is|are|be) against|conflicts?"
    r" with|contravenes?|infringes?|prohibited (?:by|under)|not (?:allowed|permitted)"
    r" (?:by|under)|outside(?: of)?|runs? (?:counter to|afoul of)) "
    rf"(?:(?:my|our) {_OWN_RULES}|(?:the )?(?:(?:openai|anthropic|google)(?:'s)? )?"
    r"(?:usage|safety) (?:polic|guideline))"
    rf"|\b(?:my|our) {_OWN_RULES}(?: (?:also|simply))? (?:prevents?|prohibits?"
    rf"|forbids?"
    r"|bars?|stops?|keeps?|do(?:es)?(?: not|n't) (?:allow|permit|let))\b"
)
RULE_STEMS = ("guideline", "polic", "programming", "principle", "my rules",
              "our rules", "my training", "my instructions", "my values")  # fmt: skip


def is_hard(match: re.Match[str]) -> bool:
    """Whether a match of ``CLAUSE`` declines the task as such."""
    return (match["hard"] or match["hard_too"]) is not None


# No clause declines without words of these kinds.
_SPEAKERS = _listed("i we you i'm we're i'd we'd i'll we'll im i've we've")
_DENIALS = _listed(
    "can't cannot cant not won't unable unwilling never don't wouldn't shouldn't"
    " couldn't didn't haven't decline refuse abstain rather prefer undecided pass"
    " recuse lack uncomfortable outside beyond"
    " prohibited forbidden barred restricted prevented"
    " precluded no forgot"
)
_ALONE = _listed(
    "unable sorry apologies apologize apologise blocked filtered refused denied"
    " rejected flagged declined prohibited disallowed withheld neither none nothing"
    " missing absent aren't weren't haven't impossible inappropriate unethical"
    " improper please cannot can't won't no"
)
_WITH_NOT = _listed(
    "able allowed permitted possible appropriate ethical feasible place provided given"
    " included supplied shown present visible attached submitted available there"
    " judged compared evaluated assessed rated graded scored decided"
)


def may_decline(words: frozenset[str]) -> bool:
    """Whether a text with these words, in small letters, can hold such a clause."""
    if not _ALONE.isdisjoint(words):
        return True
    if "not" in words and not _WITH_NOT.isdisjoint(words):
        return True
    return not (_SPEAKERS.isdisjoint(words) or _DENIALS.isdisjoint(words))
