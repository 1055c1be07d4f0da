"""Rank the systems that a run compared."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.management.values import whole
from annotation.services.held_out import LooksSpent, Viewer
from calibration.management.actors import account
from calibration.presenters.ranking import ranking_text
from calibration.services.ranking import RankedPart, rank_systems
from config.errors import DomainError
from judging.presenters.runs import run_by_id

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """`rank_systems RUN`."""

    help = (
        "Rank the systems that a finished run compared, by its verdicts and by gold, "
        "and say which of them cannot be told apart."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the run and the pairs."""
        parser.add_argument("run", metavar="RUN", type=whole(1), help="its number")
        parser.add_argument(
            "--part",
            choices=[part.value for part in RankedPart],
            default=RankedPart.OPEN.value,
            help="open is all that is not held out; held_out counts as a look (open)",
        )
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.add_argument("--reason", default="", help="why you look (logged)")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Rank and print."""
        viewer = Viewer(
            user=None, door="command", actor=account(), reason=options["reason"]
        )
        try:
            found = rank_systems(
                run=run_by_id(options["run"]),
                part=RankedPart(options["part"]),
                viewer=viewer,
                now=timezone.now(),
            )
        except LooksSpent as error:
            msg = f"{error.message} Give one with --reason."
            raise CommandError(msg) from error
        except DomainError as error:
            raise CommandError(error.message) from error
        if options["json"]:
            self.stdout.write(json.dumps(found, allow_nan=False, indent=1))
        else:
            self.stdout.write(ranking_text(found))
