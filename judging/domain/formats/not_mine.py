"""Words that make a lead one to something else than the judge's own verdict.

What is worse, rejected, an example, possible, demanded or somebody else's is led up to
in the same shape as a verdict, so such a lead is taken for none: in doubt no verdict.
"""

# Letters of other scripts look like others, and that is what they are here for.
# ruff: noqa: RUF001 - letters of other scripts are meant

from __future__ import annotations

import re

from judging.domain.formats.hiding import small

_HEADING = 60
_VERDICT = (
    r"(?:verdict|winner|choice|answer|decision|judge?ment|conclusion|rating|result)"
)
_NOT_NOW = (
    r"(?:previous|prior|old|earlier|initial|tentative|provisional|wrong|incorrect"
    r"|false|hypothetical|sample|dummy|injected|fake|forged|alleged|supposed|claimed"
    r"|suggested|proposed|desired|expected|intended|unwanted|rejected|discarded"
    r"|opposite|alternative|second|pending|placeholder|default|fallback)"
)
_CRITERION = (
    r"(?:accuracy|clarity|tone|style|grammar|relevance|helpfulness|depth|details?"
    r"|creativity|length|format(?:ting)?|safety|correctness|completeness|conciseness"
    r"|fluency|coherence|structure|politeness|usefulness|factuality|originality)"
)
_VETO = re.compile(
    rf"^\W*(?:level of )?{_CRITERION}(?:(?:,| and|,? &) {_CRITERION})*\W*$|"
    r"^(?:[\W\d]*)(?:the |my )?(?:worse|worst|weaker|losing|inferior|rejected|poorer)"
    r"(?: \w+){0,2}\W*$|^[\W\d]*(?:the )?losers?\W*$|\bi (?:would )?(?:reject|discard"
    r"|rule out)\W*$|^[\W\d]*errors?\b[^.:]{0,30}\bin\b|\b(?:rating|grade|score|mark)"
    r" (?:for|of) (?:the )?(?:\w+ )?[ab12]\b"
    rf"|\b{_VERDICT}\W{{1,3}}(?:draft|requested|demanded|preliminary|possible|example"
    r"|(?:that )?(?:in|by|of) (?:the )?(?:response|assistant|answer|output|b|a)\b"
    r"|(?:that )?(?:the )?(?:response|assistant|output|model)s?(?: [ab12])? \w+)"
    rf"|\b(?:draft|requested|demanded|preliminary|possible|example) {_VERDICT}\b"
    rf"|\b{_NOT_NOW} (?:\w+ )?{_VERDICT}s?\b|\bnot (?:my|the|a|yet) (?:\w+"
    rf" )?{_VERDICT}\b|\b{_VERDICT} (?:is )?(?:pending|withheld|omitted)\b"
    r"|\b(?:previous|other|another|earlier|careless|first|second|fellow|naive|some)"
    r" (?:annotator|judge|reviewer|rater|evaluator|labell?er|expert|person|model|people"
    r"|colleague)s?\b"
    rf"|\brunner.?up\b|\b(?:less|least) likely\b|\b(?:opposite|anything but|other than"
    rf"|except)\b"
    r"|\bas (?:requested|demanded|instructed|asked|told)\b|\b(?:per|according to"
    r"|quoting|citing) (?:the )?(?:response|assistant|answer|output"
    rf"|user|[ab]\b)|\b{_CRITERION}\W{{1,3}}(?:{_VERDICT}|winner)\b|\b{_VERDICT} (?:on"
    rf"|by|for|about|regarding|in terms of) (?:the )?(?:{_CRITERION}"
    r"|(?:first|second|question|turn|part|criterion|point)\b)"
    rf"|\b(?:its|his|her|their|your) (?:\w+ ){{0,2}}{_VERDICT}(?: is)?\W*$"
    r"|\b(?!(?:here|it|that|this|what)'s)\w+'s (?:\w+ ){0,2}(?:verdict|choice"
    r"|decision|judge?ment|conclusion)\W*$"
)
# What was meant once, or is not meant at all; in the last clause of a lead.
_NOT_NOW_OR_EVER = re.compile(
    r"\b(?:not|never|neither|nor|no longer|hardly|isn't|wasn't|aren't|don't|doesn't"
    r"|didn't|wouldn't|won't|can't|cannot|shouldn't|couldn't)\b(?! (?:only|just))"
    r"|\b(?:first|initial|gut|early|rough|spontaneous|immediate|knee-jerk|quick)"
    r" (?:impression|thought|reaction|guess|instinct|feeling|reading|take|look|pass"
    r"|idea"
    r"|inclination|hunch|glance|sight|response|draft|answer|verdict|choice|opinion"
    r"|assessment|judge?ment)\b"
    r"|\b(?:at first|initially|originally|previously|formerly|provisional\w*"
    r"|tentative\w*|preliminar\w*|hunch|impression|intuition|temptation|tempted"
    r"|inclined"
    r"|\w+ ago|almost|nearly|used to|consider(?:ed|ing) (?:\w+ing)|before (?:reading"
    r"|checking|looking|i|re)|(?:was|were|had"
    r"|been) (?:going|about|tempted|inclined|ready) to|(?:wanted|meant|intended|hoped"
    r"|planned|thought|assumed|guessed|had (?:\w+ )?(?:chosen|written|picked|said))\b)"
    r"|^\W*(?:the |scoring |grading )?rubric\W*$|\b(?:format|template|schema|syntax"
    r"|placeholder|drafts?|dummy|legend|menu"
    r"|boilerplate|criterion|hypothes\w+|rehearsal|mock|(?:should|must|would"
    r"|will|to) look(?: like)?)(?: is| was|\W)*$"
)
# The same in other languages: examples, drafts, losers, and what is worse.
_LATIN = (
    r"^\W*(?:seine?|ihre?|son(?! karar)|sa|leur|su|suo|sua|seu|zijn|haar|hans|hennes"
    r"|jego|jej)\s|\b(?:von|vom|de|du|van|av|af|di|od)\s(?:\w+ )?[ab12]\W*$"
    r"|\b(?:beispiel|ejemplo|exemple|esempio|exemplo|voorbeeld|exempel|eksempel|contoh"
    r"|esimerk|exemplu|verlier|unterlegen|schlechter|perdant|perdedor|perdente|pire\b"
    r"|moins bon|peor\b|peggior|pior\b|verliezer|slechter|taper\b|przegran|gorsz|kaybed"
    r"|kalah\b|lebih buruk|vesztes|rosszabb|huonompi)"
)
_OTHERS = (
    r"|\b(?:vorläufig|mögliche|przykład|příklad|príklad|örne[kğ]|ví dụ|péld|schwächer"
    r"|förlorare|sämre|dårligere|poražen|horší|daha kötü|tệ hơn|kém hơn|häviäj|пример"
    r"|приклад|проигра|хуже\b|худш|програв|гірш|χειρότερ|ηττημέν|χαμένο|خاسر)"
    r"|^\W*(?:его|её|ее|их)\s|παράδειγμα|דוגמ|مثال|مثلا|उदाहरण|উদাহরণ|ตัวอย่าง|예시"
    r"|예를 들|^\W*예\W*$|例如|示例|例子|^\W*例\W*$|(?:^"
    r"|[い悪良つ記使回答作出入])例\W*$|例えば|たとえば|الخاسر|أسوأ|الأضعف|بدتر|بازنده"
    r"|מפסיד|גרוע|हारने|हारा|पराजित|बदतर|खराब|কম ভালো|পরাজিত|แย่กว่า|ผู้แพ้|패자|패배"
    r"|더 나쁜|못한|更差|较差|較差|较弱|失败|失敗|败者|敗者|输家|輸家|落败|落敗|负け"
    r"|負け|悪い|拒绝|拒絕|劣"
)
_LAST_CLAUSE = re.compile(r"[,;](?=\s*\w)")
_IN_ASCII, _ELSEWHERE = re.compile(_LATIN), re.compile(_LATIN + _OTHERS)


def is_not_meant(clause: str) -> bool:
    """Whether the last part of a clause denies or outdates what it leads up to."""
    return _NOT_NOW_OR_EVER.search(_LAST_CLAUSE.split(small(clause))[-1]) is not None


def is_not_mine(clause: str) -> bool:
    """Whether a clause that leads up to something says that it is no own verdict."""
    clause = small(clause)
    if _VETO.search(clause):
        return True
    form = _IN_ASCII if clause.isascii() else _ELSEWHERE
    return len(clause) <= _HEADING and form.search(clause) is not None
