"""The pairs of a release run's set that the run did not judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.models import Pair
from calibration.domain.unjudged import SetPair, not_judged
from calibration.models import SwapPanel

if TYPE_CHECKING:
    from judging.models import Run


def unjudged_json(run: Run, judged: list[dict[str, Any]]) -> dict[str, Any]:
    """Imported verdicts, cases that came later and chosen pairs may leave some out."""
    rows = Pair.objects.filter(gold_set=run.gold_set_id).order_by("pk")
    found = rows.values_list(
        "pk", "case__external_id", "case__critical",
        "baseline__system__name", "candidate__system__name",
    )  # fmt: skip
    pairs = (
        SetPair(pk, case, critical, (one, other))
        for pk, case, critical, one, other in found.iterator(chunk_size=5000)
    )
    drawn = SwapPanel.objects.filter(run=run).values_list("pairs", flat=True).first()
    return not_judged(pairs, judged, drawn)
