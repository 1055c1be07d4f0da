"""Close a labelling round, or let it take labels again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from annotation.management.files import refusals_in_words
from annotation.services.gold_sets import gold_set_named
from annotation.services.rounds import close_round, reopen_round, round_named

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """`close_round GOLD_SET NAME`."""

    help = (
        "Close a labelling round: it takes no labels any more. Reopening works as long "
        "as nobody was shown labels of it but their own."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare which round."""
        parser.add_argument("gold_set")
        parser.add_argument("name")
        parser.add_argument("--reopen", action="store_true", help="the other way")

    def handle(self, *args: Any, **options: Any) -> None:
        """Close or reopen it."""
        with refusals_in_words():
            round_ = round_named(gold_set_named(options["gold_set"]), options["name"])
            if options["reopen"]:
                reopen_round(round_=round_, now=timezone.now())
            else:
                close_round(round_=round_, by=None, now=timezone.now())
        done = "takes labels again" if options["reopen"] else "is closed"
        self.stdout.write(f"Round {round_.pk} {round_.name!r} {done}")
