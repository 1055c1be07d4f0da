"""A pair as its reviewer may see it, and what is asked about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from annotation.domain.answers import AbstainReason, Questions
from annotation.domain.outcomes import Order, Outcome, SlotChoice, choice_for
from annotation.domain.texts import text_from_json
from annotation.domain.wording import marked_words, too_long_to_compare
from annotation.presenters.texts import PANEL_TOP, Turn, View, is_long, marked, turns

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from annotation.models import Assignment, Pair, Response


@dataclass(frozen=True, slots=True)
class ShownTexts:
    """The texts of a pair in slots, as somebody asked to see them.

    ``remark`` says why they are not shown as they were asked for.
    """

    prompt: tuple[Turn, ...]
    context: tuple[Turn, ...]
    reference: tuple[Turn, ...]
    left: tuple[Turn, ...]
    right: tuple[Turn, ...]
    view: View
    remark: str
    as_written: str


@dataclass(frozen=True, slots=True)
class ShownPair:
    """All that a reviewer may see of an assignment, and nothing else."""

    token: str
    question: str
    texts: ShownTexts
    same_case_again: bool


@dataclass(frozen=True, slots=True)
class Filled:
    """What the form holds when the page comes: a draft, an earlier answer, nothing."""

    choice: str = ""
    strength: int | None = None
    note: str = ""
    confidence: int | None = None
    abstain_reason: str = ""
    critical: Mapping[str, list[str]] = field(default_factory=dict)
    criteria: Mapping[str, str] = field(default_factory=dict)
    active_seconds: float = 0.0
    draft_of: datetime | None = None


@dataclass(frozen=True, slots=True)
class Flag:
    """A critical error that can be ticked for a slot."""

    slot: str
    code: str
    label: str
    ticked: bool


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """A criterion with its four choices, one of them taken or none."""

    code: str
    label: str
    taken: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions of the form, with what was said so far."""

    strength: bool
    flags: tuple[tuple[str, tuple[Flag, ...]], ...]
    criteria: tuple[CriterionRow, ...]
    reasons: tuple[tuple[str, str], ...] = tuple(
        (r.value, r.label) for r in AbstainReason
    )
    confidences: tuple[tuple[int, str], ...] = ((1, "Low"), (2, "Middle"), (3, "High"))
    criterion_choices: tuple[tuple[str, str], ...] = (
        ("first", "Left"), ("tie", "Tie"), ("second", "Right"), ("abstain", "Unclear"),
    )  # fmt: skip


SLOT_NAMES = ((SlotChoice.FIRST.value, "Left"), (SlotChoice.SECOND.value, "Right"))


def asked(questions: Questions, filled: Filled) -> Asked:
    """The form's questions with the answers given so far."""
    return Asked(
        strength=questions.strength,
        flags=tuple(
            (name, _flags(slot, questions, filled))
            for slot, name in SLOT_NAMES
            if questions.critical
        ),
        criteria=tuple(
            CriterionRow(one.code, one.label, filled.criteria.get(one.code, ""))
            for one in questions.criteria
        ),
    )


def _flags(slot: str, questions: Questions, filled: Filled) -> tuple[Flag, ...]:
    ticked = filled.critical.get(slot, [])
    return tuple(
        Flag(slot, one.code, one.label, one.code in ticked)
        for one in questions.critical
    )


def slots_of(pair: Pair, order: str) -> tuple[Response, Response]:
    """The responses in the first and the second slot of an order."""
    first = choice_for(Outcome.BASELINE, Order(order)) is SlotChoice.FIRST
    both = (pair.baseline, pair.candidate)
    return both if first else (pair.candidate, pair.baseline)


def shown(assignment: Assignment, pair: Pair, view: View = View.RENDERED) -> ShownPair:
    """Put a pair on the screen in the order of its assignment."""
    return ShownPair(
        token=str(assignment.token),
        question=pair.gold_set.question,
        texts=shown_texts(pair, assignment.order, view),
        same_case_again=assignment.same_case_again,
    )


def shown_texts(pair: Pair, order: str, view: View) -> ShownTexts:
    """The texts of a pair in the slots of an order."""
    case = pair.case
    left, right = slots_of(pair, order)
    texts, remark = _columns(left.text, right.text, view)
    around = View.RENDERED if view is View.RENDERED else View.RAW
    named = {
        "prompt": case.prompt,
        "context": case.context,
        "reference": case.reference,
        "left": left.text,
        "right": right.text,
    }
    return ShownTexts(
        prompt=turns(case.prompt, top=PANEL_TOP, view=around),
        context=turns(case.context, top=PANEL_TOP, view=around),
        reference=turns(case.reference, top=PANEL_TOP, view=around),
        left=texts[0],
        right=texts[1],
        view=view,
        remark=remark,
        as_written=_as_written(named, view, remark),
    )


def _as_written(named: Mapping[str, object], view: View, remark: str) -> str:
    """The texts that are shown as written although another view was wanted."""
    if view is View.RENDERED:
        return " ".join(name for name, text in named.items() if is_long(text))
    return "left right" if remark == TOO_LONG else ""


LONG = "A text is very long, so it is shown as it was written."
TOO_LONG = "These texts are too long to mark the differences."


def _columns(
    left: object, right: object, view: View
) -> tuple[tuple[tuple[Turn, ...], tuple[Turn, ...]], str]:
    plain = (turns(left, view=view), turns(right, view=view))
    if view is View.RENDERED:
        return plain, LONG if is_long(left) or is_long(right) else ""
    one, two = text_from_json(left), text_from_json(right)
    if view is View.RAW or not all(plain):
        return plain, ""
    if too_long_to_compare(one, two):
        return plain, TOO_LONG
    marked_left, marked_right = marked_words(one, two)
    return (tuple(map(marked, marked_left)), tuple(map(marked, marked_right))), ""
