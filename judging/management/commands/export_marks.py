"""Write the marks of a finished pointwise run to a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from annotation.domain.exports import ExportFormat, written
from config.errors import DomainError
from judging.presenters.marks import MARK_COLUMNS, mark_rows, open_responses
from judging.presenters.runs import run_by_id

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """`export_marks RUN`."""

    help = (
        "Write the mark of each response of a finished pointwise run, by case and "
        "system, as JSONL or CSV. Responses that are held out anywhere are left out."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare run and form."""
        parser.add_argument("run", type=int, help="number of the run")
        parser.add_argument(
            "--format",
            choices=[form.value for form in ExportFormat],
            default=ExportFormat.JSONL.value,
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the rows to standard output, and what was left out beside it."""
        try:
            run = run_by_id(options["run"])
            shown = open_responses(run)
            rows = mark_rows(run, shown.ids)
        except DomainError as error:
            raise CommandError(error.message) from error
        for piece in written(MARK_COLUMNS, rows, ExportFormat(options["format"])):
            self.stdout.write(piece.decode(), ending="")
        if shown.hidden:
            self.stderr.write(f"{shown.hidden} held-out responses were left out.")
