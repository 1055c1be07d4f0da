"""How replies decline in languages other than English, in small letters.

An apology that opens a clause, or one of the phrases of ``declining_phrases``. A
language is looked at only where a stem of it occurs.
"""

# Letters of other scripts look like others, and that is what they are here for.
# ruff: noqa: RUF001 - letters of other scripts are meant

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judging.domain.formats.declining_phrases import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

_APOLOGIES = (
    "tut mir leid", "tut mir sehr leid", "entschuldigung", "entschuldigen sie",
    "verzeihung", "désolé", "lo siento", "lo lamento",
    "mi dispiace", "desculpe", "sinto muito", "lamento, mas", "het spijt me",
    "przykro mi", "przepraszam", "omlouvám se", "je mi líto", "üzgünüm",
    "özür dilerim", "kusura bakma", "sajnálom", "elnézést", "beklager", "jeg er lei",
    "olen pahoillani", "anteeksi", "îmi pare rău", "ho sento", "λυπάμαι", "συγγνώμη",
    "xin lỗi", "rất tiếc", "mohon maaf", "maaf,", "maafkan", "samahani",
    "извините", "простите", "прошу прощения", "мне жаль", "вибачте", "перепрошую",
    "съжалявам", "жао ми је",
    "آسف", "نأسف", "أعتذر", "نعتذر", "عذرا", "عذرًا", "عذراً", "معذرة", "متأسف", "متاسف",
    "ببخشید", "معذرت", "پوزش",
    "מצטער", "מצטערת", "סליחה", "माफ़ कर", "माफ कर", "माफ़ी", "माफी", "क्षमा", "मुझे खेद",
    "मुझे अफ़सोस", "मुझे अफसोस", "দুঃখিত", "ক্ষমা", "ขออภัย", "ขอโทษ", "เสียใจ",
    "很抱歉", "非常抱歉", "抱歉", "对不起", "對不起", "不好意思", "申し訳",
    "すみません",
    "ごめん", "恐れ入りますが", "恐縮ですが", "죄송", "미안", "유감",
)  # fmt: skip
_OPENS = re.compile(
    r"(?:\A|[\n.!?,;:。，！？；：、،।—(\])>\"'])[ \t*_#>-]*(?:es |ich bin |je suis "
    r"|nous sommes |bohužel |leider |unfortunately,? |sorry,? |非常に|大変|誠に|我|我们"
    r"|我很|我非常|jag |tôi |chúng tôi |saya |अत्यंत |मुझे |أنا |نحن |אני )?\Z"
)

_MOST = 100
# What can occur in a text of ASCII letters only, which most replies are.
_PLAIN = (
    tuple(each for each in _APOLOGIES if each.isascii()),
    tuple(
        (kept, form)
        for stems, form in LANGUAGES
        if (kept := tuple(stem for stem in stems if stem.isascii()))
    ),
)
# Without one of these words such a text declines in none of the languages above.
_PLAIN_WORDS = frozenset(
    """
    leid entschuldigung nicht kein keine keinen lehne weigere ablehnen je nous siento
    lamento puedo podemos niego debo voy quiero dispiace posso possiamo rifiuto intendo
    voglio desculpe sinto recuso devo spijt ik przykro przepraszam odmawiam nie kusura
    yapamam veremem edemem sunamam cevaplayamam yapamiyorum edemiyorum veremiyorum
    beklager jeg jag olen anteeksi voi pysty sento maaf maafkan saya kami samahani nem
    nemohu nebudu nu refuz entschuldigung antwort antworten réponses réponse
    proporcionado respuesta risposte
    risposta resposta antwoord fornecidas entschuldigen verzeihung m'est peux puis suis
    posible imposible capaz estoy riesco sono impossibile niet
    """.split()  # noqa: SIM905 - as text, a word is found at a glance
)
_OTHER_LETTERS = re.compile(r"[\u00c0-\u1fff\u3040-\ud7ff]")


def refusals_elsewhere(view: str, words: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yield where a text in small letters, with these words, declines elsewhere."""
    is_plain = view.isascii() or _OTHER_LETTERS.search(view) is None
    if is_plain and _PLAIN_WORDS.isdisjoint(words):
        return
    apologies, languages = _PLAIN if is_plain else (_APOLOGIES, LANGUAGES)
    yield from _apologies_in(view, apologies)
    for stems, form in languages:
        if any(map(view.__contains__, stems)):
            for found, _ in zip(form.finditer(view), range(_MOST), strict=False):
                yield found.span()


def _apologies_in(view: str, apologies: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Yield the apologies that open a clause."""
    for apology in apologies:
        at = view.find(apology)
        for _ in range(_MOST):
            if at < 0:
                break
            opening = _OPENS.search(view, max(0, at - 40), at)
            if opening is not None:
                yield at, at + len(apology)
            at = view.find(apology, at + 1)
