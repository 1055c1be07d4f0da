"""Start a release run: over all pairs, or over a swapped diagnostic panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.management.values import whole
from annotation.services.gold_sets import gold_set_named
from calibration.management.actors import account
from calibration.models import SwapPanel
from calibration.services.release_starts import (
    ReleaseWish,
    asked_for,
    estimate_release,
    start_release,
)
from config.errors import DomainError
from judging.management.estimates import estimate_lines
from judging.models import RunPurpose
from judging.services.run_options import RunOptions
from judging.services.starting import MOST_CONCURRENT, frozen_judge

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from judging.models import Run


class Command(BaseCommand):
    """`start_release --judge NAME --gold-set NAME [--share 0.2 --seed TEXT]`."""

    help = (
        "Start a release run over a set; with --share and --seed over a part of it, "
        "where both orders for all pairs would cost too much: a panel drawn from the "
        "seed, in proportion to slices, judged in both orders. `run_judge --run` then "
        "asks."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare judge, set and panel."""
        parser.add_argument("--judge", required=True, help="name of a frozen judge")
        parser.add_argument("--judge-version", type=int, help="default: the newest")
        parser.add_argument("--gold-set", required=True)
        parser.add_argument(
            "--systems", default="", help="BASELINE,CANDIDATE of a set with more"
        )
        parser.add_argument("--share", type=float, help="of the pairs, such as 0.2")
        parser.add_argument(
            "--seed", default="", help="a text; kept with the run, needed with --share"
        )
        parser.add_argument(
            "--slices", default="", help="keys to keep in proportion, by commas"
        )
        parser.add_argument("--concurrency", type=whole(1, MOST_CONCURRENT), default=8)
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="say what it would ask and cost, and start nothing",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Say what it comes to, or draw the panel and start the run."""
        try:
            wish = ReleaseWish(
                config=frozen_judge(options["judge"], options["judge_version"]),
                gold_set=gold_set_named(options["gold_set"]),
                panel=asked_for(
                    options["share"], options["seed"], _names(options["slices"])
                ),
                systems=_names(options["systems"]),
                options=RunOptions(purpose=RunPurpose.RELEASE, actor=account()),
            )
            if options["dry_run"]:
                found, seats = estimate_release(wish, now=timezone.now())
                for line in estimate_lines(found, seats):
                    self.stdout.write(line)
                return
            run = start_release(
                wish,
                concurrency=options["concurrency"],
                by=None,
                now=timezone.now(),
            )
        except DomainError as error:
            raise CommandError(error.message) from error
        self.stdout.write(
            f"Run {run.pk} {_over(run)}. It is asked with: "
            f"python manage.py run_judge --run {run.pk}"
        )


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for each in text.split(",") if (name := each.strip()))


def _over(run: Run) -> str:
    panel = SwapPanel.objects.filter(run=run).first()
    if panel is None:
        return f"is a release run over {run.gold_set}"
    return f"has a panel of {panel.drawn} of {panel.pairs} pairs, seed {panel.seed}"
