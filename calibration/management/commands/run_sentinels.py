"""Run the sentinels that are due: for cron."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from calibration.clients.notices import senders
from calibration.management.actors import account
from calibration.models import SentinelPanel
from calibration.services.sentinels.checking import left_checks
from calibration.services.sentinels.defining import sentinel_named
from calibration.services.sentinels.notices import send_notices
from calibration.services.sentinels.tending import settle_sentinels, start_due
from config.errors import INTERRUPTED, DomainError
from judging.clients.opening import open_batches, open_chat
from judging.management.signals import stop_on_sigterm
from judging.models import RunStatus
from judging.services.carrying import carry_out
from judging.services.controlling import how_to_go_on, resume

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from calibration.models import SentinelCheck
    from calibration.services.sentinels.tending import Tended


class Command(BaseCommand):
    """`run_sentinels`, from cron as often as you like."""

    help = (
        "Start the sentinel checks that are due, carry them out, and those that were "
        "left, record what they came to, raise alarms and send notices."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare which, whether to wait, and whether to ask here."""
        parser.add_argument("--sentinel", help="only this panel (all)")
        parser.add_argument(
            "--early", action="store_true", help="do not wait for the period to pass"
        )
        parser.add_argument(
            "--start-only",
            action="store_true",
            help="start runs and leave them to the site's workers",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Settle, start, carry out, settle again, and tell."""
        panels = self._panels(options["sentinel"])
        self._say(settle_sentinels(now=timezone.now()))
        problems: list[str] = []
        if not options["start_only"]:
            for check in left_checks(panels):
                self.stdout.write(f"{_named(check)}: run {check.run_id} goes on")
                problems += self._carry_out(check)
        told = start_due(
            now=timezone.now(), panels=panels, early=options["early"], actor=account()
        )
        problems += told.problems
        for check in told.started:
            self.stdout.write(f"{_named(check)}: run {check.run_id} started")
            if not options["start_only"]:
                problems += self._carry_out(check)
        settled = settle_sentinels(now=timezone.now())
        problems += settled.problems
        self._say(settled)
        for notice in send_notices(senders=senders(), now=timezone.now()):
            said = "sent" if notice.sent else f"not sent ({notice.detail})"
            self.stderr.write(f"Alarm {notice.alarm_id} by {notice.channel}: {said}")
        if problems:
            raise CommandError("\n".join(problems))

    def _panels(self, name: str | None) -> list[SentinelPanel]:
        try:
            if name:
                return [sentinel_named(name)]
        except DomainError as error:
            raise CommandError(error.message) from error
        return list(SentinelPanel.objects.watching().order_by("pk"))

    def _carry_out(self, check: SentinelCheck) -> list[str]:
        """Ask here; return what went wrong."""
        try:
            with stop_on_sigterm():
                status = carry_out(
                    resume(run=check.run, by=None, now=timezone.now()),
                    open_client=open_chat,
                    open_batches=open_batches,
                )
        except DomainError as error:
            return [f"{_named(check)}: {error.message}"]
        except KeyboardInterrupt:
            raise CommandError(
                f"Interrupted. {how_to_go_on(check.run)}", returncode=INTERRUPTED
            ) from None
        if status == RunStatus.DONE:
            return []
        check.run.refresh_from_db()
        reason = check.run.failure or check.run.halt_reason or "it goes on no more."
        return [f"{_named(check)}: run {check.run_id} is {status}: {reason}"]

    def _say(self, told: Tended) -> None:
        for point in told.points:
            self.stdout.write(f"{_named(point.sentinel_check)}: recorded")
        for alarm in told.alarms:
            self.stdout.write(f"ALARM {alarm.panel.name}: {alarm.detail}")


def _named(check: SentinelCheck) -> str:
    series = check.series
    which = f"part {check.part}" if check.part else check.kind
    return f"{series.panel.name}, {series.config}, cycle {check.cycle}, {which}"
