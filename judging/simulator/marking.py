"""How a simulated judge marks one response, and what it reads of the scale."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

PASSES = 0.5
"""The quality from which a response passes."""

HIGHEST = 10
_LEVEL = re.compile(r"^(\d+) {2}\S", re.MULTILINE)
_GATE = re.compile(r"^\"(\w+)\": ", re.MULTILINE)
_LABEL = 'on a line after "Verdict: "'


class MarkMenu(StrEnum):
    """The scales that the simulated judge can mark on."""

    PASS_FAIL = "pass_fail"  # noqa: S105 - the name of a scale, no password
    SHORT_SCALE = "short_scale"
    GATED_SCORE = "gated_score"


@dataclass(frozen=True)
class MarkScale:
    """A scale as it was read from a prompt."""

    menu: MarkMenu
    levels: int = 0
    gates: tuple[str, ...] = ()
    labelled: bool = False


@dataclass(frozen=True)
class Marked:
    """The mark of one response: its token on the scale, and the gates that failed."""

    menu: MarkMenu
    token: str
    gates: tuple[str, ...]
    failed: tuple[str, ...]
    labelled: bool


def scale_in(instructions: str) -> MarkScale | None:
    """Find the scale that a prompt asks to mark on; ``None`` for one that compares."""
    labelled = _LABEL in instructions
    if 'Field "gates"' in instructions:
        menu = instructions[instructions.index('Field "gates"') :]
        return MarkScale(MarkMenu.GATED_SCORE, gates=tuple(_GATE.findall(menu)))
    if re.search(r"^PASS {2}\S", instructions, re.MULTILINE):
        return MarkScale(MarkMenu.PASS_FAIL, labelled=labelled)
    if "ABSTAIN  It cannot be judged from what is given (this is no s" in instructions:
        levels = [int(each) for each in _LEVEL.findall(instructions)]
        return MarkScale(MarkMenu.SHORT_SCALE, max(levels, default=2), (), labelled)
    return None


def mark(
    scale: MarkScale, quality: float | None, gate_fails: Callable[[str], bool]
) -> Marked:
    """Mark a response of a quality from 0 to 1; ``None`` can't be judged."""
    failed = tuple(name for name in scale.gates if gate_fails(name))
    said = "ABSTAIN" if quality is None else _token(scale, min(max(quality, 0), 1))
    if quality is None and scale.menu is MarkMenu.GATED_SCORE:
        said = said.lower()
    return Marked(scale.menu, said, scale.gates, failed, scale.labelled)


def _token(scale: MarkScale, quality: float) -> str:
    if scale.menu is MarkMenu.PASS_FAIL:
        return "PASS" if quality >= PASSES else "FAIL"
    if scale.menu is MarkMenu.GATED_SCORE:
        return str(round(quality * HIGHEST))
    return str(min(int(quality * scale.levels), scale.levels - 1) + 1)
