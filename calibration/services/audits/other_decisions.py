"""What was decided otherwise: a bundle says which decisions it does not hold.

Whoever runs or decides until it ships leaves rows, and a decision alone would not show
them (DESIGN rule 23).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from calibration.models import Decision
from calibration.services.releases import release_runs

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime


def others_not_along(
    decisions: Collection[int], runs: Collection[int], until: datetime
) -> tuple[str, ...]:
    """Name the other decisions on the runs and sets of these, and runs without one."""
    own = Decision.objects.filter(pk__in=decisions)
    sets = set(own.values_list("run__gold_set", flat=True))
    made = Decision.objects.filter(run__gold_set__in=sets, decided_at__lte=until)
    others = made.exclude(pk__in=decisions).order_by("pk")
    found: dict[int, list[str]] = defaultdict(list)
    for number, run, result in others.values_list("pk", "run_id", "result"):
        found[run].append(f"decision {number}: {result.replace('_', ' ')}")
    started = release_runs().filter(gold_set__in=sets, created_at__lte=until)
    names = dict(started.values_list("pk", "gold_set__name"))
    return tuple(
        _words(run, names[run], found[run], here=run in runs)
        for run in sorted(names)
        if found[run] or run not in runs
    )


def _words(run: int, gold_set: str, decisions: list[str], *, here: bool) -> str:
    told = "; ".join(decisions)
    if here:
        return f"what else was decided on run {run} over {gold_set}: {told}"
    tail = f", {told}" if told else ", not decided"
    return f"another release run over {gold_set}, run {run}{tail}"
