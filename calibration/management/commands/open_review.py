"""Open a round of the pairs of a release run that its policy sends to people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.domain.round_notes import shortfalls
from annotation.management.values import whole
from annotation.services.round_members import labeller_named, warnings
from annotation.services.round_planning import MOST_LABELS, RoundPlan
from calibration.services.policies import policy_named
from calibration.services.releases import release_run
from calibration.services.review_rounds import open_review
from config.errors import DomainError

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from annotation.models import Round
    from config.accounts.models import User


class Command(BaseCommand):
    """`open_review RUN NAME --policy NAME`."""

    help = (
        "Open a labelling round of the pairs that a judge abstained on in a release "
        "run and that the policy sends to people."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare run, round, policy and people."""
        parser.add_argument("run", metavar="RUN", type=int, help="number of the run")
        parser.add_argument("name", metavar="NAME", help="of the round")
        parser.add_argument("--policy", required=True, help="name of a frozen policy")
        parser.add_argument(
            "--policy-version", type=int, help="default: the newest frozen one"
        )
        parser.add_argument(
            "--labels-per-pair", type=whole(1, MOST_LABELS), help="(the set's own)"
        )
        parser.add_argument(
            "--reviewer", action="append", default=[], help="may be repeated"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Open the round, and say how many pairs it has."""
        try:
            run = release_run(options["run"])
            people = [labeller_named(name) for name in options["reviewer"]]
            labels = options["labels_per_pair"] or run.gold_set.labels_per_pair
            made = open_review(
                run=run,
                policy=policy_named(options["policy"], options["policy_version"]),
                plan=RoundPlan(name=options["name"], labels_per_pair=labels),
                reviewers=people,
                by=None,
                now=timezone.now(),
            )
        except DomainError as error:
            raise CommandError(error.message) from error
        self.stdout.write(
            f"Round {made.round_id} {made.round.name!r}: {made.pairs} pairs of run "
            f"{run.pk}, by {made.policy}."
        )
        for note in shortfalls(made.round.selection):
            self.stdout.write(note)
        self._warn(made.round, people)

    def _warn(self, round_: Round, people: list[User]) -> None:
        found = warnings(round_=round_, users=people)
        for user in people:
            if words := found[user.pk].words():
                self.stderr.write(f"{user.get_username()}: {words}")
        if not people:
            self.stderr.write("Nobody is in the round yet; add people on its page.")
