"""Who paused, resumed, stopped or limited a run, and when: kept for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judging.models import RunNote

if TYPE_CHECKING:
    from datetime import datetime

    from config.accounts.models import User
    from judging.models import Run, RunEvent


def note_event(
    run: Run, event: RunEvent, *, by: User | None, now: datetime, reason: str = ""
) -> RunNote:
    """Keep what was done to a run; nobody did it where a budget was reached."""
    return RunNote.objects.create(
        run=run, event=event, reason=reason, noted_at=now, noted_by=by
    )
