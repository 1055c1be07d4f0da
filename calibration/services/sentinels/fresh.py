"""Newly adjudicated production cases, judged once beside the fixed pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import OuterRef, Subquery

from annotation.domain.outcomes import Outcome
from annotation.models import Adjudication, Pair
from annotation.services.seals import under_seal
from calibration.domain.sentinels import CheckKind
from calibration.services.sentinels.defining import not_held_out
from judging.models import Call

if TYPE_CHECKING:
    from collections.abc import Iterable

    from calibration.models import SentinelSeries

MOST_FRESH = 200  # a check; the oldest rulings first, the rest at the next one


def fresh_pairs(series: SentinelSeries) -> tuple[int, ...]:
    """Pairs ruled on since the panel was defined that this series has not judged.

    None that is on the panel, and none that is held out or sealed.
    """
    panel = series.panel
    if panel.production_id is None:
        return ()
    ruled = Adjudication.objects.filter(
        pair__gold_set=panel.production_id, created_at__gt=panel.created_at
    )
    asked = Call.objects.filter(
        run__sentinel_check__series=series,
        run__sentinel_check__kind=CheckKind.FRESH.value,
    )
    pairs = not_held_out(Pair.objects.filter(pk__in=ruled.values("pair")))
    pairs = pairs.exclude(texts_digest__in=panel.members.values("pair__texts_digest"))
    pairs = pairs.exclude(pk__in=asked.exclude(pair=None).values("pair"))
    sealed = set(under_seal(pairs).values_list("pk", flat=True))
    first = ruled.filter(pair=OuterRef("pk")).order_by("pk").values("pk")[:1]
    rows = pairs.annotate(ruling=Subquery(first)).order_by("ruling")
    found = [pk for pk in rows.values_list("pk", flat=True) if pk not in sealed]
    return tuple(found[:MOST_FRESH])


def ruled_outcomes(pair_ids: Iterable[int]) -> dict[int, Outcome]:
    """What was ruled on pairs last."""
    rows = Adjudication.objects.filter(pair__in=list(pair_ids)).order_by("sequence")
    return {pk: Outcome(said) for pk, said in rows.values_list("pair", "outcome")}
