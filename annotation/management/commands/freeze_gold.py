"""Freeze a gold version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from annotation.domain.consensus import ConsensusRule, surplus_notes
from annotation.management.actors import account
from annotation.management.files import refusals_in_words
from annotation.services.freezing import freeze_gold, surplus_labels
from annotation.services.gold_sets import gold_set_named

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """`freeze_gold NAME`."""

    help = (
        "Freeze the gold of a set: every pair's outcome from its labels and rulings, "
        "under a digest. Refuses pairs without gold unless told to leave them open."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare set and rule."""
        parser.add_argument("gold_set")
        parser.add_argument(
            "--rule",
            choices=[rule.value for rule in ConsensusRule],
            help="default: the set's own. mode_or_tie calls a disagreement a tie and "
            "is there to reproduce published sets only",
        )
        parser.add_argument(
            "--leave-open",
            action="store_true",
            help="record pairs without gold as open",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Freeze and print version and digest."""
        with refusals_in_words():
            gold_set = gold_set_named(options["gold_set"])
            version = freeze_gold(
                gold_set=gold_set,
                rule=ConsensusRule(options["rule"] or gold_set.consensus_rule),
                by=None,
                now=timezone.now(),
                leave_open=options["leave_open"],
                actor=account(),
            )
        self.stdout.write(
            f"{version}: {version.pairs} pairs, {version.left_open} of them open, "
            f"rule {version.rule}, digest {version.digest}"
        )
        surplus = surplus_labels(gold_set)
        for note in surplus_notes(gold_set.labels_per_pair, surplus):
            self.stderr.write(note)
