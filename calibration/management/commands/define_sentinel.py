"""Define a sentinel panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.management.values import amount, whole
from calibration.domain.sentinels import MOST_PARTS
from calibration.management.actors import account
from calibration.services.sentinels.defining import SentinelPlan, define_sentinel
from config.errors import DomainError

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from decimal import Decimal

USUAL = SentinelPlan(name="", gold_set="", judge="")


def _limit(text: str) -> Decimal | None:
    return None if text == "none" else amount(text)


class Command(BaseCommand):
    """`define_sentinel NAME --gold-set SET --judge JUDGE`."""

    help = (
        "Fix the pairs that a judge is asked about again and again, and cut them into "
        "parts. run_sentinels, or Celery's beat, then runs what is due."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what the panel is made from."""
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("--gold-set", required=True)
        parser.add_argument("--judge", required=True, help="a frozen judge, by name")
        parser.add_argument("--pointwise-judge", default="", help="a second one")
        parser.add_argument("--pairs", type=whole(1), help="at most so many (all)")
        parser.add_argument(
            "--parts", type=whole(1, MOST_PARTS), default=USUAL.parts, help="(7)"
        )
        parser.add_argument(
            "--every",
            type=whole(1),
            default=USUAL.period_hours,
            help="hours from one check to the next (24)",
        )
        parser.add_argument("--seed", type=whole(0), default=USUAL.seed, help="(1)")
        parser.add_argument(
            "--least-agreement", type=amount, help="alarm below it, such as 0.8"
        )
        parser.add_argument(
            "--most-invalid",
            type=_limit,
            default=USUAL.most_invalid,
            help="alarm above it; none: not watched (0.05)",
        )
        parser.add_argument(
            "--production", default="", help="set whose new rulings are judged beside"
        )
        parser.add_argument(
            "--concurrency", type=whole(1), default=USUAL.concurrency, help="(8)"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Define it and say what it holds."""
        plan = SentinelPlan(
            name=options["name"],
            gold_set=options["gold_set"],
            judge=options["judge"],
            pointwise_judge=options["pointwise_judge"],
            pairs=options["pairs"],
            parts=options["parts"],
            period_hours=options["every"],
            seed=options["seed"],
            least_agreement=options["least_agreement"],
            most_invalid=options["most_invalid"],
            production=options["production"],
            concurrency=options["concurrency"],
        )
        try:
            panel = define_sentinel(
                plan=plan, by=None, now=timezone.now(), actor=account()
            )
        except DomainError as error:
            raise CommandError(error.message) from error
        self.stdout.write(
            f"Sentinel {panel.name}: {panel.members.count()} pairs in {panel.parts} "
            f"parts, one every {panel.period_hours} hours."
        )
