"""Two answers to the same pairs: what each has alone, and whether that is chance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from annotation.domain.estimates import Estimate
from calibration.domain.columns import BASELINE, CANDIDATE, TIE
from calibration.domain.flags import binomial_tail
from calibration.domain.position import exact_sign_test
from calibration.domain.preference import net_of

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.columns import Mask
    from calibration.domain.rates import Rates
    from calibration.domain.results import ExactTest

EXACT = "mcnemar, exact"


@dataclass(frozen=True, slots=True)
class Paired:
    """What pairs say that count for one of two alone.

    ``difference`` is ``gains`` less ``losses``, of all pairs (Tango, on counts over the
    design effect where clusters hold several). ``test`` is the exact McNemar test,
    which takes pairs as independent. ``p_value`` is that of the same test on counts
    over the design effect of ``difference``; pairs of one prompt that go the same way
    are then not taken for so many witnesses, and what is said rests on this one.
    """

    gains: int
    losses: int
    difference: Figure
    test: ExactTest
    p_value: float | None


def paired(gains: Mask, losses: Mask, rates: Rates) -> Paired:
    """Compare on all pairs that ``rates`` is of; no pair is both gain and loss."""
    codes = np.where(gains, CANDIDATE, np.where(losses, BASELINE, TIE))
    difference = net_of(codes, rates)
    up, down = int(gains.sum()), int(losses.sum())
    test = replace(exact_sign_test(up, down), method=EXACT)
    return Paired(up, down, difference, test, _p_value(up, down, difference, test))


def _p_value(up: int, down: int, difference: Figure, test: ExactTest) -> float | None:
    effect = difference.design_effect if isinstance(difference, Estimate) else 1.0
    if effect == 1 or test.p_value is None:
        return test.p_value
    return min(1.0, 2 * binomial_tail(max(up, down), up + down, 0.5, effect))
