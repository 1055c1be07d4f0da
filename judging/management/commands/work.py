"""The local worker: carries out judge runs that were started from the web."""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand
from django.db import close_old_connections
from django.utils import timezone

from judging.clients.openai_chat import OpenAIChatClient
from judging.services.working import runs_with_work, work_on

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from judging.models import Run

POLL_SECONDS = 1.0


class Command(BaseCommand):
    """`work`: wait for runs and carry them out, one after the other."""

    help = "Carry out pending judge runs until stopped; safe to kill at any moment."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare when to end."""
        parser.add_argument(
            "--once", action="store_true", help="end when no run is left"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Look for runs, work, and look again."""
        signal.signal(signal.SIGTERM, _interrupt)
        try:
            while True:
                for run in runs_with_work(timezone.now()):
                    self._work(run)
                if options["once"]:
                    return
                close_old_connections()
                time.sleep(POLL_SECONDS)
        except KeyboardInterrupt:
            self.stderr.write("Worker stopped; what is left can be resumed.")

    def _work(self, run: Run) -> None:
        status = work_on(run, open_client=OpenAIChatClient)
        self.stderr.write(f"Run {run.pk}: {status}")


def _interrupt(_signal: int, _frame: object) -> None:
    raise KeyboardInterrupt
