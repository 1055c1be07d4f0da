"""Export the rulings of a gold set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calibration.management.exporting import ExportCommand, names_option
from calibration.services.exports import ExportKind

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(ExportCommand):
    """`export_rulings GOLD_SET`."""

    kind = ExportKind.RULINGS
    help = (
        "Export all rulings with their notes and the digests that chain them. Held-out "
        "rulings only with --part, which is logged as a look."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what is special to rulings."""
        super().add_arguments(parser)
        names_option(parser)
