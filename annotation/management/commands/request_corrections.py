"""Send pairs that have gold to be ruled on again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.domain.ruling_categories import correction_categories
from annotation.domain.rulings import RulingCategory
from annotation.management.files import refusals_in_words
from annotation.services.corrections import pairs_named, request_corrections
from annotation.services.gold_sets import gold_set_named
from config.accounts.models import User
from config.accounts.permissions import has_role
from config.accounts.roles import Role

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """`request_corrections GOLD_SET --pairs FILE --controls FILE --by LEAD …`."""

    help = (
        "Send pairs whose gold is in doubt to be ruled on again: blind, mixed with at "
        "least as many controls, by anybody but the one who asks."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare set, lists and reason."""
        parser.add_argument("gold_set")
        parser.add_argument(
            "--pairs",
            required=True,
            help="file with a case id a line; where a case has several pairs, a space "
            "and baseline|candidate after it",
        )
        parser.add_argument(
            "--controls",
            required=True,
            help="the same for pairs on which judge and gold agree",
        )
        parser.add_argument(
            "--category",
            required=True,
            choices=[one.code for one in correction_categories()],
        )
        parser.add_argument("--note", required=True, help="adjudicators don't see it")
        parser.add_argument("--by", required=True, help="login of the lead who asks")

    def handle(self, *args: Any, **options: Any) -> None:
        """Read the lists, send them, and say how many wait."""
        lists = [_read(options[name]) for name in ("pairs", "controls")]
        with refusals_in_words():
            gold_set = gold_set_named(options["gold_set"])
            pairs, controls = (
                pairs_named(gold_set=gold_set, text=text) for text in lists
            )
            sent = request_corrections(
                pairs=pairs,
                controls=controls,
                by=_lead(options["by"]),
                category=RulingCategory(options["category"]),
                note=options["note"],
                now=timezone.now(),
            )
        self.stdout.write(
            f"{options['gold_set']}: {len(sent)} pairs wait to be ruled on, "
            f"{len(controls)} of them controls."
        )


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: {error}") from error


def _lead(username: str) -> User:
    user = User.objects.filter(username=username).first()
    if user is None or not has_role(user, Role.LEAD):
        raise CommandError(f"{username} is no lead.")
    return user
