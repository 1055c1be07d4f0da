"""The demo's sentinel: fixed pairs that the simulated judge is asked about again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from calibration.management.demo import judge
from calibration.models import SentinelPanel, SentinelPoint
from calibration.services.sentinels.defining import SentinelPlan, define_sentinel

if TYPE_CHECKING:
    from annotation.models import GoldSet
    from config.accounts.models import User

SENTINEL = "demo-simulated-judge"
PAIRS, PARTS = 30, 3
CHECKS = 1 + PARTS  # a reference, and every part of it once
WEEK = 24 * 7


def panel(gold_set: GoldSet, lead: User) -> SentinelPanel:
    """Define it, once."""
    known = SentinelPanel.objects.filter(name=SENTINEL).first()
    if known is not None:
        return known
    plan = SentinelPlan(
        name=SENTINEL,
        gold_set=gold_set.name,
        judge=judge.JUDGE,
        pairs=PAIRS,
        parts=PARTS,
        period_hours=WEEK,
        concurrency=judge.CONCURRENCY,
    )
    return define_sentinel(plan=plan, by=lead, now=timezone.now())


def recorded() -> int:
    """How many of its checks have a point."""
    rows = SentinelPoint.objects.filter(sentinel_check__series__panel__name=SENTINEL)
    return rows.count()
