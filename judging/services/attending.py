"""Who is at work on a run, and which runs want somebody."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef

from judging.models import Batch, Call, CallState, Run
from judging.services.working import runs_with_work
from judging.services.worklist import HEARTBEAT_SECONDS, LEASE

if TYPE_CHECKING:
    from datetime import datetime

# A living runner has renewed its leases within two heartbeats. One that died is not
# counted for longer, though its claims stand until the lease ends.
FRESH = LEASE - timedelta(seconds=2 * HEARTBEAT_SECONDS)


def living_runners(run_id: int, now: datetime) -> int:
    """How many runners have lately been at work on a run."""
    fresh = Call.objects.filter(
        run_id=run_id,
        state=CallState.CLAIMED,
        lease_until__gte=now + FRESH,
        lease_until__lte=now + 2 * LEASE,  # those in batches have no runner
    )
    return fresh.values("owner").distinct().count()


def runs_wanting(now: datetime, runners: int) -> list[Run]:
    """Runs with calls that nobody works on, and fewer than ``runners`` at work.

    A run in batches is one when there is something to do for them.
    """
    return [run for run in runs_with_work(now) if living_runners(run.pk, now) < runners]


def run_at_work(run_id: int) -> Run | None:
    """A run that may want somebody: one that is open, or has a batch that is."""
    batches = Batch.objects.open().filter(run=OuterRef("pk"))
    runs = Run.objects.open() | Run.objects.filter(Exists(batches))
    return runs.filter(pk=run_id).select_related("config__provider").first()
