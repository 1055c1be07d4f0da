"""Words that lead up to a verdict on its line, in English and in other languages.

English leads follow a grammar, since judges also talk about verdicts in English. In
another language a short clause leads up to a verdict if it holds a word for verdict
(or opens with "so", or is written in another script and ends in a colon), denies
nothing and names nobody else.
"""

from __future__ import annotations

import re
import unicodedata

from judging.domain.formats.not_mine import is_not_mine

_NOUN = (
    r"(?:verdict|answer|choice|decision|judge?ment|conclusion|rating|evaluation"
    r"|assessment|preference|winner|pick|selection|result|final|outcome)"
)
_ROLE = r"(?:assistant|response|answer|option|one)"
_BUT = (
    r"(?!.*(?:\b(?:not|never|neither|nor|cannot|without|unless|if|than|wrong|worse"
    r"|worst|weaker)\b|n't\b))"
)
_POINT = r"\s*(?:[:=]|[-=]{1,2}>|[-\u2013\u2014\u2192\u21d2])?\s*"
_ENGLISH = re.compile(
    r"(?:[#>\-\u2022\s]*(?:\d+[.)] +)?)"
    r"(?:(?:therefore|thus|so|hence|overall|finally|now|in conclusion|in summary"
    r"|in short|to conclude|on balance|on reflection|all in all|and so|mine"
    r"|based on (?:the|this|these|my)(?: \w+){1,3})\s*[,:]?\s*)?"
    r"(?:(?:(?:and|but)\s+)?"
    r"(?:(?:here is |this is )?(?:(?:my|the|our|final|overall|combined|best|better"
    r"|preferred|stronger) +){0,4}(?:" + _NOUN + "|(?<=better )" + _ROLE + r")"
    r"(?:\s+(?:is|remains|would be)\b)?(?:\s+(?:therefore|thus|that|as follows))?"
    + _POINT
    + r"(?:" + _BUT + r"[^:\[\]\n\"\u201c\u201d`]{1,80}:\s*)?"
    r"|i(?: would| will| do|'d|'ll)?(?: (?:therefore|thus))? (?:choose|pick|select"
    r"|prefer|conclude|vote|go|judge|decide)(?: (?:for|with|that|on))?\s*:?\s*"
    r"|(?:(?:the )?" + _ROLE + r" (?:a|b|1|2) is (?:\w+ ){0,2}better"
    r"|(?:it is |it's )?a tie|tie|they are equally good|equally good)\s*:\s*"
    r"))?"
    r"(?:(?:the )?" + _ROLE + r"\s+)?",
    re.IGNORECASE,
)  # fmt: skip
_BUT_FOR = re.compile(r"\b(?:would|could|might|should) (?:be|have)\b", re.IGNORECASE)
_CALLS_IT = re.compile(
    r"\b(?:verdict|verdikt|urteil|fazit|ergebnis|entscheidung|bewertung|wahl|auswahl"
    r"|choix|jugement|d\u00e9cision|conclusion|r\u00e9sultat|veredicto|elecci\u00f3n"
    r"|decisi\u00f3n|juicio|conclusi\u00f3n|resultado|giudizio|verdetto|scelta"
    r"|decisione"
    r"|conclusione|risultato|veredito|escolha|decis\u00e3o|julgamento|conclus\u00e3o"
    r"|oordeel|keuze|besluit|conclusie|slutsats|bed\u00f6mning|omd\u00f6me|utslag"
    r"|vurdering|konklusjon|konklusion|afg\u00f8relse|dom|werdykt|wyb\u00f3r|ocena"
    r"|wniosek|decyzja|rozhodnut\u00ed|z\u00e1v\u011br|karar\w*|sonu\u00e7"
    r"|h\u00fck\u00fcm"
    r"|\u00edt\u00e9let\w*|d\u00f6nt\u00e9s\w*|tuomio\w*"
    r"|p\u00e4\u00e4t\u00f6s\w*|arvio\w*"
    r"|putusan|keputusan|kesimpulan|hukumu|k\u1ebft lu\u1eadn|ph\u00e1n quy\u1ebft"
    r"|r\u00e9ponse finale|respuesta final|resposta final|risposta finale)\b",
    re.IGNORECASE,
)
_SO = re.compile(
    r"(?:donc|ainsi|alors|enfin|en conclusion|en r\u00e9sum\u00e9|also|daher|deshalb"
    r"|somit|folglich|insgesamt|zusammenfassend|por (?:lo )?tanto|entonces|as\u00ed"
    r"|en resumen|en conclusi\u00f3n|quindi|dunque|perci\u00f2|pertanto|in conclusione"
    r"|portanto|assim|logo|em conclus\u00e3o|dus|daarom|kortom|allts\u00e5"
    r"|d\u00e4rf\u00f6r"
    r"|derfor|alts\u00e5|zatem|wi\u0119c|dlatego|tedy|proto|teh\u00e1t|siis|jadi|maka"
    r"|v\u1eady|yani|dolayis\u0131yla)[ ,:]*",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:nicht|kein\w*|nie|niemals|pas|jamais|aucun\w*|ni|no|nunca|non|mai|nessun\w*"
    r"|n\u00e3o|nem|niet|geen|nooit|inte|ikke|ikkje|aldrig|nie|nigdy|ne"
    r"|nen\u00ed|\u010di"
    r"|de\u011fil|nem|ei|bukan|tidak|kh\u00f4ng|\u043d\u0435|\u043d\u0435\u0442"
    r"|\u043d\u0438"
    r"|not?|never|wrong|falsch\w*|faux|fausse|falso|errado|sbagliat\w*|fout"
    r"|w\u00e4re|serait|ser\u00eda|sarebbe|seria|zou|wenn|falls|si|se|als|om|jos|ha)\b"
    r"|[\u4e0d\u6ca1\u6c92\u975e\u52ff\u672a\u5426\u65e0\u7121\u9519\u932f]"
    r"|\u306a\u3044"
    r"|\u306a\u304f|\uc544\ub2c8|\uc54a|\uc5c6|\u5982\u679c|\u82e5|\u3082\u3057",
    re.IGNORECASE,
)
# Somebody else's verdict, or what a response says.
_ANOTHERS = re.compile(
    r"\b(?:sein\w*|ihr\w*|son|sa|ses|leur|su|sus|seu|sua|suo|zijn|haar|hans"
    r"|hennes|deras"
    r"|jego|jej|ich|its|his|her|their|\u0435\u0433\u043e|\u0435\u0451|\u0438\u0445"
    r"|antwort|r\u00e9ponse [ab12]|respuesta [ab12]|risposta [ab12]|resposta [ab12]"
    r"|antwoord|svar|response|assistant|assistent\w*|asistente|assistente|modell?"
    r"|sagt|schreibt|endet|fordert|behauptet|dit|\u00e9crit|termine|demande"
    r"|pr\u00e9tend"
    r"|dice|escribe|termina|pide|scrive|chiede|diz|escreve|pede|zegt|schrijft|vraagt"
    r"|says|says?|writes?|wrote|claims?|\u043e\u0442\u0432\u0435\u0442"
    r"|\u0433\u043e\u0432"
    r"\u043e\u0440\u0438\u0442|\u043f\u0438\u0448\u0435\u0442"
    r"|\u043f\u0440\u043e\u0441\u0438"
    r"\u0442|[ab])\b"
    r"|[\u5176\u4ed6\u5979\u5b83\u8bf4\u8aaa\u5199\u5beb\u79f0\u7a31\u8981\u6c42]"
    r"|\u56de\u7b54 ?[ab12]|\u56de\u590d|\u66f8|\u8a00|\uc751\ub2f5|\ub300\ub2f5",
    re.IGNORECASE,
)
# What may stand at the end of a clause in a script without spaces: "is", "as".
_IS = re.compile(r"(?:[\u662f\u70ba\u4e3a\u306f\u304c]|[\uc740\ub294\uc774\uac00])\s*$")
_REJECTS = frozenset("\u274c\u2717\u2718\u2716\u26d4\u2260\u274e\u00ac\u00d7\U0001f6ab"
                     "\U0001f6d1\U0001f44e\u2049\u2753")  # fmt: skip
_SIGNS = frozenset({"So", "Sm", "Sk", "Pd", "Mn", "Cf"})
_KEPT = frozenset("|<>=+~^`\ufffc")
_MOST_WORDS, _LONGEST = 8, 80


def leads(clause: str) -> bool:
    """Whether a clause, without emphasis, only leads up to a verdict."""
    bare = without_signs(clause)
    if bare is None or is_not_mine(bare):
        return False
    return _ENGLISH.fullmatch(bare) is not None or _in_another_language(bare)


def without_signs(clause: str) -> str | None:
    """Cut arrows, ticks and bullets off the start; ``None`` for a sign that rejects."""
    at = 0
    while at < len(clause):
        sign = clause[at]
        if sign in _REJECTS:
            return None
        arrow = re.match(r"[-=]{1,3}>|>{2,3}", clause[at:])
        if arrow:
            at += arrow.end()
        elif sign.isspace() or (
            sign not in _KEPT and unicodedata.category(sign) in _SIGNS
        ):
            at += 1
        else:
            break
    return clause[at:]


def _in_another_language(clause: str) -> bool:
    text = unicodedata.normalize("NFC", clause.strip())
    words = re.findall(r"[^\W\d_]+", text)
    if not words or len(text) > _LONGEST or re.search(r"[\ufffc\[\]\"\d|]", text):
        return False
    if _SO.fullmatch(text):
        return True
    if len(words) > _MOST_WORDS or _DENIES.search(text) or _ANOTHERS.search(text):
        return False
    if _CALLS_IT.search(text) and not _ENGLISH_WORD.search(text):
        return True
    foreign = all(not word.isascii() for word in words) and _is_other_script(words)
    ends = text.endswith((":", "\u2014", "\u2013", "-", "\u2192"))
    return foreign and (ends or _IS.search(text) is not None)


_ENGLISH_WORD = re.compile(
    r"\b(?:the|of|is|was|were|are|be|been|to|for|from|by|with|at|that|this|these|which"
    r"|what|who|it|they|them|you|your|he|she|we|and|or|but|as|than|then|because|when"
    r"|where|how|why|would|could|should|might|may|can|will|must|does|did|do|has"
    r"|have|had"
    r"|another|other|first|second|initial|old|earlier|previous|draft|wrong"
    r"|worse|alleged"
    r"|supposed|claimed|rejected|injected|fake|example|sample|possible|hypothetical)\b",
    re.IGNORECASE,
)


def _is_other_script(words: list[str]) -> bool:
    return not any(unicodedata.name(word[0], "").startswith("LATIN") for word in words)
