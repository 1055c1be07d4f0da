"""How texts and pairs reach the screen."""

from __future__ import annotations

from annotation.presenters.pairs import (
    Asked,
    Filled,
    ShownPair,
    asked,
    shown,
    slots_of,
)
from annotation.presenters.texts import PANEL_TOP, Turn, View, markdown, turns

__all__ = [
    "PANEL_TOP",
    "Asked",
    "Filled",
    "ShownPair",
    "Turn",
    "View",
    "asked",
    "markdown",
    "shown",
    "slots_of",
    "turns",
]
