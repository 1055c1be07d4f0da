"""Words that make a lead one to something else than the judge's own verdict.

What is worse, rejected, an example, possible, demanded or somebody else's is led up to
in the same shape as a verdict, so such a lead is taken for none: in doubt no verdict.
"""

# Letters of other scripts look like others, and that is what they are here for.
# ruff: noqa: RUF001

from __future__ import annotations

import re

_HEADING = 60
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
    rf"|\b(?:its|his|her|their|your) (?:\w+ ){{0,2}}{_VERDICT}(?: is)?\W*$"
    r"|\b(?!(?:here|it|that|this|what)'s)\w+'s (?:\w+ ){0,2}(?:verdict|choice"
    r"|decision|judge?ment|conclusion)\W*$",
    re.IGNORECASE,
)
# The same in other languages: examples, drafts, losers, and what is worse.
_ELSEWHERE = re.compile(
    r"\bvorläufig|\bmögliche"
    r"|^\W*(?:seine?|ihre?|son(?! karar)|sa|leur|su|suo|sua|seu|zijn|haar|hans|hennes"
    r"|jego|jej|его|её|ее|их)\s"
    r"|\b(?:von|vom|de|du|van|av|af|di|od)\s(?:\w+ )?[ab12]\W*$"
    r"|\bbeispiel|\bejemplo|\bexemple|\besempio|\bexemplo|\bvoorbeeld|\bexempel"
    r"|\beksempel|\bprzykład|\bpříklad|\bpríklad|\börne(?:k|ğ)|\bcontoh|\bví dụ"
    r"|\bpéld|\besimerk|\bexemplu|\bпример|\bприклад|παράδειγμα|דוגמ|مثال|مثلا|उदाहरण"
    r"|উদাহরণ|ตัวอย่าง|예시|예를 들|^\W*예\W*$|例如|示例|例子|^\W*例\W*$"
    r"|(?:^|[い悪良つ記使回答作出入])例\W*$|例えば|たとえば"
    r"|\bverlier|\bunterlegen|\bschlechter|\bschwächer|\bperdant|\bperdedor|\bperdente"
    r"|\bpire\b|\bmoins bon|\bpeor\b|\bpeggior|\bpior\b|\bverliezer|\bslechter"
    r"|\bförlorare|\bsämre|\btaper\b|\bdårligere|\bprzegran|\bgorsz|\bporažen|\bhorší"
    r"|\bkaybed|\bdaha kötü|\bkalah\b|\blebih buruk|\btệ hơn|\bkém hơn|\bvesztes"
    r"|\brosszabb|\bhäviäj|\bhuonompi|\bпроигра|\bхуже\b|\bхудш|\bпрограв|\bгірш"
    r"|\bχειρότερ|\bηττημέν|\bχαμένο|\bخاسر|الخاسر|أسوأ|الأضعف|بدتر|بازنده|מפסיד|גרוע"
    r"|हारने|हारा|पराजित|बदतर|खराब|কম ভালো|পরাজিত|แย่กว่า|ผู้แพ้|패자|패배|더 나쁜|못한"
    r"|更差|较差|較差|较弱|失败|失敗|败者|敗者|输家|輸家|落败|落敗|负け|負け|悪い|拒绝|拒絕|劣",
    re.IGNORECASE,
)


def is_not_mine(clause: str) -> bool:
    """Whether a clause that leads up to something says that it is no own verdict."""
    if _VETO.search(clause):
        return True
    return len(clause) <= _HEADING and _ELSEWHERE.search(clause) is not None
