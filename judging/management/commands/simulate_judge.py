"""Serve the simulated judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from judging.simulator.cli import DETAILS, SUMMARY, add_arguments, options_from
from judging.simulator.running import serve_forever

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """Serve the simulated judge until interrupted."""

    help = SUMMARY
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare what can be planted."""
        parser.epilog = DETAILS
        add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve; the address is printed once it can be reached."""
        try:
            serve_forever(options_from(options), options["port"], self._announce)
        except (OSError, ValueError) as error:
            raise CommandError(str(error)) from error

    def _announce(self, port: int) -> None:
        self.stdout.write(f"Simulated judge at http://127.0.0.1:{port}/v1")
        self.stdout.flush()
