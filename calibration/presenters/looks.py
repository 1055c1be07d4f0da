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


def open_before_text(pairs: int) -> str:
    """What a lead should know of a plan, or nothing."""
    if not pairs:
        return ""
    some = "1 held-out pair" if pairs == 1 else f"{pairs:,} held-out pairs"
    return (
        f"The texts of {some} were judged where they are not held out, or before they "
        "were: a judge may have been tuned on them, and no plan makes them fresh."
    )


def word_text(word: str) -> str:
    """What a look at a sealed set says."""
    return "Passed" if word == LookWord.PASSED else "Not passed"
