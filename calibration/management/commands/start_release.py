"""Start a release run over a swapped diagnostic panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.management.values import whole
from annotation.services.gold_sets import gold_set_named
from calibration.services.swap_panels import PanelWish, start_panel
from config.errors import DomainError
from judging.services.starting import MOST_CONCURRENT, frozen_judge

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """`start_release --judge NAME --gold-set NAME --share 0.2 --seed TEXT`."""

    help = (
        "Start a release run over a part of a set, where both orders for all pairs "
        "would cost too much: a panel drawn from a seed, in proportion to slices, "
        "judged in both orders. `run_judge --run` then asks."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare judge, set and panel."""
        parser.add_argument("--judge", required=True, help="name of a frozen judge")
        parser.add_argument("--judge-version", type=int, help="default: the newest")
        parser.add_argument("--gold-set", required=True)
        parser.add_argument(
            "--share", type=float, required=True, help="of the pairs, such as 0.2"
        )
        parser.add_argument("--seed", required=True, help="a text; kept with the run")
        parser.add_argument(
            "--slices", default="", help="keys to keep in proportion, by commas"
        )
        parser.add_argument("--concurrency", type=whole(1, MOST_CONCURRENT), default=8)

    def handle(self, *args: Any, **options: Any) -> None:
        """Draw the panel and start the run."""
        keys = [key.strip() for key in options["slices"].split(",")]
        wish = PanelWish(options["share"], options["seed"], tuple(filter(None, keys)))
        try:
            panel = start_panel(
                config=frozen_judge(options["judge"], options["judge_version"]),
                gold_set=gold_set_named(options["gold_set"]),
                wish=wish,
                concurrency=options["concurrency"],
                by=None,
                now=timezone.now(),
            )
        except DomainError as error:
            raise CommandError(error.message) from error
        self.stdout.write(
            f"Run {panel.run_id} has a panel of {panel.drawn} of {panel.pairs} pairs, "
            f"seed {panel.seed}. It is asked with: "
            f"python manage.py run_judge --run {panel.run_id}"
        )
