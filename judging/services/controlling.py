"""Pausing, resuming and stopping a run. Runners notice within a heartbeat."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import transaction

from config.errors import Conflict
from judging.models import PanelSeat, Run, RunEvent, RunStatus
from judging.services.events import note_event
from judging.services.holding import held_members
from judging.services.panels import is_panel, settle, settle_panels

if TYPE_CHECKING:
    from datetime import datetime

    from config.accounts.models import User
    from judging.models.runs import RunQuerySet

PAUSABLE = (RunStatus.PENDING, RunStatus.RUNNING)


@transaction.atomic
def pause(*, run: Run, by: User | None, now: datetime, reason: str = "") -> Run:
    """Send nothing more for now; calls in flight are waited for and stored.

    A run that is paused already stays as it is. Raises ``Conflict`` for one that has
    ended.
    """
    run = _locked(run)
    if run.status == RunStatus.PAUSED:
        return run
    if run.status not in PAUSABLE:
        raise Conflict("run_not_open", f"Run {run.pk} is {run.status}; nothing runs.")
    for member in _members_open(run):
        pause(run=member, by=by, now=now, reason=reason)
    return _halt(run, RunStatus.PAUSED, by, now, reason or "Paused.")


@transaction.atomic
def resume(*, run: Run, by: User | None, now: datetime) -> Run:
    """Let a paused or failed run go on; one that goes on already is left alone.

    Raises ``Conflict`` for a run that is done or was stopped, and for one whose budget
    is used up.
    """
    run = _locked(run)
    if is_panel(run):
        settle(run, now)
    if run.status in PAUSABLE:
        _resume_members(run, by, now)
        return run
    if run.status in {RunStatus.DONE, RunStatus.STOPPED}:
        raise Conflict("run_ended", f"Run {run.pk} is {run.status}; start a new one.")
    if run.has_budget and (reason := spent_reason(run)):
        raise Conflict("budget_reached", f"{reason} Raise the budget to go on.")
    run.status = RunStatus.PENDING
    run.failure = run.halt_reason = ""
    run.halted_at = run.halted_by = run.finished_at = None
    run.save(
        update_fields=[
            "status", "failure", "halt_reason", "halted_at", "halted_by", "finished_at",
        ]
    )  # fmt: skip
    note_event(run, RunEvent.RESUMED, by=by, now=now)
    settle_panels(run, now)
    _resume_members(run, by, now)
    return run


def _resume_members(run: Run, by: User | None, now: datetime) -> None:
    for member in _members(run).resumable():
        resume(run=member, by=by, now=now)


def resume_held(*, panel: Run, by: User | None, now: datetime) -> None:
    """Let members' runs go on that were paused as an earlier panel of theirs ended.

    One whose budget is used up stays as it is.
    """
    for member in held_members(panel):
        if not (member.has_budget and spent_reason(member)):
            resume(run=member, by=by, now=now)


@transaction.atomic
def stop(*, run: Run, by: User | None, now: datetime, reason: str) -> Run:
    """End a run for good; what was answered stays, and later runs may reuse it.

    The members' runs of a panel are paused: they may be on other panels. A panel that
    the run sits on is stopped with it, and what works for that panel alone is paused.

    Raises ``Conflict`` for a run that is done.
    """
    _lock_beside(run)
    run = _locked(run)
    if run.status == RunStatus.STOPPED:
        return run
    if run.status == RunStatus.DONE:
        raise Conflict("run_ended", f"Run {run.pk} is done; there is nothing to stop.")
    for member in _members_open(run):
        pause(run=member, by=by, now=now, reason=reason)
    run.finished_at = now
    return _halt(run, RunStatus.STOPPED, by, now, reason or "Stopped.")


def how_to_go_on(run: Run) -> str:
    """What to do about calls that a run lacks."""
    if run.status == RunStatus.STOPPED:
        return "It was stopped for good; start a new run."
    command = f"python manage.py run_judge --run {run.pk}"
    if limits := _limits_to_name(run):
        return f"Raise the budget to go on: {command} {' '.join(limits)}"
    return f"Resume it with: {command}"


def _limits_to_name(run: Run) -> list[str]:
    """The limits of a run whose budget is used up: all, for those not named end."""
    runs = [one for one in (run, *_members(run)) if one.has_budget]
    spent = {flag for one in runs for flag in _spent(one)}
    if not spent:
        return []
    one = runs[0]
    kept = (
        ("--max-calls", one.max_calls),
        ("--max-tokens", one.max_tokens),
        ("--max-cost", one.max_cost),
    )
    named = [
        f"{flag} MORE" if flag in spent else f"{flag} {_plain(limit)}"
        for flag, limit in kept
        if limit is not None
    ]
    return [*named, *([f"--currency {one.currency}"] if one.currency else [])]


def _plain(limit: int | Decimal) -> str:
    return f"{limit.normalize():f}" if isinstance(limit, Decimal) else str(limit)


def spent_reason(run: Run) -> str:
    """Why no further call fits into the budget of a run; empty if one does."""
    return next(iter(_spent(run).values()), "")


def _spent(run: Run) -> dict[str, str]:
    """The limits that leave no room for another call, as the command names them."""
    found = {}
    if run.max_calls is not None and run.spent_calls >= run.max_calls:
        found["--max-calls"] = f"The budget of {run.max_calls} requests is used up."
    if run.max_tokens is not None:
        left = run.max_tokens - run.spent_tokens
        if left < max(run.reserved_tokens, 1):
            found["--max-tokens"] = (
                f"Of the budget of {run.max_tokens} tokens {max(left, 0)} are left, "
                f"and one call may take {run.reserved_tokens}."
            )
    if run.max_cost is not None:
        rest = run.max_cost - run.spent_cost
        if rest <= 0 or rest < run.reserved_cost:
            found["--max-cost"] = (
                f"Of the budget of {run.max_cost.normalize():f} {run.currency} "
                f"{max(rest, 0):.6f} are left, and one call may cost "
                f"{run.reserved_cost:.6f}."
            )
    return found


def _halt(
    run: Run, status: RunStatus, by: User | None, now: datetime, reason: str
) -> Run:
    run.status, run.halt_reason = status, reason
    run.halted_at, run.halted_by = now, by
    run.save(
        update_fields=[
            "status", "halt_reason", "halted_at", "halted_by", "finished_at",
        ]
    )  # fmt: skip
    note_event(run, RunEvent(status.value), by=by, now=now, reason=reason)
    settle_panels(run, now)
    return run


def _members(run: Run) -> RunQuerySet:
    """The runs that a panel's run takes its votes from; none for other runs."""
    return Run.objects.filter(seats_on_panels__run=run).order_by("pk")


def _members_open(run: Run) -> RunQuerySet:
    return _members(run).open()


def _lock_beside(run: Run) -> None:
    """Lock the other members of a run's panels, before the panels, as all do."""
    beside = PanelSeat.objects.filter(run__seats__member_run=run).values("member_run")
    runs = Run.objects.filter(pk__in=beside).select_for_update(of=("self",))
    list(runs.order_by("pk"))


def _locked(run: Run) -> Run:
    """The run as it is now; of a panel its members first, as they lock theirs."""
    list(_members(run).select_for_update(of=("self",)))
    return Run.objects.select_for_update(of=("self",)).get(pk=run.pk)
