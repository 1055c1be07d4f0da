"""Plans of looks, and their words, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calibration.domain.gates import RATES, Side
from calibration.models import LookWord
from calibration.presenters.figures import rounded

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES = {
    "agreement": "Exact agreement",
    "false_candidate_wins": "False candidate wins",
    "false_baseline_wins": "False baseline wins",
    "critical_false_candidate_wins": "False candidate wins of critical pairs",
    "flip_rate": "Flips when slots swap",
    "invalid_rate": "Invalid pairs",
}
SIDES = {Side.AT_LEAST: "at least", Side.AT_MOST: "at most"}


def limit_label(name: str) -> str:
    """A limit's rate and on which side of it a judge has to be."""
    return f"{NAMES[name]}, {SIDES[RATES[name][1]]}"


def limit_rows(limits: Mapping[str, float]) -> list[str]:
    """Each limit in words, in the order of the rates."""
    return [
        f"{limit_label(name)} {rounded(100 * limits[name], 2)} %"
        for name in RATES
        if name in limits
    ]


def word_text(word: str) -> str:
    """What a look at a sealed set says."""
    return "Passed" if word == LookWord.PASSED else "Not passed"
