"""What another tool's word for a preference means. Unknown words are errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.outcomes import Order, SlotChoice, outcome_of
from annotation.domain.values import shown

if TYPE_CHECKING:
    from annotation.domain.readers.base import ReadOptions
    from annotation.domain.readers.items import Item

KNOWN = {
    "first": SlotChoice.FIRST,
    "left": SlotChoice.FIRST,
    "a": SlotChoice.FIRST,
    "1": SlotChoice.FIRST,
    "second": SlotChoice.SECOND,
    "right": SlotChoice.SECOND,
    "b": SlotChoice.SECOND,
    "2": SlotChoice.SECOND,
    "tie": SlotChoice.TIE,
    "equal": SlotChoice.TIE,
    "same": SlotChoice.TIE,
    "abstain": SlotChoice.ABSTAIN,
    "unsure": SlotChoice.ABSTAIN,
    "cannot decide": SlotChoice.ABSTAIN,
}


def choice_of(
    item: Item,
    name: str,
    word: object,
    options: ReadOptions,
    answers: tuple[str, str] | None = None,
) -> SlotChoice | None:
    """Read a choice; ``answers`` are the names of the two answers' own fields.

    What a person mapped goes first, then the fields' names, then the words above.
    """
    if isinstance(word, bool) or not isinstance(word, str | int):
        item.fail(name, f"must be a choice, not {shown(word)}")
        return None
    text = str(word)
    mapped = options.values.get(text)
    if mapped is not None:
        return SlotChoice(mapped)
    if answers and text in answers:
        return (SlotChoice.FIRST, SlotChoice.SECOND)[answers.index(text)]
    found = KNOWN.get(text.strip().lower())
    if found is None:
        item.fail(
            name,
            f"unknown choice {shown(text)}; say what it means as a value: "
            "first, second, tie or abstain",
        )
    return found


def label_values(
    choice: SlotChoice, first: str, second: str, options: ReadOptions
) -> dict[str, object]:
    """``systems`` and ``outcome`` of a choice between two systems' answers.

    The choice is mapped through the order in which the two stood, as everywhere.
    """
    systems, order = pair_and_order(first, second, options)
    return {"systems": systems, "outcome": outcome_of(choice, order).value}


def pair_and_order(
    first: str, second: str, options: ReadOptions
) -> tuple[list[str], Order]:
    """The two systems in the set's order, and the order in which they stood."""
    if options.systems.index(first) < options.systems.index(second):
        return [first, second], Order.BASELINE_FIRST
    return [second, first], Order.CANDIDATE_FIRST


def answering_systems(item: Item, options: ReadOptions) -> tuple[str, str] | None:
    """The systems of the first and the second answer, as somebody said them."""
    if len(options.answers) != 2:  # noqa: PLR2004 - a pair
        item.fail(
            None,
            "does not say which systems answered: name those of the first and the "
            "second answer (answers)",
        )
        return None
    first, second = options.answers
    return first, second
