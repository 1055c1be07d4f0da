"""What a reviewer is asked about a pair, and what they may answer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from annotation.domain.outcomes import SlotChoice
from annotation.domain.texts import says_something

LONGEST_NOTE = 10_000
LONGEST_LABEL = 120
MOST_OPTIONS = 20
CODE = re.compile(r"[a-z][a-z0-9_]{0,39}", re.ASCII)
SLOTS = (SlotChoice.FIRST, SlotChoice.SECOND)


class AbstainReason(StrEnum):
    """Why a pair can't be judged; ``other`` asks for a note."""

    MISSING_CONTEXT = "missing_context"
    OUTSIDE_EXPERTISE = "outside_expertise"
    BOTH_UNUSABLE = "both_unusable"
    BROKEN_TEXT = "broken_text"
    OTHER = "other"

    @property
    def label(self) -> str:
        """How people read it."""
        return _REASONS[self]


_REASONS = {
    AbstainReason.MISSING_CONTEXT: "Something needed to judge it is missing",
    AbstainReason.OUTSIDE_EXPERTISE: "Outside what I know",
    AbstainReason.BOTH_UNUSABLE: "Neither can be used at all",
    AbstainReason.BROKEN_TEXT: "A text is broken or cut off",
    AbstainReason.OTHER: "Something else (say what in the note)",
}


@dataclass(frozen=True, slots=True)
class Option:
    """One entry of a list that a set declares: as stored, and as people read it."""

    code: str
    label: str


def options_from(stored: object) -> tuple[Option, ...]:
    """Read a stored list of options: codes, or mappings with ``code`` and ``label``.

    What is no code is left out, as is one that came before.
    """
    entries = stored if isinstance(stored, list | tuple) else ()
    found: dict[str, Option] = {}
    for option in map(_option, entries):
        if option is not None:
            found.setdefault(option.code, option)
    return tuple(found.values())


def _option(entry: object) -> Option | None:
    label: object = None
    code = entry
    if isinstance(entry, Mapping):
        code, label = entry.get("code"), entry.get("label")
    if not isinstance(code, str) or not CODE.fullmatch(code):
        return None
    return Option(code, str(label or code.replace("_", " ").capitalize()))


@dataclass(frozen=True, slots=True)
class Questions:
    """What is asked beside the choice: by the set, and by its guideline's version."""

    strength: bool = False
    critical: tuple[Option, ...] = ()
    criteria: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a reviewer said: a slot, a tie or an abstain, and what goes with it.

    ``critical`` holds codes by slot, ``criteria`` a slot choice by code. ``view`` is
    how the texts were shown; it and the times say nothing of the pair.
    """

    choice: SlotChoice
    strength: int | None = None
    note: str = ""
    elapsed_seconds: float | None = None
    extra: dict[str, object] = field(default_factory=dict)
    confidence: int | None = None
    abstain_reason: str = ""
    critical: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    criteria: Mapping[str, str] = field(default_factory=dict)
    view: Mapping[str, object] = field(default_factory=dict)
    active_seconds: float | None = None

    def problem(self, asked: Questions) -> str | None:
        """Why this answer can't be taken, as "field: reason", or None."""
        return (
            self._strength_problem(asked)
            or self._note_problem()
            or self._reason_problem()
            or self._times_problem()
            or _critical_problem(self.critical, asked.critical)
            or _criteria_problem(self.criteria, asked.criteria)
        )

    def _strength_problem(self, asked: Questions) -> str | None:
        if self.strength is not None and not asked.strength:
            return "strength: this set does not ask for it"
        if self.strength is not None and self.choice not in SLOTS:
            return "strength: only a choice of left or right has one"
        if self.strength not in (None, 1, 2):
            return "strength: must be 1 or 2"
        if self.confidence not in (None, 1, 2, 3):
            return "confidence: must be 1, 2 or 3"
        return None

    def _note_problem(self) -> str | None:
        if len(self.note) > LONGEST_NOTE:
            return f"note: longer than {LONGEST_NOTE} characters"
        if not _storable(self.note):
            return "note: holds characters that cannot be stored"
        return None

    def _reason_problem(self) -> str | None:
        if not self.abstain_reason:
            missing = self.choice is SlotChoice.ABSTAIN
            return "abstain_reason: say why it can't be judged" if missing else None
        if self.choice is not SlotChoice.ABSTAIN:
            return "abstain_reason: only an abstain has one"
        if self.abstain_reason not in set(AbstainReason):
            return "abstain_reason: not one of those offered"
        if self.abstain_reason == AbstainReason.OTHER and not says_something(self.note):
            return "abstain_reason: say in the note what it is"
        return None

    def _times_problem(self) -> str | None:
        if self.active_seconds is None or self.elapsed_seconds is None:
            return None
        if self.active_seconds > self.elapsed_seconds:
            return "active_seconds: can't be more than elapsed_seconds"
        return None

    def said(self) -> dict[str, object]:
        """All that was said of the pair, as plain data that two answers compare by."""
        return {
            "choice": self.choice.value,
            "strength": self.strength,
            "note": self.note,
            "confidence": self.confidence,
            "abstain_reason": self.abstain_reason,
            "critical": self.stored_critical(),
            "criteria": dict(self.criteria),
        }

    def stored_critical(self) -> dict[str, list[str]]:
        """The flags as they are stored: slots without one are left out."""
        return {slot: sorted(codes) for slot, codes in self.critical.items() if codes}


def _critical_problem(
    flags: Mapping[str, tuple[str, ...]], offered: tuple[Option, ...]
) -> str | None:
    known = {option.code for option in offered}
    if set(flags) - {slot.value for slot in SLOTS}:
        return "critical: flags belong to first or second"
    if any(set(codes) - known for codes in flags.values()):
        return "critical: not one of those offered; load the page again"
    return None


def _criteria_problem(
    said: Mapping[str, str], offered: tuple[Option, ...]
) -> str | None:
    if set(said) - {option.code for option in offered}:
        return "criteria: not one of those asked; load the page again"
    if set(said.values()) - {choice.value for choice in SlotChoice}:
        return "criteria: must be first, second, tie or abstain"
    return None


def _storable(text: str) -> bool:
    return "\x00" not in text and not any("\ud800" <= c <= "\udfff" for c in text)


def options_from_lines(text: str) -> tuple[Option, ...]:
    """Read options as people write them: one a line, "code: label" or a label alone.

    A label alone is given a code made of its letters and digits. Raises ``ValueError``
    with the reason.
    """
    found: dict[str, Option] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        option = _option_in(line.strip())
        if option is None:
            raise ValueError(
                f"line {number}: write a label, or a code (a-z, 0-9, _) and a label"
            )
        if len(option.label) > LONGEST_LABEL:
            raise ValueError(f"line {number}: at most {LONGEST_LABEL} characters")
        if option.code in found:
            raise ValueError(f"line {number}: {option.code} occurs twice")
        found[option.code] = option
    if len(found) > MOST_OPTIONS:
        raise ValueError(f"at most {MOST_OPTIONS} lines")
    return tuple(found.values())


def _option_in(line: str) -> Option | None:
    code, colon, label = (part.strip() for part in line.partition(":"))
    if colon and label and CODE.fullmatch(code):
        return Option(code, label)
    made = re.sub(r"[^a-z0-9]+", "_", line.lower()).strip("_")[:40]
    return Option(made, line) if CODE.fullmatch(made) else None


def lines_of(options: tuple[Option, ...]) -> str:
    """Options as `options_from_lines` reads them."""
    return "\n".join(f"{one.code}: {one.label}" for one in options)


def whole_time(elapsed: float | None, active: float | None) -> float | None:
    """Seconds that an answer took, of which ``active`` were work.

    A page counts what passes from when it was loaded, and work from the draft that it
    was loaded with: then what passed is at least that work.
    """
    return elapsed if elapsed is None or active is None else max(elapsed, active)


def list_problem(options: Sequence[Option]) -> str | None:
    """Why a list of options can't be declared, in words, or None."""
    if len(options) > MOST_OPTIONS:
        return f"at most {MOST_OPTIONS} entries"
    if len({one.code for one in options}) != len(options):
        return "a code occurs twice"
    for one in options:
        if not CODE.fullmatch(one.code):
            return "a code is made of a-z, 0-9 and _, and begins with a letter"
        if not one.label.strip() or len(one.label) > LONGEST_LABEL:
            return f"a label has 1 to {LONGEST_LABEL} characters"
        if not _storable(one.label):
            return "a label holds characters that cannot be stored"
    return None
