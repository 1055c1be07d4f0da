"""Looks: every disclosure of held-out results is logged against its budget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Max

from annotation.domain.digests import digest_of
from annotation.domain.outcomes import Split
from annotation.models import GoldItem, GoldSet
from calibration.models import Look
from config.errors import Conflict

if TYPE_CHECKING:
    from datetime import datetime

    from calibration.models import Report
    from config.accounts.models import User


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a signed-in user, or whoever ran a command; and through which door."""

    user: User | None
    door: str
    actor: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LooksState:
    """How many different results were disclosed, of how many, and which one this is."""

    n: int
    budget: int
    this: int | None
    over_budget: bool


@transaction.atomic
def disclose(*, report: Report, viewer: Viewer, now: datetime) -> LooksState:
    """Log that held-out results of a report are being shown, and say how many were.

    The same person seeing the same report again learns nothing new and is not logged
    again. Past the budget the report still opens, but only with a reason.
    """
    gold_set = GoldSet.objects.select_for_update().get(
        pk=report.gold_version.gold_set_id
    )
    held_out = held_out_digest(report)
    if held_out is None:
        return _state(gold_set, None)
    known = Look.objects.filter(gold_set=gold_set, report__digest=report.digest)
    mine = known.filter(looked_by=viewer.user, actor=viewer.actor).first()
    if mine is None:
        if not known.exists():
            _check_budget(gold_set, viewer)
        mine = _log(gold_set, report, viewer, held_out, now)
    return _state(gold_set, mine)


def _check_budget(gold_set: GoldSet, viewer: Viewer) -> None:
    used = _used(gold_set)
    if used >= gold_set.look_budget and not viewer.reason.strip():
        raise Conflict(
            "looks_spent",
            f"All {gold_set.look_budget} looks at the held-out results of "
            f"{gold_set.name} are used; a further one needs a reason.",
        )


def _log(
    gold_set: GoldSet, report: Report, viewer: Viewer, held_out: str, now: datetime
) -> Look:
    last = Look.objects.filter(gold_set=gold_set).aggregate(n=Max("number"))["n"]
    return Look.objects.create(
        gold_set=gold_set,
        number=(last or 0) + 1,
        report=report,
        looked_at=now,
        looked_by=viewer.user,
        actor=viewer.actor,
        door=viewer.door,
        reason=viewer.reason,
        held_out_digest=held_out,
    )


def _used(gold_set: GoldSet) -> int:
    looks = Look.objects.filter(gold_set=gold_set)
    return looks.values("report__digest").distinct().count()


def _state(gold_set: GoldSet, this: Look | None) -> LooksState:
    used = _used(gold_set)
    return LooksState(
        n=used,
        budget=gold_set.look_budget,
        this=this.number if this else None,
        over_budget=used > gold_set.look_budget,
    )


def held_out_digest(report: Report) -> str | None:
    """Digest of the held-out pairs that a report speaks of; None if there are none."""
    pairs = sorted(
        GoldItem.objects.filter(
            version_id=report.gold_version_id, split=Split.HELD_OUT.value
        ).values_list("pair__digest", flat=True)
    )
    return digest_of(pairs) if pairs else None
