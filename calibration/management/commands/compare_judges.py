"""Compare judges on the same pairs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.services.held_out import LooksSpent, Viewer
from calibration.management.actors import account
from calibration.presenters.judge_comparison import judge_comparison_text
from calibration.services.compared_pairs import ComparedPart
from calibration.services.judge_comparison import judge_comparison
from config.errors import DomainError

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """`compare_judges --gold-set NAME --judges A,B`."""

    help = (
        "Compare judges pair by pair on the same gold: differences in agreement, which "
        "errors they share, and which two cannot be told apart."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare set, judges and split."""
        parser.add_argument("--gold-set", required=True)
        parser.add_argument(
            "--judges", required=True, help="names, separated by commas"
        )
        parser.add_argument(
            "--split",
            choices=[part.value for part in ComparedPart],
            default=ComparedPart.OPEN.value,
            help="open is all that is not held out; held_out counts as a look at every "
            "judge (open)",
        )
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.add_argument("--reason", default="", help="why you look (logged)")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Compare and print."""
        names = [name.strip() for name in options["judges"].split(",")]
        viewer = Viewer(
            user=None, door="command", actor=account(), reason=options["reason"]
        )
        try:
            found = judge_comparison(
                gold_set=options["gold_set"],
                judges=[name for name in names if name],
                split=ComparedPart(options["split"]),
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
            self.stdout.write(judge_comparison_text(found))
