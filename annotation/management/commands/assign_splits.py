"""Assign the cases of a set to dev and held-out."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from annotation.management.files import refusals_in_words
from annotation.management.values import inner_share
from annotation.services.gold_sets import gold_set_named
from annotation.services.splitting import SplitWish, propose_splits, write_splits

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from annotation.services.splitting import SplitProposal


class Command(BaseCommand):
    """`assign_splits NAME`."""

    help = (
        "Assign the cases of a set to dev and held-out by a seeded rule: whole groups "
        "together, in proportion over slices and outcomes. Prints the counts before it "
        "writes. Refused once held-out results were looked at."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare set, share, strata and seed."""
        parser.add_argument("gold_set")
        parser.add_argument(
            "--held-out", type=inner_share, default=0.5, help="share of cases (0.5)"
        )
        parser.add_argument(
            "--slices", default="", help="keys to keep in proportion, with commas"
        )
        parser.add_argument(
            "--by-class",
            action="store_true",
            help="keep the gold outcomes, as they stand now, in proportion too",
        )
        parser.add_argument(
            "--join-near-duplicates",
            action="store_true",
            help="keep cases of nearly the same prompt together",
        )
        parser.add_argument(
            "--reassign",
            action="store_true",
            help="move cases that have a split already; otherwise they stay",
        )
        parser.add_argument(
            "--accept-seen",
            action="store_true",
            help="hold pairs out whose results could be seen, though looks are planned",
        )
        parser.add_argument("--seed", help="a text; a new one is drawn if left out")
        parser.add_argument("--dry-run", action="store_true", help="write nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Work out, print, and write unless it is a dry run."""
        wish = SplitWish(
            seed=options["seed"] or secrets.token_hex(8),
            held_out=options["held_out"],
            slices=tuple(filter(None, options["slices"].split(","))),
            by_class=options["by_class"],
            reassign=options["reassign"],
            join_near_duplicates=options["join_near_duplicates"],
            accept_seen=options["accept_seen"],
        )
        with refusals_in_words():
            gold_set = gold_set_named(options["gold_set"])
            proposal = propose_splits(gold_set=gold_set, wish=wish)
            self._print(proposal)
            if options["dry_run"]:
                self.stdout.write(f"Nothing was written (seed {wish.seed}).")
                return
            write_splits(
                gold_set=gold_set,
                wish=wish,
                by=None,
                now=timezone.now(),
                expect=proposal.digest,
            )
        self.stdout.write(
            f"{gold_set.name}: {proposal.dev} dev, {proposal.held_out} held-out, "
            f"{proposal.moved} moved, {proposal.seen} pairs held out that could be "
            f"seen before (seed {wish.seed}, digest {proposal.digest})"
        )

    def _print(self, proposal: SplitProposal) -> None:
        for notice in proposal.notices:
            self.stderr.write(notice)
        before = proposal.before
        self.stdout.write(
            f"before: {before['dev']} dev, {before['held_out']} held-out, "
            f"{before['']} in neither"
        )
        width = max(7, *(len(one.stratum or "all") for one in proposal.strata))
        self.stdout.write(f"{'stratum':<{width}}  {'dev':>7} {'held-out':>9}")
        for stratum in proposal.strata:
            name = stratum.stratum or "all"
            counts = f"{stratum.dev:>7} {stratum.held_out:>9}"
            self.stdout.write(f"{name:<{width}}  {counts}")
