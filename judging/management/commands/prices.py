"""List the prices of models, or enter one from a day on."""

from __future__ import annotations

from argparse import ArgumentTypeError
from datetime import date
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.management.values import amount
from config.errors import DomainError
from judging.domain import costs
from judging.models import Price
from judging.services.pricing import add_price

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from decimal import Decimal

NEEDED = ("provider", "model", "prompt", "completion")


class Command(BaseCommand):
    """`prices`, or `prices --add --provider P --model M --prompt X --completion Y`."""

    help = (
        "List what models cost, newest first; or enter a price per million tokens from "
        "a day on. A later entry for the same day corrects an earlier one."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what narrows the list, and the parts of a new price."""
        parser.add_argument("--provider", help="alias of the provider")
        parser.add_argument("--model", help="as the provider calls it")
        parser.add_argument("--add", action="store_true", help="enter a price")
        parser.add_argument("--prompt", type=amount, help="per million tokens in")
        parser.add_argument(
            "--cached", type=amount, help="the same, read from the provider's cache"
        )
        parser.add_argument("--completion", type=amount, help="per million tokens out")
        parser.add_argument(
            "--batch-share",
            type=_share,
            help="part of these prices that a call in a batch costs, 0 to 1",
        )
        parser.add_argument("--currency", default="USD", help="three letters (USD)")
        parser.add_argument(
            "--valid-from", type=_day, help="YYYY-MM-DD (default: today)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """List, or enter and say so."""
        if options["add"]:
            self._add(options)
            return
        found = Price.objects.newest_first()
        if options["provider"]:
            found = found.filter(provider__alias=options["provider"])
        if options["model"]:
            found = found.filter(model=options["model"])
        for price in found:
            self.stdout.write(_line(price))
        if not found:
            self.stderr.write("No price is known: costs are unknown, not zero.")

    def _add(self, options: dict[str, Any]) -> None:
        lacking = [name for name in NEEDED if options[name] is None]
        if lacking:
            raise CommandError(f"A new price needs --{lacking[0]}.")
        now = timezone.now()
        try:
            wanted = costs.Price(
                provider=options["provider"],
                model=options["model"],
                valid_from=options["valid_from"] or now.date(),
                prompt=options["prompt"],
                completion=options["completion"],
                cached=options["cached"],
                batch_share=options["batch_share"],
                currency=options["currency"].upper(),
            )
            price = add_price(price=wanted, by=None, now=now)
        except DomainError as error:
            raise CommandError(error.message) from error
        except ValueError as error:
            raise CommandError(f"{error}.") from error
        self.stdout.write(_line(price))


def _line(price: Price) -> str:
    cached = "" if price.cached is None else f", {price.cached.normalize():f} cached"
    share = ""
    if price.batch_share is not None:
        share = f", times {price.batch_share.normalize():f} in batches"
    return (
        f"{price.provider.alias} {price.model} from {price.valid_from}: "
        f"{price.prompt.normalize():f} in{cached}, "
        f"{price.completion.normalize():f} out, {price.currency} per million tokens"
        f"{share}"
    )


def _share(text: str) -> Decimal:
    share = amount(text)
    if share > 1:
        raise ArgumentTypeError(f"must be 0 to 1, not {share}")
    return share


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no day (YYYY-MM-DD)") from None
