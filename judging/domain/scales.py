"""The formats in which one response is marked, with their menus and parsers.

``pass_fail``: PASS or FAIL. ``short_scale``: 1 to k, each level described.
``gated_score``: 0 to 10 with gates; a failed gate caps the score. The same rule as for
verdicts (DESIGN rule 20): one distinct mark in the declared place, or none.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from judging.domain.formats.base import Place, nothing_found, printable
from judging.domain.formats.marks_denied import FAIL, PASS
from judging.domain.formats.own_words import objection_beside
from judging.domain.marks import Abstained, Mark
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judging.domain.formats.base import OffMenu
    from judging.domain.marks import MarkReading


class ScaleKind(StrEnum):
    """The kinds of marks."""

    PASS_FAIL = "pass_fail"  # noqa: S105  # the name of a scale, no password
    SHORT_SCALE = "short_scale"
    GATED_SCORE = "gated_score"


@dataclass(frozen=True, slots=True)
class MarkExample:
    """A worked example: a reply and what must be read from it."""

    raw: str
    reading: Mark | Abstained


class MarkReader(Protocol):
    """Reads one reply that is not empty."""

    def __call__(self, text: str, /) -> MarkReading:
        """Read the mark in the declared place, or say why there is none."""


@dataclass(frozen=True, slots=True)
class Scale:
    """One way to state a mark, and the only way to read it."""

    kind: ScaleKind
    parser_version: str
    place: Place
    lowest: int
    highest: int
    menu: str
    worked: tuple[MarkExample, ...]
    reader: MarkReader
    schema: Mapping[str, object] | None = None

    def read(self, text: str) -> MarkReading:
        """Read one reply; never raises, never guesses, never has a default."""
        if not text.strip():
            return Invalid(InvalidReason.EMPTY, "the reply is empty")
        reading = self.reader(text)
        if isinstance(reading, Invalid):
            return reading
        objection = objection_beside(
            text,
            reading.span,
            is_json=self.place is Place.JSON_FIELD,
            abstained=isinstance(reading, Abstained),
            mark=self._word(reading),
        )
        return objection or reading

    def _word(self, reading: Mark | Abstained) -> str:
        """What was read as a word, which a sentence beside it may deny."""
        if self.kind is not ScaleKind.PASS_FAIL or isinstance(reading, Abstained):
            return ""
        return PASS if reading.passed else FAIL


def settle_marks(found: Sequence[Mark | Abstained | OffMenu], view: str) -> MarkReading:
    """Reduce what stands in the declared place to one reading.

    Two different marks, or a mark and an abstain: conflicting. Anything off the menu:
    off_menu. Nothing: refused if the reply plainly refuses, otherwise unparsed.
    """
    said = [item for item in found if isinstance(item, Mark | Abstained)]
    distinct = {item.said if isinstance(item, Mark) else None for item in said}
    if len(distinct) > 1:
        return Invalid(InvalidReason.CONFLICTING, "two different marks")
    for item in found:
        if not isinstance(item, Mark | Abstained):
            return Invalid(InvalidReason.OFF_MENU, printable(item.shown))
    return said[-1] if said else nothing_found(view, "no mark in the declared place")
