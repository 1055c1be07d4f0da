"""Export the labels of a gold set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calibration.management.exporting import ExportCommand, names_option
from calibration.services.exports import ExportKind

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(ExportCommand):
    """`export_labels GOLD_SET`."""

    kind = ExportKind.LABELS
    help = (
        "Export labels as JSONL or CSV, which import_labels reads again. Held-out "
        "labels only with --part, which is logged as a look."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what is special to labels."""
        super().add_arguments(parser)
        names_option(parser)
        parser.add_argument(
            "--all-revisions",
            action="store_true",
            help="every revision instead of the last of each label",
        )
