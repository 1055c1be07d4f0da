"""The local worker: judge runs that were started from the web, and chores beside."""

from __future__ import annotations

import logging
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, InterfaceError, close_old_connections
from django.utils import timezone

from config.errors import DomainError
from judging.clients.opening import open_batches, open_chat
from judging.management.beside import chores_beside
from judging.management.signals import stop_on_sigterm
from judging.models import RunStatus
from judging.services.batching import batches_under_way, in_batches
from judging.services.carrying import carry_out
from judging.services.chores import Chores
from judging.services.working import runs_with_work

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from judging.models import Run

logger = logging.getLogger(__name__)
POLL_SECONDS = 1.0
# A run that can't be carried out here, though elsewhere it may be.
REST_SECONDS = 60.0


class Command(BaseCommand):
    """`work`: wait for runs and carry them out, one after the other."""

    help = (
        "Carry out pending judge runs until stopped, and look after sentinels beside; "
        "safe to kill at any moment. A run that failed is not tried again by itself: "
        "resume it with run_judge --run."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare when to end."""
        parser.add_argument(
            "--once", action="store_true", help="end when no run is left"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Look for runs, work, and look again."""
        self._resting: dict[int, float] = {}
        self._failed: set[int] = set()
        chores = Chores()
        try:
            with stop_on_sigterm(), ExitStack() as stack:
                if not options["once"]:
                    stack.enter_context(chores_beside(chores))
                while self._round(chores, once=options["once"]) or not options["once"]:
                    time.sleep(POLL_SECONDS)
        except KeyboardInterrupt:
            self.stderr.write("Worker stopped; what is left can be resumed.")
            return
        if self._failed:
            numbers = ", ".join(str(pk) for pk in sorted(self._failed))
            raise CommandError(f"Not carried out: run {numbers}.")

    def _round(self, chores: Chores, *, once: bool) -> bool:
        """Carry out what there is; return whether there was anything."""
        close_old_connections()
        if once:  # what ends must not wait for the next time
            chores.do_due(early=True)
        try:
            runs = [run for run in runs_with_work(timezone.now()) if self._due(run)]
        except (DatabaseError, InterfaceError) as error:
            logger.warning("The database does not answer: %s", error)
            return True
        for run in runs:
            self._work(run)
        return bool(runs) or batches_under_way()

    def _due(self, run: Run) -> bool:
        return self._resting.get(run.pk, 0.0) <= time.monotonic()

    def _work(self, run: Run) -> None:
        batches = in_batches(run)
        try:
            status = carry_out(
                run,
                open_client=open_chat,
                open_batches=open_batches,
                # Batches take hours, in which other runs are carried out.
                at_most=0.0 if batches else None,
            )
        except DomainError as error:
            self.stderr.write(f"Run {run.pk}: {error.message}")
        except Exception:
            logger.exception("Run %s can't be carried out", run.pk)
        else:
            if not batches or status in {RunStatus.DONE, RunStatus.FAILED}:
                self.stderr.write(f"Run {run.pk}: {status}")
            # One that was paused or stopped is not taken up until somebody resumes it,
            # and then at once.
            if status != RunStatus.FAILED:
                self._failed.discard(run.pk)
                return
        self._failed.add(run.pk)
        run.refresh_from_db(fields=["status"])
        if run.status != RunStatus.FAILED:  # else nobody takes it up by itself
            self._resting[run.pk] = time.monotonic() + REST_SECONDS
