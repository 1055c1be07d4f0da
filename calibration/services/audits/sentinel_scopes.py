"""Which sentinels belong to a bundle, and which runs they rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q

from calibration.domain.sentinels import CheckKind
from calibration.models import SentinelCheck, SentinelPair, SentinelPanel
from judging.models import Call, Run, RunPurpose

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

    from annotation.models import GoldSet
    from calibration.services.audits.scopes import Scope

USUAL = (RunPurpose.NOISE, RunPurpose.CALIBRATION)


def sentinels_of(gold_set: GoldSet, until: datetime) -> tuple[int, ...]:
    """The panels over a set's pairs."""
    found = SentinelPanel.objects.filter(
        gold_version__gold_set=gold_set, created_at__lte=until
    )
    return tuple(found.order_by("pk").values_list("pk", flat=True))


def sentinels_of_period(since: datetime, to: datetime) -> tuple[int, ...]:
    """The panels that were defined, checked, ended, alarmed about or noted then."""
    found: set[int] = set()
    for when in (
        "created_at", "ended_at", "series__checks__started_at", "alarms__raised_at",
        "series__checks__point__recorded_at",
        "alarms__acknowledgement__acknowledged_at",
    ):  # fmt: skip
        rows = SentinelPanel.objects.filter(
            **{f"{when}__gte": since, f"{when}__lt": to}
        )
        found |= set(rows.values_list("pk", flat=True))
    return tuple(sorted(found))


def runs_behind_sentinels(
    panels: Collection[int], sets: Collection[int], until: datetime
) -> tuple[Run, ...]:
    """The runs of these panels from the first on, and those that tell the noise.

    Of cases beside the panel only where their set is among ``sets`` for its own sake:
    a panel brings no other set along.
    """
    checks = SentinelCheck.objects.filter(
        series__panel__in=panels, started_at__lte=until
    ).exclude(~Q(run__gold_set__in=sets), kind=CheckKind.FRESH.value)
    own = list(checks.values_list("run_id", "series__config", "run__gold_set"))
    if not own:
        return ()
    usual = Q(
        purpose__in=USUAL,
        config__in={config for _, config, _ in own},
        gold_set__in={gold_set for _, _, gold_set in own},
        created_at__lte=until,
    )
    rows = Run.objects.filter(Q(pk__in=[run for run, _, _ in own]) | usual)
    return tuple(rows.select_related("config", "gold_set").order_by("pk"))


def sets_of_sentinels(panels: Collection[int]) -> set[int]:
    """The sets whose pairs are watched."""
    found = SentinelPanel.objects.filter(pk__in=panels)
    return set(found.values_list("gold_version__gold_set", flat=True))


def whole_sentinels(scope: Scope, pairs: set[int]) -> frozenset[int]:
    """The panels of a scope that tell nothing of other pairs than these.

    A point sums up all pairs of its check: of a panel with one pair that is not dev any
    more, or is sealed now, no point leaves its set.
    """
    others = SentinelPair.objects.filter(panel__in=scope.sentinels)
    told = set(others.exclude(pair__in=pairs).values_list("panel", flat=True))
    beside = Call.objects.filter(
        run__in=scope.run_ids, run__sentinel_check__series__panel__in=scope.sentinels
    ).exclude(pair=None)
    panel = "run__sentinel_check__series__panel"
    told |= set(beside.exclude(pair__in=pairs).values_list(panel, flat=True))
    return frozenset(set(scope.sentinels) - told)


def not_along(
    panels: Collection[int], sets: Iterable[GoldSet], until: datetime
) -> tuple[str, ...]:
    """Say whose cases beside a panel are not in the bundle."""
    found = SentinelCheck.objects.filter(
        series__panel__in=panels, kind=CheckKind.FRESH.value, started_at__lte=until
    ).exclude(run__gold_set__in=[one.pk for one in sets])
    rows = found.values_list("series__panel__name", "run__gold_set__name").distinct()
    return tuple(
        f"what sentinel {name} was asked beside its panel: gold set {gold_set} is not "
        "in the bundle"
        for name, gold_set in sorted(rows)
    )
