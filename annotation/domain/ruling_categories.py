"""The categories that an adjudicator may choose from: five of all sets, and its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from annotation.domain.rulings import RulingCategory

CODE = re.compile(r"[a-z][a-z0-9_]{0,39}", re.ASCII)

_LABELS = {
    RulingCategory.REVIEWER_SLIP: "Reviewer slip: somebody overlooked something",
    RulingCategory.RUBRIC_GAP: "Rubric gap: the guideline does not say",
    RulingCategory.GENUINELY_CLOSE: "Genuinely close: both choices can be defended",
    RulingCategory.MISSING_EVIDENCE: "Missing evidence: it can't be told from this",
    RulingCategory.BAD_CASE: "Bad case: the prompt or the responses are broken",
    RulingCategory.GOLD_WRONG: "Gold wrong: what stood was an error",
    RulingCategory.RUBRIC_AMBIGUOUS: "Rubric ambiguous: it can be read both ways",
    RulingCategory.LABEL_SLIP: "Label slip: a wrong key, a side mixed up",
}


@dataclass(frozen=True, slots=True)
class Category:
    """A category as stored (``code``) and as people read it (``label``)."""

    code: str
    label: str


def offered_categories(own: object) -> tuple[Category, ...]:
    """The categories for rulings in a set whose own ones are ``own``.

    ``own`` is the set's list as stored: codes, or mappings with ``code`` and ``label``.
    Those for corrections are not offered: they belong to the request, whose reason is
    hidden from who rules (DESIGN rule 14). What is no code is left out, as is one that
    a category of all sets has already.
    """
    general = [
        Category(category.value, _LABELS[category])
        for category in RulingCategory
        if not category.is_correction
    ]
    taken = {category.value for category in RulingCategory}
    entries = own if isinstance(own, list | tuple) else ()
    found = [_category(entry) for entry in entries]
    extra = {one.code: one for one in found if one and one.code not in taken}
    return (*general, *extra.values())


def category_label(code: str, own: object) -> str:
    """How people read a stored category; the code itself where nothing names it."""
    labels = {category.value: label for category, label in _LABELS.items()}
    labels |= {one.code: one.label for one in offered_categories(own)}
    return labels.get(code, code)


def correction_categories() -> tuple[Category, ...]:
    """Why gold that stood is sent to be ruled on again."""
    return tuple(
        Category(category.value, _LABELS[category])
        for category in RulingCategory
        if category.is_correction
    )


def _category(entry: object) -> Category | None:
    if isinstance(entry, Mapping):
        code, label = entry.get("code"), entry.get("label")
    else:
        code, label = entry, None
    if not isinstance(code, str) or not CODE.fullmatch(code):
        return None
    return Category(code, str(label or code.replace("_", " ").capitalize()))
