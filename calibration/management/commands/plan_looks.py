"""Choose how held-out results of a set may be looked at."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.management.values import whole
from annotation.models import LookMode
from annotation.services.gold_sets import gold_set_named
from annotation.services.look_plans import MOST_LOOKS
from calibration.domain.gates import RATES
from calibration.presenters.looks import limit_rows, open_before_text
from calibration.services.look_pages import look_log
from calibration.services.sealed_looks import plan_looks
from config.errors import DomainError

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """`plan_looks GOLD_SET --mode sealed --budget 5 --limit agreement=0.8`."""

    help = (
        "Fix how held-out results of a set may be looked at, before anybody has: open "
        "shows all numbers, sealed says only whether a judge keeps all limits."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare set, mode, looks and limits."""
        parser.add_argument("gold_set", help="name of the gold set")
        parser.add_argument("--mode", choices=LookMode.values, required=True)
        parser.add_argument(
            "--budget",
            type=whole(1, MOST_LOOKS),
            required=True,
            help="how many looks are planned",
        )
        parser.add_argument(
            "--limit",
            type=_limit,
            action="append",
            default=[],
            metavar="NAME=SHARE",
            help=f"of a sealed set, can be repeated: {', '.join(RATES)}",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Store the plan and say what it is."""
        try:
            plan = plan_looks(
                gold_set=gold_set_named(options["gold_set"]),
                mode=LookMode(options["mode"]),
                budget=options["budget"],
                limits=dict(options["limit"]),
                by=None,
                now=timezone.now(),
            )
        except DomainError as error:
            raise CommandError(error.message) from error
        self.stdout.write(f"{options['gold_set']}: {plan.mode}, {plan.budget} looks")
        for row in limit_rows(plan.limits):
            self.stdout.write(f"  {row}")
        if told := open_before_text(look_log(options["gold_set"]).open_before):
            self.stderr.write(told)


def _limit(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        raise ArgumentTypeError(f"{text!r}: write it as NAME=SHARE") from None
