"""Slots in words."""

from __future__ import annotations

from django import template

from annotation.domain.outcomes import SlotChoice

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
