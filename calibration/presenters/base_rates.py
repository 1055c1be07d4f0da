"""How common each class is, in gold and in verdicts: what kappa is to be read by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calibration.presenters.cells import Cell
from calibration.presenters.figures import NOT_DEFINED, count_text, rounded

if TYPE_CHECKING:
    from calibration.presenters.columns import Payload

CLASSES = ("baseline", "candidate", "tie")


def of_gold(confusion: Payload) -> Cell:
    """Shares of the gold outcomes among the pairs that kappa is about."""
    return _cell([sum(confusion[gold][said] for said in CLASSES) for gold in CLASSES])


def of_judge(confusion: Payload) -> Cell:
    """Shares of the verdicts among the same pairs."""
    return _cell([sum(confusion[gold][said] for gold in CLASSES) for said in CLASSES])


def _cell(counts: list[int]) -> Cell:
    n = sum(counts)
    if not n:
        return Cell(NOT_DEFINED, "0 cases", undefined=True)
    shares = " / ".join(rounded(100 * count / n, 1) for count in counts)
    told = " + ".join(f"{count:,}" for count in counts)
    return Cell(f"{shares} %", f"{told} of {count_text(n, 'pair')}")
