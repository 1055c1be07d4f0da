"""Members' runs of a panel that can't be complete any more: held, lest they buy on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef

from judging.models import PanelSeat, Run, RunEvent, RunStatus
from judging.services.events import note_event

if TYPE_CHECKING:
    from datetime import datetime

    from judging.models.runs import RunQuerySet

ENDED = (RunStatus.DONE, RunStatus.STOPPED)


def hold_members(panel: Run, now: datetime) -> list[Run]:
    """Pause the members' runs that work for this panel alone; return them.

    A run that was started on its own, or that another panel still waits for, goes on.
    """
    reason = (
        f"Paused with run {panel.pk} of {panel.config}, the panel that it worked for: "
        "that can't be complete any more. Resume it to go on."
    )
    held = list(_working_for(panel))
    for member in held:
        member.status, member.halt_reason = RunStatus.PAUSED, reason
        member.halted_at, member.halted_by = now, None
        member.save(update_fields=["status", "halt_reason", "halted_at", "halted_by"])
        note_event(member, RunEvent.PAUSED, by=None, now=now, reason=reason)
    return held


def held_members(panel: Run) -> RunQuerySet:
    """Members' runs that are paused only since an earlier panel of theirs was ended.

    They were paused at the very moment at which that panel was stopped.
    """
    ended = PanelSeat.objects.filter(
        member_run=OuterRef("pk"),
        run__status=RunStatus.STOPPED,
        run__halted_at=OuterRef("halted_at"),
    )
    members = Run.objects.filter(seats_on_panels__run=panel, status=RunStatus.PAUSED)
    return members.filter(Exists(ended)).order_by("pk")


def _working_for(panel: Run) -> RunQuerySet:
    seats = PanelSeat.objects.filter(member_run=OuterRef("pk"))
    made_for_one = seats.filter(run__created_at=OuterRef("created_at"))
    waited_for = seats.exclude(run=panel).exclude(run__status__in=ENDED)
    members = Run.objects.filter(
        pk__in=PanelSeat.objects.filter(run=panel).values("member_run")
    )
    return (
        members.open()
        .filter(Exists(made_for_one), ~Exists(waited_for))
        .select_related("config")
        .select_for_update(of=("self",))
        .order_by("pk")
    )
