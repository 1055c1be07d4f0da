"""Other fields of a JSON answer that say which response won.

``{"winner": "A", "verdict": "B"}`` holds two verdicts, whichever field was asked for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from judging.domain.formats.json_scan import JsonValue

OTHER_FIELD = "another field says otherwise"
_RESPONSE = r"(?:response|answer|assistant|option|output|model|one)?"
_WINNER = re.compile(
    r"(?:final|overall|my|the|combined|actual|real|true|revised|corrected|new)*"
    rf"(?:winner|winning{_RESPONSE}|verdict|choice|decision|preference"
    rf"|(?:preferred|better|best|chosen|selected|superior|stronger){_RESPONSE}"
    r"|judge?ment|selection|pick|result|outcome|conclusion|answer)"
    r"(?:final|overall)?"
)
_LOSER = re.compile(
    rf"(?:the)?(?:loser|(?:losing|worse|worst|weaker|rejected|inferior){_RESPONSE})"
)
_AROUND = re.compile(r"final|overall|summary")
_NO_LETTER = re.compile(r"[^a-z]+")
_DEEPEST = 4


def rival_values(
    whole: Mapping[str, JsonValue], field: str, depth: int = 0
) -> Iterator[tuple[bool, str]]:
    """Yield the texts of other fields for a winner, or for a loser (then true).

    Objects are looked into where their own name is one of a verdict or of a summary;
    verdicts by criterion are none of the whole.
    """
    declared = field.casefold() if depth == 0 else ""
    for key, value in whole.items():
        name = _NO_LETTER.sub("", key.casefold())
        if key.strip().casefold() == declared:
            continue
        is_loser = _LOSER.fullmatch(name) is not None
        if isinstance(value, str):
            if is_loser or _WINNER.fullmatch(name):
                yield is_loser, value
        elif isinstance(value, dict) and depth < _DEEPEST and _is_of_the_whole(name):
            yield from rival_values(value, field, depth + 1)


def _is_of_the_whole(name: str) -> bool:
    return (_AROUND.fullmatch(name) or _WINNER.fullmatch(name)) is not None
