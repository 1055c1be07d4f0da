"""What every verdict format offers, and the one rule by which tokens are settled."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from annotation.domain.outcomes import SlotChoice
from judging.domain.formats.declining import is_refusal
from judging.domain.formats.own_words import objection_beside
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid, Verdict

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence

    from judging.domain.verdicts import Reading

MIXED_STRENGTH = "mixed_strength"


class Place(StrEnum):
    """Where in the reply a format declares its verdict to stand."""

    WHOLE = "whole"
    LAST_LINE = "last_line"
    JSON_FIELD = "json_field"


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example: a reply and what the format must read from it."""

    raw: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class OffMenu:
    """Something in the declared place that is meant as a verdict and is not offered."""

    shown: str


class Reader(Protocol):
    """Reads one reply that is not empty."""

    def __call__(self, text: str, /, *, offers_abstain: bool) -> Reading:
        """Read the verdict in the declared place, or say why there is none."""


class Schema(Protocol):
    """Gives the JSON Schema of the reply."""

    def __call__(self, *, offers_abstain: bool) -> Mapping[str, object]:
        """Give the schema, with or without abstain among the choices."""


@dataclass(frozen=True, slots=True)
class VerdictFormat:
    """One way for a judge to state its verdict, and the only way to read it.

    ``parser_version`` changes whenever any reply could be read differently; it is part
    of a frozen judge's digest. ``menu`` is the text for the prompt that states the
    choices, without and with abstain. ``tokens`` finds this format's own notation in a
    prompt, so that a template that asks for a second format can be refused.
    ``names_slots`` says that A or 1 is the first slot wherever a reply speaks of it; a
    notation of one's own may name them otherwise.
    """

    name: str
    parser_version: str
    place: Place
    menu_without_abstain: str
    menu_with_abstain: str
    worked: tuple[Example, ...]
    tokens: re.Pattern[str]
    reader: Reader
    schema: Schema | None = None
    names_slots: bool = True

    def menu(self, *, offers_abstain: bool) -> str:
        """Text for the prompt that states every choice and how to write it."""
        return self.menu_with_abstain if offers_abstain else self.menu_without_abstain

    def examples(self, *, offers_abstain: bool) -> tuple[Example, ...]:
        """Give the worked examples, all of which must be read back exactly."""
        return tuple(
            example
            for example in self.worked
            if offers_abstain or example.verdict.choice is not SlotChoice.ABSTAIN
        )

    def response_schema(self, *, offers_abstain: bool) -> Mapping[str, object] | None:
        """JSON Schema of the reply, or ``None`` where the format is not JSON."""
        return (
            None if self.schema is None else self.schema(offers_abstain=offers_abstain)
        )

    def read(self, text: str, *, offers_abstain: bool) -> Reading:
        """Read one reply; never raises, never guesses, never has a default."""
        if not text.strip():
            return Invalid(InvalidReason.EMPTY, "the reply is empty")
        reading = self.reader(text, offers_abstain=offers_abstain)
        if not isinstance(reading, Verdict):
            return reading
        objection = objection_beside(
            text,
            reading.span,
            is_json=self.place is Place.JSON_FIELD,
            abstained=reading.choice is SlotChoice.ABSTAIN,
            choice=reading.choice if self.names_slots else None,
        )
        return objection or reading


def settle(
    found: Sequence[Verdict | OffMenu], text: str, *, offers_abstain: bool
) -> Reading:
    """Reduce what stands in the declared place to one reading (DESIGN rule 20).

    Two different choices: conflicting. Anything off the menu, also beside a verdict
    that is on it: off_menu. The same choice at two strengths: the lower one, flagged.
    Nothing: refused if the reply plainly refuses, otherwise unparsed.
    """
    verdicts = [item for item in found if isinstance(item, Verdict)]
    choices = {verdict.choice for verdict in verdicts}
    if len(choices) > 1:
        return Invalid(InvalidReason.CONFLICTING, ", ".join(sorted(choices)))
    for item in found:
        if isinstance(item, OffMenu):
            return Invalid(InvalidReason.OFF_MENU, printable(item.shown))
    if SlotChoice.ABSTAIN in choices and not offers_abstain:
        return Invalid(InvalidReason.OFF_MENU, "abstain was not offered")
    if not verdicts:
        return nothing_found(text)
    return _merged(verdicts)


def printable(text: str) -> str:
    """Shorten a piece of a reply for ``Invalid.detail``, free of control characters."""
    return "".join(char if char.isprintable() else "?" for char in text[:80])


def nothing_found(
    text: str, detail: str = "no verdict in the declared place"
) -> Invalid:
    """Give the reason of a reply without a verdict: refused or unparsed."""
    if is_refusal(text):
        return Invalid(InvalidReason.REFUSED, "the reply declines to judge")
    return Invalid(InvalidReason.UNPARSED, detail)


def _merged(verdicts: Sequence[Verdict]) -> Verdict:
    last = verdicts[-1]
    strengths = {verdict.strength for verdict in verdicts} - {None}
    flags = tuple(dict.fromkeys(flag for verdict in verdicts for flag in verdict.flags))
    if strengths == {1, 2}:
        return Verdict(last.choice, 1, (*flags, MIXED_STRENGTH), last.span)
    return Verdict(last.choice, last.strength, flags, last.span)
