"""Whether a verdict stands in a response that the reply repeats under its heading.

Judges also discuss the responses one by one under their names and end with a verdict.
So what stands under "Response B" counts as repeated only where it is one of its lines
and the reply goes on, or where no other response has a heading and nothing below this
one speaks of a response. Which verdict it is decides nothing: else those for one slot
would go missing more often than those for the other.
"""

from __future__ import annotations

import re

_LOOK, _LINES, _HEADING = 4_000, 60, 80
_NAME = re.compile(
    r"[\s*_#>=\[(<-]*(?:the )?(?:full |complete )?(?:text (?:of|by|from) )?(?:the )?"
    r"(?:response|assistant|answer|output|option|model|candidate|reply|antwort"
    r"|r\u00e9ponse|respuesta|risposta|resposta|antwoord|svar"
    r"|\u043e\u0442\u0432\u0435\u0442|\u56de\u7b54|\u56de\u590d|\uc751\ub2f5"
    r"|\ub2f5\ubcc0)[ _]*\(?(?P<who>[ab12])\)?(?:'s (?:response|answer|reply|output"
    r"|text))?[\s*_#\])>=:\uff1a-]*"
)
_OTHER = re.compile(
    r"[ \t]*(?:#{1,6} |-{3,}[ \t]*$|\*{3,}[ \t]*$|={3,}|\*\*[^*]{1,60}\*\*:?[ \t]*$)"
    r"|[^.!?]{1,40}:[ \t*_]*$"
)
_SPEAKS = re.compile(
    r"\b(?:responses?|assistants?|answers?|answered|users?|questions?|accura\w+"
    r"|relevan\w+|helpful\w*|clarity|clearer|clear|details?|detailed|concise\w*"
    r"|complete\w*|correct\w*|incorrect\w*|better|worse|scores?|rating|strengths?"
    r"|weakness\w*|pros|cons|lacks?|omits?|misses|fails?|provides?|names|mentions"
    r"|explains|gives|covers|invents|cites|includes|states|describes|offers|addresses"
    r"|shows|uses|makes|has|is (?:also |very |too |more |less |quite |not )?(?:good|bad"
    r"|poor|vague|polite|short|long|right|wrong)|tone|vague|adequate|verbose|factual"
    r"|hallucinat\w+|errors?|mistakes?|\d+ ?/ ?\d+)\b"
)


def is_repeated(view: str, span: tuple[int, int]) -> bool:
    """Whether a verdict is part of a repeated response; ``view`` in small letters."""
    start, end = span
    low = max(0, start - _LOOK)
    lines = view[low:start].split("\n")[:-1]
    below: list[str] = []
    for line in reversed(lines[-_LINES:]):
        name = _NAME.fullmatch(line) if len(line) < _HEADING else None
        if name is not None:
            alone = not _names_the_other(lines, name["who"])
            return _is_its_text(below[::-1], view[end:], alone=alone)
        if line.strip() and _OTHER.match(line):
            return False
        below.append(line)
    return False


def _names_the_other(lines: list[str], who: str) -> bool:
    found = (_NAME.fullmatch(line) for line in lines if len(line) < _HEADING)
    return any(name is not None and name["who"] != who for name in found)


def _is_its_text(lines: list[str], after: str, *, alone: bool) -> bool:
    if not any(line.strip() for line in lines):
        return False
    goes_on = bool(after.strip(" \t\n*_`.\ufffc"))
    if goes_on and all(line.strip() for line in lines):
        return True
    return (alone or goes_on) and not any(_SPEAKS.search(line) for line in lines)
