"""Plans for a difference: of two judges on the same gold, of dev and held-out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from calibration.domain.plan_differences import gap_pairs, judge_pairs
from config.errors import InvalidInput

if TYPE_CHECKING:
    from calibration.domain.plan_clusters import Clustering
    from calibration.services.planning import Questions

NO_PLAN = "plan_impossible"


def check_together(asked: Questions) -> None:
    """Refuse one figure of a question that needs two."""
    for words, first, second in (
        ("The limit of a gate and the true rate", asked.limit, asked.true),
        (
            "The difference of two judges and the share that one alone has right",
            asked.difference,
            asked.discordant,
        ),
        ("The gap to held-out and the rate on dev", asked.gap, asked.dev_rate),
    ):
        if (first is None) != (second is None):
            raise InvalidInput(NO_PLAN, f"{words} belong together.")


def judges_answer(asked: Questions, lies: Clustering) -> dict[str, Any] | None:
    """Pairs that show the difference of two judges; None where it is not asked."""
    difference, discordant = asked.difference, asked.discordant
    if difference is None or discordant is None:
        return None
    alone = judge_pairs(difference, discordant, asked.power)
    pairs = None if alone is None else lies.pairs(alone)
    return {
        "difference": difference,
        "discordant": discordant,
        "power": asked.power,
        "pairs": pairs,
        "cases": pairs and lies.cases(pairs),
        "independent": alone,
    }


def gap_answer(asked: Questions, lies: Clustering) -> dict[str, Any] | None:
    """Dev and held-out pairs that show a gap; None where it is not asked."""
    gap, rate, share = asked.gap, asked.dev_rate, asked.held_out_share
    if gap is None or rate is None:
        return None
    found = gap_pairs(gap, rate, held_out_share=share, power=asked.power)
    said = {"gap": gap, "dev_rate": rate, "held_out_share": share, "power": asked.power}
    if found is None:
        sizes = ("dev", "held_out", "pairs", "cases", "independent")
        return said | dict.fromkeys(sizes)
    dev, held_out = lies.pairs(found.dev), lies.pairs(found.held_out)
    return said | {
        "dev": dev,
        "held_out": held_out,
        "pairs": dev + held_out,
        "cases": lies.cases(dev + held_out),
        "independent": found.dev + found.held_out,
    }
