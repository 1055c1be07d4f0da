"""In which script a text is written: a light check, not a language detector.

It tells Cyrillic from Latin and Japanese from Chinese writing. It can't tell English
from French, nor Russian from Bulgarian, and says nothing about them.
"""

from __future__ import annotations

import re
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Script(StrEnum):
    """A writing system; Japanese is kana with or without Han characters."""

    LATIN = "Latin"
    CYRILLIC = "Cyrillic"
    GREEK = "Greek"
    HEBREW = "Hebrew"
    ARABIC = "Arabic"
    DEVANAGARI = "Devanagari"
    BENGALI = "Bengali"
    TAMIL = "Tamil"
    THAI = "Thai"
    GEORGIAN = "Georgian"
    ARMENIAN = "Armenian"
    KOREAN = "Korean"
    JAPANESE = "Japanese"
    HAN = "Han"


FEWEST_LETTERS = 20
DOMINANT = 0.6
# So much kana makes a text with Han characters Japanese.
KANA_SHARE = 0.1
MOST_CHARACTERS = 4_000

_CLASSES = {
    Script.LATIN: r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]",
    Script.CYRILLIC: r"[\u0400-\u052f]",
    Script.GREEK: r"[\u0370-\u03ff\u1f00-\u1fff]",
    Script.HEBREW: r"[\u0590-\u05ff]",
    Script.ARABIC: r"[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc]",
    Script.DEVANAGARI: r"[\u0900-\u097f]",
    Script.BENGALI: r"[\u0980-\u09ff]",
    Script.TAMIL: r"[\u0b80-\u0bff]",
    Script.THAI: r"[\u0e00-\u0e7f]",
    Script.GEORGIAN: r"[\u10a0-\u10ff]",
    Script.ARMENIAN: r"[\u0530-\u058f]",
    Script.KOREAN: r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]",
    Script.JAPANESE: r"[\u3040-\u30ff]",
    Script.HAN: r"[\u3400-\u9fff\uf900-\ufaff]",
}
_PATTERNS = {script: re.compile(pattern) for script, pattern in _CLASSES.items()}
# Code and addresses are in Latin letters whatever the language around them.
_NOT_PROSE = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+|\S+@\S+|<[^>\n]{1,200}>", re.DOTALL
)
_NO_LETTERS = bytes(code for code in range(128) if not chr(code).isalpha())

# Language codes (ISO 639-1) and English names whose script is beyond doubt.
_LANGUAGES: Mapping[tuple[Script, ...], str] = {
    (Script.LATIN,): (
        "en de fr es it pt nl sv da no nb nn fi is pl cs sk sl hr hu ro et lv lt tr id "
        "ms vi sw ca eu gl cy ga mt sq english german french spanish italian "
        "portuguese dutch swedish danish norwegian finnish polish czech hungarian "
        "romanian turkish indonesian vietnamese"
    ),
    (Script.CYRILLIC,): "ru uk be bg mk russian ukrainian bulgarian",
    (Script.GREEK,): "el greek",
    (Script.HEBREW,): "he iw yi hebrew",
    (Script.ARABIC,): "ar fa ur ps arabic persian urdu",
    (Script.DEVANAGARI,): "hi mr ne hindi",
    (Script.BENGALI,): "bn bengali",
    (Script.TAMIL,): "ta tamil",
    (Script.THAI,): "th thai",
    (Script.GEORGIAN,): "ka georgian",
    (Script.ARMENIAN,): "hy armenian",
    (Script.KOREAN,): "ko korean",
    (Script.JAPANESE, Script.HAN): "ja japanese",
    (Script.HAN,): "zh chinese",
}
LANGUAGE_SCRIPTS: Mapping[str, frozenset[Script]] = {
    language: frozenset(scripts)
    for scripts, languages in _LANGUAGES.items()
    for language in languages.split()
}


def script_of(text: str) -> Script | None:
    """The script of most letters of a text, code and addresses left out.

    None where fewer than 20 letters are known or no script has 60 % of them: then
    nothing can be said. Only the first 4,000 characters are read.
    """
    prose = _NOT_PROSE.sub(" ", text[:MOST_CHARACTERS])
    if prose.isascii():
        letters = prose.encode().translate(None, _NO_LETTERS)
        return Script.LATIN if len(letters) >= FEWEST_LETTERS else None
    counts = Counter(
        {script: len(found.findall(prose)) for script, found in _PATTERNS.items()}
    )
    total = counts.total()
    if total < FEWEST_LETTERS:
        return None
    cjk = counts[Script.HAN] + counts[Script.JAPANESE]
    if counts[Script.JAPANESE] > cjk * KANA_SHARE:
        counts[Script.JAPANESE], counts[Script.HAN] = cjk, 0
    script, most = counts.most_common(1)[0]
    return script if most >= total * DOMINANT else None


def scripts_of_language(language: str) -> frozenset[Script] | None:
    """The scripts that a language code or English name is written in, if known.

    Region and script subtags count for nothing ("pt-BR" is "pt"), except that a script
    named outright ("sr-Latn") makes the answer unknown.
    """
    first, *rest = re.split(r"[-_ ]", language.strip().lower())
    if any(len(part) == 4 for part in rest):  # noqa: PLR2004 - a script subtag
        return None
    return LANGUAGE_SCRIPTS.get(first)


def script_problem(
    declared: str, asked: Script | None, given: Mapping[str, Script | None]
) -> str | None:
    """Say where the scripts of a case do not fit each other; None if they do.

    ``declared`` is the case's language slice, "" for none; ``asked`` the script of its
    prompt, ``given`` those of its responses by name (all from :func:`script_of`). A
    response in another script than the prompt may be what was asked for ("translate
    into Russian"), so this is a hint to look.
    """
    problems = []
    known = scripts_of_language(declared) if declared else None
    if known and asked and asked not in known:
        problems.append(f"the slice says {declared}, the prompt is in {asked}")
    for name, script in given.items():
        if script and asked and not _fits(script, asked):
            problems.append(f"the prompt is in {asked}, {name} answers in {script}")
    return "; ".join(problems) or None


def _fits(script: Script, asked: Script) -> bool:
    # A short Japanese text may hold no kana.
    cjk = {Script.HAN, Script.JAPANESE}
    return script is asked or {script, asked} == cjk
