"""A release is one candidate against one baseline: which systems are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.models import Pair
from config.errors import Conflict
from judging.domain.comparisons import comparisons_text
from judging.models import RunPurpose

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from annotation.models import GoldSet
    from judging.services.run_options import RunOptions

NAMES = ("baseline__system__name", "candidate__system__name")


def compared(pairs: QuerySet[Pair]) -> set[tuple[Any, ...]]:
    """The pairs of systems, baseline first, that some pairs compare."""
    return set(pairs.order_by().values_list(*NAMES).distinct())


def refuse_comparisons(pairs: QuerySet[Pair], what: str) -> None:
    """Raise ``Conflict`` where pairs compare several pairs of systems, by name.

    All of them together could prefer "the candidate" while one loses every pair.
    """
    if len(found := compared(pairs)) > 1:
        raise Conflict(
            "release_many_systems",
            f"{what} compares {len(found)} pairs of systems "
            f"({comparisons_text(found)}): a release is one candidate against one "
            "baseline. Judge the pairs of these two alone.",
        )


def refuse_release(gold_set: GoldSet, options: RunOptions) -> None:
    """Refuse a release run to come, or its estimate, that could not be decided."""
    if options.purpose is not RunPurpose.RELEASE:
        return
    pairs = Pair.objects.filter(gold_set=gold_set)
    if options.pair_ids is not None:
        pairs = pairs.filter(pk__in=options.pair_ids)
    refuse_comparisons(pairs, gold_set.name)
