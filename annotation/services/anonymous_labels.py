"""The labels of a pair as an adjudicator sees them: A, B, C, in their own slots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.domain.hearings import Sides, choice_here, letters_for, sides_of
from annotation.domain.outcomes import Order, Outcome, SlotChoice, choice_for
from annotation.models import Hearing, Label

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True, slots=True)
class Flag:
    """A critical error that a reviewer saw in the response that is in a slot here."""

    slot: SlotChoice
    label: str


@dataclass(frozen=True, slots=True)
class CriterionChoice:
    """What a reviewer said on one criterion, in the slots used here."""

    label: str
    choice: SlotChoice


@dataclass(frozen=True, slots=True)
class AnonymousLabel:
    """One label without its author.

    ``choice`` speaks of the slots that the adjudicator sees; ``shown_choice`` is what
    the reviewer pressed, in the slots they saw (None where that is not known), and
    ``sides`` compares the two. The note is as typed: its left and right are theirs.
    """

    letter: str
    choice: SlotChoice
    shown_choice: SlotChoice | None
    sides: Sides
    strength: int | None
    confidence: int | None
    abstain_reason: str
    flags: tuple[Flag, ...]
    criteria: tuple[CriterionChoice, ...]
    note: str
    guideline_version: int | None


def labels_for(hearing: Hearing) -> tuple[AnonymousLabel, ...]:
    """The labels that count for the pair, none before they may be shown."""
    if hearing.revealed_at is None:
        return ()
    rows = {_name(row): row for row in _rows(hearing)}
    seed = hearing.pair.gold_set.seed
    letters = letters_for(seed, hearing.adjudicator_id, list(rows))
    here = Order(hearing.order)
    return tuple(_anonymous(rows[name], letters[name], here) for name in letters)


def _rows(hearing: Hearing) -> Iterator[Label]:
    labels = Label.objects.votes().filter(pair=hearing.pair)
    yield from labels.select_related("guideline", "pair__gold_set").order_by("pk")


def _name(row: Label) -> str:
    """A name that stays the same when its author says something else."""
    return f"seat {row.seat_id}" if row.seat_id else f"out {row.external_reviewer}"


def _anonymous(row: Label, letter: str, here: Order) -> AnonymousLabel:
    shown = Order(row.order) if row.order else None
    return AnonymousLabel(
        letter=letter,
        choice=choice_for(Outcome(row.outcome), here),
        shown_choice=SlotChoice(row.choice) if row.choice else None,
        sides=sides_of(shown, here),
        strength=row.strength,
        confidence=row.confidence,
        abstain_reason=row.abstain_reason.replace("_", " "),
        flags=tuple(_flags(row, shown, here)),
        criteria=tuple(_criteria(row, shown, here)),
        note=row.note,
        guideline_version=row.guideline.version if row.guideline else None,
    )


def _flags(row: Label, shown: Order | None, here: Order) -> Iterator[Flag]:
    if shown is None:
        return
    names = _names(row.pair.gold_set.critical_errors)
    for slot, codes in _mapping(row.critical).items():
        for code in codes if isinstance(codes, list) else ():
            where = choice_here(SlotChoice(slot), shown, here)
            yield Flag(where, names.get(str(code), str(code)))


def _criteria(
    row: Label, shown: Order | None, here: Order
) -> Iterator[CriterionChoice]:
    if shown is None:
        return
    names = _names(row.guideline.criteria if row.guideline else [])
    for code, said in _mapping(row.criteria).items():
        choice = choice_here(SlotChoice(str(said)), shown, here)
        yield CriterionChoice(names.get(code, code), choice)


def _mapping(stored: object) -> Mapping[str, object]:
    return stored if isinstance(stored, dict) else {}


def _names(entries: object) -> dict[str, str]:
    """Codes and how people read them, from a stored list of `{"code", "label"}`."""
    rows = entries if isinstance(entries, list) else []
    found = [row for row in rows if isinstance(row, dict)]
    return {str(row.get("code")): str(row.get("label")) for row in found}
