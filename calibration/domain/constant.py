"""The judge against one constant answer on the same pairs (exact McNemar).

Both are right or wrong on every scored pair, so only pairs that one of them alone gets
right tell them apart. All of that is in the confusion table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calibration.domain.flags import binomial_tail

if TYPE_CHECKING:
    from collections.abc import Mapping

ANSWERS = ("baseline", "candidate", "tie")


@dataclass(frozen=True, slots=True)
class AgainstConstant:
    """The commonest gold outcome as an answer to every pair, beside the judge.

    ``right`` counts the pairs that it gets right, ``judge_alone`` and
    ``constant_alone`` those that only one of both does. ``p_value`` is two-sided.
    """

    answer: str
    right: int
    judge_alone: int
    constant_alone: int
    p_value: float

    def shown(self, level: float) -> bool:
        """Whether the judge is shown to be the better one at this level."""
        better = self.judge_alone > self.constant_alone
        return better and self.p_value <= 1 - level

    def shown_worse(self, level: float) -> bool:
        """Whether the constant answer is shown to be the better one."""
        worse = self.judge_alone < self.constant_alone
        return worse and self.p_value <= 1 - level


def against_constant(
    confusion: Mapping[str, Mapping[str, int]], design_effect: float = 1.0
) -> AgainstConstant:
    """Compare by a confusion table: gold outcome, then verdict, then count.

    A design effect d makes counts of x stand for x/d pairs, as for the intervals.
    """
    totals = {gold: sum(confusion[gold].values()) for gold in ANSWERS}
    answer = max(ANSWERS, key=lambda gold: totals[gold])
    mine = sum(confusion[gold][gold] for gold in ANSWERS if gold != answer)
    its = totals[answer] - confusion[answer][answer]
    tail = binomial_tail(max(mine, its), mine + its, 0.5, design_effect)
    return AgainstConstant(answer, totals[answer], mine, its, min(1.0, 2 * tail))
