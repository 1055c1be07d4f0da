"""The whole job on simulated data: pairs, labels, gold, judge, report, served site."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from calibration.management.demo import gold, judge, people
from calibration.management.demo.fixture import Fixture
from config.accounts.roles import Role
from config.errors import DomainError
from judging.models import JudgeConfig, Run, RunStatus

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from annotation.models import GoldSet
    from config.accounts.models import User


class Command(BaseCommand):
    """`demo`: harmless to run again."""

    help = (
        "Load a simulated gold set with labels and rulings, run a simulated judge with "
        "planted biases over it in both orders, print the calibration report, open a "
        "labelling round, and serve the site."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare whether to serve."""
        parser.add_argument(
            "--no-serve", action="store_true", help="stop before serving"
        )
        parser.add_argument("--port", type=int, help="port to serve on")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do each step, saying what it came to."""
        if not (settings.EVENHAND_DEMO or settings.DEBUG):
            raise CommandError(
                "The demo makes logins with a public password; say that this is a demo "
                "with EVENHAND_DEMO=1, as `make demo` does."
            )
        try:
            self._work()
        except DomainError as error:
            raise CommandError(error.message) from error
        self._print_logins()
        if not options["no_serve"]:
            port = {"port": options["port"]} if options["port"] else {}
            call_command("serve", **port)

    def _work(self) -> None:
        started, fixture = time.monotonic(), Fixture()
        self._step("Preparing the database")
        call_command("migrate", verbosity=0)
        call_command("sync_roles", verbosity=0)
        logins = people.logins()
        lead = logins[Role.LEAD]
        gold_set = self._gold(fixture, lead)
        run = self._run(fixture, gold_set, lead)
        self._step("Calibration report (simulated people, simulated judge)")
        call_command("report", run.pk, reason="demo", stdout=self.stdout)
        round_ = gold.open_fresh_round(fixture, gold_set, lead)
        self._step(f"Round {round_.name!r} is open for the reviewer login")
        self.stdout.write(f"Done in {time.monotonic() - started:.0f} s.")

    def _gold(self, fixture: Fixture, lead: User) -> GoldSet:
        self._step("Loading pairs, simulated labels and rulings")
        gold_set = gold.load_pairs(fixture, lead)
        gold.label_all(fixture, gold_set, lead)
        gold.rule_on_disputes(fixture, gold_set)
        version = gold.freeze(gold_set, lead)
        self.stdout.write(
            f"  {version}: {version.pairs} pairs, {version.left_open} of them still "
            f"unlabelled, digest {version.digest[:12]}"
        )
        return gold_set

    def _run(self, fixture: Fixture, gold_set: GoldSet, lead: User) -> Run:
        """Run the judge, unless a run of it is complete already."""
        done = Run.objects.filter(
            gold_set=gold_set, config__name=judge.JUDGE, status=RunStatus.DONE
        )
        if (found := done.order_by("pk").first()) is not None:
            self._step(f"Run {found.pk} of the simulated judge is complete already")
            return found
        self._step("Starting the simulated judge and running it in both orders")
        server = judge.start(fixture, judge.usual_port())
        try:
            config = judge.frozen_judge(fixture, server.base_url, lead)
            self._say_judge(config)
            call_command(
                "run_judge",
                judge=config.name,
                judge_version=config.version,
                gold_set=gold_set.name,
                concurrency=judge.CONCURRENCY,
                stdout=self.stdout,
            )
        finally:
            server.stop()
        return done.get(config=config)

    def _say_judge(self, config: JudgeConfig) -> None:
        self.stdout.write(f"  {config} frozen, digest {config.digest[:12]}")

    def _print_logins(self) -> None:
        self.stdout.write("\nDemo logins, all with the password " + people.PASSWORD)
        for login in people.LOGINS:
            self.stdout.write(f"  {login.username}")
        self.stdout.write("")

    def _step(self, text: str) -> None:
        clock = timezone.localtime().strftime("%H:%M:%S")
        self.stdout.write(f"{clock}  {text}")
        self.stdout.flush()
