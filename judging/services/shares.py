"""Sharing a run's calls in flight among all its runners, wherever they are.

A run's ``concurrency`` bounds what all of them together have in flight (DESIGN rule
22). Each has a part of it, under a lease; the parts never add up to more than the
whole. A runner that comes later takes what is free, and those before it give up to an
even part as their calls in flight end.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction

from judging.models import Run, RunnerShare

if TYPE_CHECKING:
    import uuid
    from datetime import datetime

HEARTBEAT_SECONDS = 3.0
# While parts are being evened out.
SOON_SECONDS = 0.5
# Two heartbeats and a little: a runner that died keeps no place for longer.
LEASE = timedelta(seconds=7)


@dataclass(frozen=True, slots=True)
class Share:
    """How many calls a runner may have in flight; ``settled`` once that is its part."""

    places: int
    settled: bool

    @property
    def look_after(self) -> float:
        """In how many seconds to ask again."""
        return HEARTBEAT_SECONDS if self.settled else SOON_SECONDS


@transaction.atomic
def take_share(
    *, run_id: int, owner: uuid.UUID, wanted: int, holding: int, now: datetime
) -> Share:
    """Keep, take or give up places; ``holding`` are calls that may be in flight still.

    A place is given up only once no call holds it, so that nobody else has it as well.
    """
    whole = Run.objects.select_for_update(of=("self",)).get(pk=run_id).concurrency
    shares = list(RunnerShare.objects.filter(run=run_id))
    living = [s for s in shares if s.owner == owner or s.lease_until >= now]
    owners = [share.owner for share in living]
    if owner not in owners:
        owners.append(owner)
    others = sum(share.places for share in living if share.owner != owner)
    even, rest = divmod(whole, len(owners))
    part = min(wanted, even + (owners.index(owner) < rest))
    places = max(0, min(part, whole - others))
    held = max(places, holding)
    RunnerShare.objects.filter(
        pk__in=[share.pk for share in shares if share not in living]
    ).delete()
    RunnerShare.objects.update_or_create(
        run_id=run_id,
        owner=owner,
        defaults={"places": held, "lease_until": now + LEASE},
    )
    return Share(places, settled=places == part and held == places)


def drop_share(*, run_id: int, owner: uuid.UUID) -> None:
    """Give all places up."""
    RunnerShare.objects.filter(run=run_id, owner=owner).delete()
