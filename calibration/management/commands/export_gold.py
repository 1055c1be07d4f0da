"""Export a gold version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calibration.management.exporting import ExportCommand
from calibration.services.exports import ExportKind

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(ExportCommand):
    """`export_gold GOLD_SET`."""

    kind = ExportKind.GOLD
    help = (
        "Export a frozen gold version: each pair's outcome and where it came from. "
        "Held-out gold only with --part, which is logged as a look."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what is special to gold."""
        super().add_arguments(parser)
        parser.add_argument("--gold-version", type=int, help="its number (the newest)")
