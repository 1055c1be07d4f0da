"""On which pairs a judge is known to say something else than gold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.outcomes import Split
from annotation.services.ruling_chains import standing_gold
from annotation.services.seals import sealed_of
from calibration.models import Report
from calibration.services.report_cases import pairs_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from annotation.models import Pair


def differing_pairs(pairs: Sequence[Pair]) -> frozenset[int]:
    """Those whose gold, as it stands now, the newest report's verdict contradicts.

    Held-out and sealed pairs are never among them: to name one would tell a held-out
    result to somebody who took no look. Pairs are of one gold set.
    """
    if not pairs:
        return frozenset()
    reports = Report.objects.filter(gold_version__gold_set=pairs[0].gold_set_id)
    newest = reports.order_by("-pk").first()
    if newest is None:
        return frozenset()
    known = pairs_of(newest).of_part(held_out=False).filter(pair__in=pairs)
    verdicts = dict(known.values_list("pair_id", "verdict"))
    sealed = sealed_of(pairs[0].gold_set)
    open_ones = [
        pair
        for pair in pairs
        if pair.pk in verdicts.keys() - sealed
        and pair.case.split != Split.HELD_OUT.value
    ]
    gold = standing_gold(open_ones)
    return frozenset(
        pk
        for pk, outcome in gold.items()
        if outcome is not None and outcome.value != verdicts[pk]
    )
