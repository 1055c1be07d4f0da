"""Import outside labels from a labels file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from annotation.domain.readers.base import FileKind
from annotation.management.actors import account
from annotation.management.files import refusals_in_words
from annotation.management.importing import (
    add_reader_arguments,
    intake_for,
    plan_of,
    show_preview,
)
from annotation.services.gold_sets import gold_set_named
from annotation.services.importing_labels import import_labels

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """`import_labels FILE... --gold-set NAME`."""

    help = (
        "Import labels that people gave elsewhere (JSONL, JSON, CSV, Parquet or "
        "another tool's export); they are marked external. All or nothing; importing "
        "the same again changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare file and set."""
        add_reader_arguments(parser, FileKind.LABELS)
        parser.add_argument("--gold-set", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, import, and say what came of it."""
        plan = plan_of(options, FileKind.LABELS)
        with refusals_in_words():
            if options["dry_run"]:
                show_preview(options, plan, self.stdout)
                return
            done = import_labels(
                gold_set=gold_set_named(options["gold_set"]),
                source=intake_for(options, plan),
                now=timezone.now(),
                actor=account(),
            )
        for notice in done.notices:
            self.stderr.write(notice)
        self.stdout.write(
            f"{options['gold_set']}: {done.added} labels added, "
            f"{done.known} known already."
        )
