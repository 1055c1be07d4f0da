"""Identity leaks: do the texts name the systems that wrote them? (DESIGN rule 9)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

FEWEST_CHARACTERS = 2
EXCERPT = 40

# Spaces, hyphens of all kinds, underscores, dots and slashes between a name's parts,
# also none at all, and the marks that Markdown and copying put there.
_GAP = r"[\s\-_.\u00ad\u2010-\u2015\u2212/*`\u200b-\u200d\u2060]{0,3}"
_PARTS = re.compile(r"[^\W\d_]+|\d+")
_LATIN = r"[0-9A-Za-z\u00c0-\u024f]"
# Scripts written without spaces between words: a name may stand anywhere in them.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
)


@dataclass(frozen=True, slots=True)
class NameHit:
    """A system's name found in a text: ``text[start:end]``, with its surroundings."""

    name: str
    start: int
    end: int
    excerpt: str


class NameScanner:
    """Finds system names and aliases in texts.

    Upper and lower case are the same, and spaces, hyphens, underscores, dots and
    slashes between the parts of a name may differ or be absent ("GPT-4", "gpt 4" and
    "gpt4"). Only whole words count: "v2" is not in "rev2" or "v2.1". ``skipped`` holds
    names with fewer than two letters or digits, which every text would contain.
    """

    def __init__(self, names: Iterable[str]) -> None:
        named = dict.fromkeys(name.strip() for name in names)
        parts = {name: _PARTS.findall(name) for name in named if name}
        self.skipped = tuple(name for name, found in parts.items() if _too_short(found))
        self._patterns = tuple(
            (name, _pattern(found))
            for name, found in parts.items()
            if not _too_short(found)
        )

    def scan(self, text: str) -> tuple[NameHit, ...]:
        """Names in ``text`` by position; a name inside a longer one is left out."""
        found = [
            (match.start(), match.end(), name)
            for name, pattern in self._patterns
            for match in pattern.finditer(text)
        ]
        hits: list[NameHit] = []
        for start, end, name in sorted(found, key=lambda hit: (hit[0], -hit[1])):
            if not hits or end > hits[-1].end:
                hits.append(NameHit(name, start, end, _excerpt(text, start, end)))
        return tuple(hits)


def _too_short(parts: list[str]) -> bool:
    return sum(map(len, parts)) < FEWEST_CHARACTERS


def _pattern(parts: list[str]) -> re.Pattern[str]:
    body = _GAP.join(re.escape(part) for part in parts)
    before, after = parts[0][0], parts[-1][-1]
    # "v2.1" is another version than "v2", but "v2." ends a sentence.
    version = r"(?!\.\d)" if after.isdigit() else ""
    return re.compile(
        f"{_edge('<!', before)}{body}{_edge('!', after)}{version}", re.IGNORECASE
    )


def _edge(kind: str, character: str) -> str:
    """Look around that keeps ``character`` from standing inside a longer word.

    For Latin letters and digits only Latin neighbours count, because Chinese or Thai
    text runs on around a Latin name without a space.
    """
    if _UNSPACED.match(character):
        return ""
    neighbours = _LATIN if re.match(_LATIN, character) else r"[^\W_]"
    return f"(?{kind}{neighbours})"


def _excerpt(text: str, start: int, end: int) -> str:
    low, high = max(0, start - EXCERPT), min(len(text), end + EXCERPT)
    before, after = "..." if low else "", "..." if high < len(text) else ""
    return before + " ".join(text[low:high].split()) + after
