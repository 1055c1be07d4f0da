"""Whether one text holds another: word for word, or nearly.

An example in a judge's instructions that is one of the cases it is measured on has told
it the answer, also with a word or two changed.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from annotation.domain.near import THRESHOLD, sketch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from annotation.domain.near import Hashes

# Shorter texts occur by chance: "Thank you very much".
FEWEST_CHARACTERS = 24
FEWEST_RUNS = 6


class Quoted(StrEnum):
    """How a text occurs in another."""

    EXACT = "exact"
    NEAR = "near"


class Body:
    """Texts that are searched for others, prepared once."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Prepare ``texts``; a quotation lies within one of them."""
        self._plain = [_plain(text) for text in texts]
        self._runs = [_runs(text) for text in self._plain]

    def holds(self, text: str) -> Quoted | None:
        """How ``text`` occurs in any of the texts; None for very short ones.

        Nearly: at least 70 % of its runs of three words occur in one of them.
        """
        wanted = _plain(text)
        if len(wanted) < FEWEST_CHARACTERS:
            return None
        if any(wanted in plain for plain in self._plain):
            return Quoted.EXACT
        runs = sketch(wanted)
        if len(runs) < FEWEST_RUNS:
            return None
        most = max((_contained(runs, mine) for mine in self._runs), default=0.0)
        return Quoted.NEAR if most >= THRESHOLD else None


def _plain(text: str) -> str:
    """Case and the kind of white space do not count."""
    return " ".join(text.casefold().split())


def _runs(plain: str) -> Hashes:
    return sketch(plain, None)


def _contained(runs: Hashes, within: Hashes) -> float:
    return float(np.isin(runs, within, assume_unique=True).mean())
