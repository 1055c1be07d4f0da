"""A reviewer's own labels, in the words of the page: slots, never systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.domain.answers import AbstainReason
from annotation.domain.texts import plain_text, text_from_json
from annotation.services.drafting import Reservation
from annotation.services.unsent import why_unsent

if TYPE_CHECKING:
    from datetime import datetime

    from annotation.models import Draft, Label

LONGEST_EXCERPT = 160
UNSENT = {
    Reservation.TAKEN: "Your reservation ran out and others took this pair.",
    Reservation.GIVEN_BACK: "You gave this pair back.",
    Reservation.CLOSED: "The round was closed before this was sent.",
    Reservation.REMOVED: "You were taken out of the round before this was sent.",
}
CHOICES = {"first": "Left", "second": "Right", "tie": "Tie", "abstain": "Abstain"}


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One label as its author gave it; ``token`` opens it again."""

    token: str
    prompt: str
    said: str
    note: str
    at: datetime
    revision: int
    changed_at: datetime | None
    guideline_version: int | None
    exposed: bool


@dataclass(frozen=True, slots=True)
class UnsentRow:
    """A draft that never became a label, and why."""

    prompt: str
    why: str
    said: str
    note: str
    at: datetime


def history_row(label: Label) -> HistoryRow:
    """The row of a label from `my_labels`."""
    assert label.assignment is not None  # noqa: S101 - a queue label has one
    return HistoryRow(
        token=str(label.assignment.token),
        prompt=excerpt(label.pair.case.prompt),
        said=said(label.choice, label.strength, label.abstain_reason),
        note=label.note,
        at=getattr(label, "first_at", label.created_at),
        revision=label.revision,
        changed_at=label.created_at if label.revision > 1 else None,
        guideline_version=label.guideline.version if label.guideline else None,
        exposed=bool(getattr(label, "exposed", False)),
    )


def unsent_row(draft: Draft) -> UnsentRow:
    """The row of a draft from `unsent_drafts`."""
    content = draft.content
    return UnsentRow(
        prompt=excerpt(draft.assignment.pair.case.prompt),
        why=UNSENT[why_unsent(draft)],
        said=said(
            str(content.get("choice", "")),
            content.get("strength"),
            str(content.get("abstain_reason", "")),
        ),
        note=str(content.get("note", "")),
        at=draft.saved_at,
    )


def said(choice: str, strength: int | None, reason: str) -> str:
    """A choice in words."""
    words = CHOICES.get(choice, "No choice yet")
    if strength == 2:  # noqa: PLR2004 - the stronger of two
        words += ", much better"
    if reason in set(AbstainReason):
        label = AbstainReason(reason).label
        words += f": {label[0].lower()}{label[1:]}"
    return words


def excerpt(stored: object) -> str:
    """The beginning of a prompt on one line."""
    text = " ".join(plain_text(text_from_json(stored)).split())
    if len(text) <= LONGEST_EXCERPT:
        return text
    return text[: LONGEST_EXCERPT - 1].rstrip() + "…"
