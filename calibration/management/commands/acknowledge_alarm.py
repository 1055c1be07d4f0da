"""Take note of an alarm of a sentinel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.management.values import whole
from calibration.management.actors import account
from calibration.services.sentinels.acknowledging import (
    acknowledge_alarm,
    alarm_by_id,
)
from config.errors import DomainError

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """`acknowledge_alarm ALARM --note TEXT`."""

    help = (
        "Take note of an alarm of a sentinel, under the name of the account that runs "
        "the command. The alarm stays on the page, with the note."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the alarm and the note."""
        parser.add_argument(
            "alarm", metavar="ALARM", type=whole(1), help="number of the alarm"
        )
        parser.add_argument(
            "--note", required=True, help="what it was, or what is done about it"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Take note, and say so."""
        try:
            alarm = alarm_by_id(options["alarm"])
            acknowledge_alarm(
                alarm=alarm,
                note=options["note"],
                by=None,
                now=timezone.now(),
                actor=account(),
            )
        except DomainError as error:
            raise CommandError(error.message) from error
        self.stdout.write(
            f"Alarm {alarm.pk} ({alarm.kind_words} of {alarm.panel}) is acknowledged."
        )
