"""What is said to somebody who would take a look and has not asked for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.services.held_out import LookNeeded
from calibration.services.look_counts import budget_of, looks_used

if TYPE_CHECKING:
    from annotation.models import GoldSet

HOW = 'POST {"look_reason": "…"} to the same address'


def asking(gold_set: GoldSet, *, new: int, looks: int = 1) -> LookNeeded:
    """What looks would cost, and what is noted of them.

    ``new`` of them are at results that nobody has seen yet.
    """
    used, budget = looks_used(gold_set), budget_of(gold_set)
    what, each = ("a look", "It") if looks == 1 else (f"{looks} looks", "Each")
    return LookNeeded(
        "look_needed",
        f"Held-out pairs of {gold_set.name} are among these, and showing them is "
        f"{what}: {used} of {budget} are used, and {_cost(new, looks)}. {each} is "
        "logged with your name, the time and your reason, and the splits of the set "
        "stay as they are from then on.",
        {"n": used, "budget": budget, "new": new > 0, "how": HOW},
    )


def _cost(new: int, looks: int) -> str:
    if looks == 1:
        return "this would be one more" if new else "this is one of them"
    return f"these would add {new}" if new else "these are among them"
