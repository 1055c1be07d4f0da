"""Break the seal of a set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.services.gold_sets import gold_set_named
from annotation.services.look_plans import unseal
from config.errors import DomainError

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """`unseal_held_out GOLD_SET --reason TEXT`."""

    help = (
        "Show the held-out results of a sealed set from now on, for good. Its split "
        "can then measure no judge that is made afterwards."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the set and the reason."""
        parser.add_argument("gold_set", help="name of the gold set")
        parser.add_argument("--reason", required=True, help="why (logged)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Unseal and say so."""
        try:
            unseal(
                gold_set=gold_set_named(options["gold_set"]),
                reason=options["reason"],
                by=None,
                now=timezone.now(),
            )
        except DomainError as error:
            raise CommandError(error.message) from error
        self.stdout.write(
            f"{options['gold_set']} is unsealed; its held-out split is used up."
        )
