"""What the export commands share: options, and writing the file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.domain.exports import ExportFormat
from annotation.management.files import refusals_in_words
from annotation.services.exporting import Part
from annotation.services.held_out import LooksSpent, Viewer
from calibration.management.actors import account
from calibration.management.writing import STDOUT, print_bytes, write_whole
from calibration.services.exports import ExportKind, ExportPlan, hand_out
from config.errors import DomainError

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterable


class ExportCommand(BaseCommand):
    """One kind of export, to standard output or a file."""

    kind: ExportKind

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare set, part and form."""
        parser.add_argument("gold_set")
        parser.add_argument(
            "--part",
            choices=[part.value for part in Part],
            default=Part.DEV.value,
            help="dev is everything but held-out pairs; the others count as a look",
        )
        parser.add_argument(
            "--format",
            choices=[form.value for form in ExportFormat],
            default=ExportFormat.JSONL.value,
        )
        parser.add_argument(
            "--bom", action="store_true", help="start a CSV file as Excel wants it"
        )
        parser.add_argument(
            "--output", metavar="FILE", help="write a file instead (-: not)"
        )
        parser.add_argument("--reason", default="", help="why you look (logged)")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Log what has to be logged, then write."""
        plan = ExportPlan(
            gold_set=options["gold_set"],
            kind=self.kind,
            part=Part(options["part"]),
            form=ExportFormat(options["format"]),
            bom=options["bom"],
            names=options.get("names", False),
            every_revision=options.get("all_revisions", False),
            version=options.get("gold_version"),
        )
        viewer = Viewer(
            user=None, door="command", actor=account(), reason=options["reason"]
        )
        with refusals_in_words():
            try:
                download = hand_out(plan=plan, viewer=viewer, now=timezone.now())
            except LooksSpent as spent:
                raise DomainError(
                    spent.code, f"{spent.message} Give one with --reason."
                ) from spent
            self._write(download.pieces, options["output"])

    def _write(self, pieces: Iterable[bytes], name: str | None) -> None:
        if name in (None, STDOUT):
            print_bytes(self.stdout, pieces)
            return
        try:
            write_whole(Path(str(name)), pieces)
        except OSError as error:
            raise CommandError(f"Cannot write {name}: {error.strerror}.") from error
        self.stderr.write(f"Wrote {name}")


def names_option(parser: ArgumentParser) -> None:
    """Declare the option that shows who it was."""
    parser.add_argument(
        "--names", action="store_true", help="show who it was instead of a number"
    )
