"""Slots and categories in words."""

from __future__ import annotations

from django import template

from annotation.domain.outcomes import SlotChoice
from annotation.domain.ruling_categories import category_label

register = template.Library()

WORDS = {
    SlotChoice.FIRST: "Left",
    SlotChoice.SECOND: "Right",
    SlotChoice.TIE: "Tie",
    SlotChoice.ABSTAIN: "Abstain",
}


@register.filter
def slot(choice: str) -> str:
    """`{{ label.choice|slot }}`: how a person reads a slot choice."""
    return WORDS[SlotChoice(choice)]


@register.filter
def category(code: str, own: object = None) -> str:
    """`{{ code|category:gold_set.ruling_categories }}`: how a person reads it."""
    return category_label(code, own)
