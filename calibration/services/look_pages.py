"""What the page, the API and the command say about the looks at a set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.domain.outcomes import Split
from annotation.models import Pair
from annotation.services.gold_sets import gold_set_named
from annotation.services.look_plans import nothing_sealed, terms_of
from annotation.services.seals import seals_nothing
from calibration.services.look_counts import (
    budget_of,
    looks_at,
    open_elsewhere,
    subjects_seen,
)
from calibration.services.looks import words_of

if TYPE_CHECKING:
    from typing import Any

    from annotation.models import GoldSet
    from annotation.services.look_plans import Terms
    from calibration.models import Look


@dataclass(frozen=True, slots=True)
class LookLog:
    """How a set may be looked at, and every look so far, oldest first.

    Of ``open_before`` held-out pairs, results could be seen where nothing held them
    out: no plan makes these fresh material. ``nothing_sealed`` says so, and what to do,
    where the set is sealed and nothing of it is held out.
    """

    gold_set: GoldSet
    terms: Terms
    used: int
    budget: int
    looks: tuple[Look, ...]
    words: tuple[dict[str, Any], ...]
    open_before: int
    nothing_sealed: str = ""

    @property
    def may_plan(self) -> bool:
        """Whether nobody has looked yet."""
        return self.gold_set.held_out_seen_at is None and not self.looks


def look_log(name: str) -> LookLog:
    """The looks at a set by name, those at the same pairs elsewhere among them."""
    gold_set = gold_set_named(name)
    terms = terms_of(gold_set)
    rows = looks_at(gold_set).select_related(
        "gold_set", "looked_by", "report__run__config"
    )
    return LookLog(
        gold_set=gold_set,
        terms=terms,
        used=len(subjects_seen(gold_set)),
        budget=budget_of(gold_set, terms),
        looks=tuple(rows.order_by("looked_at", "pk")),
        words=words_of(gold_set),
        open_before=open_elsewhere(
            Pair.objects.filter(gold_set=gold_set, case__split=Split.HELD_OUT.value)
        ),
        nothing_sealed=nothing_sealed(gold_set) if seals_nothing(gold_set) else "",
    )
