"""How texts and pairs reach the screen."""

from __future__ import annotations

from annotation.presenters.pairs import (
    Asked,
    Filled,
    ShownPair,
    ShownTexts,
    asked,
    shown,
    shown_texts,
    slots_of,
)
from annotation.presenters.texts import PANEL_TOP, Turn, View, markdown, turns

__all__ = [
    "PANEL_TOP",
    "Asked",
    "Filled",
    "ShownPair",
    "ShownTexts",
    "Turn",
    "View",
    "asked",
    "markdown",
    "shown",
    "shown_texts",
    "slots_of",
    "turns",
]
