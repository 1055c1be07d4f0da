"""Sentences that name the better response in languages other than English."""

# ruff: noqa: RUF001 - letters of other scripts are meant

from __future__ import annotations

import re

_SO = (
    r"(?:(?:also|daher|somit|insgesamt|donc|ainsi|por (?:lo )?tanto|quindi|portanto|dus"
    r"|więc|proto|итак|поэтому|отже|nein|non|no|nee|нет|因此|所以|综上|よって|したがって"
    r"|따라서)[ ,，、]+)?(?:因此|所以|よって)?"
)
_NAME = (
    r"(?:(?:die|la|le|el|il|de|het) )?(?:(?:antwort|réponse|respuesta|risposta|resposta"
    r"|antwoord|svar|odpowiedź|odpověď|ответ|відповідь|yanıt|jawaban|câu trả lời|回答"
    r"|回复|回覆|答案|応答|응답|답변"
    r"|الإجابة|الرد|उत्तर) ?)?(?P<who>[ab12]) ?"
)
_BETTER = (
    r"(?:(?:ist|est|es|è|é|is|är|er|jest|je)(?: (?:die|la|le|el|il|de|het|klart?"
    r"|eindeutig|deutlich|clairement|claramente|chiaramente|duidelijk|tydligt))*"
    r" (?:bessere?|am besten|mieux|meilleure?|mejor|migliore|melhor|betere?|beste"
    r"|bättre|bedre|lepsz[aey]|lepší)(?: (?:antwort|wahl|réponse|respuesta|risposta"
    r"|resposta|antwoord))?|(?:явно |намного )?лучше|краще"
    r"|daha iyi(?:dir)?|lebih baik|tốt hơn"
    r"|أفضل|बेहतर है|(?:明显|显然)?(?:更好|较好|較好|更优|更佳|胜出|获胜)"
    r"|(?:の(?:ほう|方))?が(?:より)?(?:良い|よい|優れてい(?:る|ます))(?:です)?"
    r"|[가이] 더 (?:낫|좋|우수)\S{0,5})"
)
_THAN = r"(?: (?:als|que|di|do que|dan|än|end|niż|než|чем|ніж)(?: \w+)? [ab12])?"
SAYS = re.compile(rf"{_SO}{_NAME}{_BETTER}{_THAN}(?=[\s*_]*(?:[.!;。！…]|\n|\Z))")
"""The group ``who`` is the better response; for texts in small letters."""
