"""The whole job on simulated data: pairs, labels, gold, judge, report, served site."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from io import StringIO
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from annotation.management.files import refusals_in_words
from annotation.models import Adjudication, Label
from calibration.management.demo import (
    gold,
    judge,
    people,
    release,
    telling,
    watching,
)
from calibration.management.demo.fixture import Fixture
from calibration.models import Report
from calibration.presenters.decision_texts import decision_text
from config.accounts.roles import Role
from config.errors import INTERRUPTED
from judging.models import Run, RunPurpose, RunStatus

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from django.db.models import QuerySet

    from annotation.models import GoldSet
    from config.accounts.models import User
    from judging.models import JudgeConfig

STEPS = 7


class Command(BaseCommand):
    """`demo`: harmless to run again."""

    help = (
        "Load a simulated gold set with labels and rulings, run a simulated judge with "
        "planted biases over it in both orders, print the calibration report, open a "
        "labelling round, decide a simulated release, watch the judge with a sentinel, "
        "and serve the site. Interrupted, it continues where it was."
    )

    _steps = 0
    _base_url = ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare whether and where to serve."""
        parser.add_argument(
            "--no-serve", action="store_true", help="stop before serving"
        )
        parser.add_argument("--port", type=int, help="port to serve on")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do each step, saying what it came to; then serve."""
        if not (settings.EVENHAND_DEMO or settings.DEBUG):
            raise CommandError(
                "The demo makes logins with a public password; say that this is a demo "
                "with EVENHAND_DEMO=1, as `make demo` does."
            )
        with ExitStack() as stack:
            try:
                with refusals_in_words():
                    self._work(stack, serve=not options["no_serve"])
            except KeyboardInterrupt:
                raise CommandError(
                    "Interrupted. Run it again: it continues where it stopped.",
                    returncode=INTERRUPTED,
                ) from None
            if not options["no_serve"]:
                port = {} if options["port"] is None else {"port": options["port"]}
                call_command("serve", **port, stdout=self.stdout)

    def _work(self, stack: ExitStack, *, serve: bool) -> None:
        started, fixture = time.monotonic(), Fixture()
        self._tell("Evenhand demo. All of it is simulated: texts, people, judge.")
        self._step("Database, roles and logins")
        call_command("migrate", verbosity=0)
        call_command("sync_roles", verbosity=0, stdout=StringIO())
        lead = people.logins()[Role.LEAD]
        gold_set = self._gold(fixture, lead)
        run = self._run(fixture, gold_set, lead, stack, serve=serve)
        self._step("Calibration report")
        call_command("report", run.pk, reason="demo", stdout=self.stdout)
        self._planted(run)
        self._step("A round with fresh pairs for the reviewer login")
        round_ = gold.open_fresh_round(fixture, gold_set, lead)
        pairs = round_.seats.values("pair").distinct().count()
        self._tell(
            f"  round {round_.name!r} is open: {pairs} pairs that nobody has seen"
        )
        self._release(fixture, lead, stack)
        self._watch(fixture, gold_set, lead, stack)
        self._tell(f"\nDone in {time.monotonic() - started:.0f} s.\n\n")
        for line in telling.logins():
            self._tell(line)
        self._tell("")

    def _gold(self, fixture: Fixture, lead: User) -> GoldSet:
        self._step("Pairs, simulated labels, rulings, frozen gold")
        gold_set = gold.load_pairs(fixture, lead)
        round_ = gold.label_all(fixture, gold_set, lead)
        gold.rule_on_disputes(fixture, gold_set)
        version = gold.freeze(gold_set, lead)
        labels = Label.objects.filter(seat__round=round_).count()
        rulings = Adjudication.objects.filter(pair__gold_set=gold_set).count()
        crew = f"{len(fixture.reviewers)} simulated reviewers"
        self._tell(
            f"  {gold_set.name}: {version.pairs} pairs, {labels} labels by {crew}, "
            f"{rulings} rulings with notes"
        )
        self._tell(
            f"  gold {version}: {version.left_open} pairs not labelled yet, digest "
            f"{version.digest[:12]}"
        )
        return gold_set

    def _run(
        self,
        fixture: Fixture,
        gold_set: GoldSet,
        lead: User,
        stack: ExitStack,
        *,
        serve: bool,
    ) -> Run:
        """Run the judge, unless a run of it is complete already."""
        self._step("Simulated judge, every pair in both orders")
        done = _done(gold_set)
        found = done.first()
        base_url = "" if found and not serve else self._start(fixture, stack)
        if found is not None:
            self._tell(f"  run {found.pk} of {found.config} is complete already")
            return found
        config = judge.frozen_judge(fixture, base_url, lead)
        self._tell(f"  {config} is frozen, digest {config.digest[:12]}")
        self._judge(config, gold_set)
        return done.filter(config=config)[0]

    def _judge(self, config: JudgeConfig, gold_set: GoldSet, **options: str) -> None:
        said = StringIO()
        call_command(
            "run_judge",
            judge=config.name,
            judge_version=config.version,
            gold_set=gold_set.name,
            concurrency=judge.CONCURRENCY,
            stdout=said,
            **options,
        )
        for line in said.getvalue().splitlines():
            self._tell(f"  {line}")

    def _start(self, fixture: Fixture, stack: ExitStack) -> str:
        """Start the simulated judge; while the site is served, it can be run again."""
        if not self._base_url:
            server = judge.start(fixture)
            stack.callback(server.stop)
            self._base_url = server.base_url
            self._tell(f"  it answers at {server.base_url} while this runs")
        return self._base_url

    def _release(self, fixture: Fixture, lead: User, stack: ExitStack) -> None:
        """Freeze a policy, run the judge over fresh cases of a release, and decide."""
        self._step("A release: policy, run, decision")
        rule = release.policy(lead)
        gold_set = release.load(fixture, lead)
        self._tell(f"  policy {rule} was frozen first, digest {rule.digest[:12]}")
        done = _done(gold_set).filter(purpose=RunPurpose.RELEASE)
        if not done.exists():
            config = judge.frozen_judge(fixture, self._start(fixture, stack), lead)
            self._judge(config, gold_set, purpose=RunPurpose.RELEASE.value)
        decision = release.decided(done[0], rule, lead)
        for line in decision_text(json.loads(decision.payload)).splitlines():
            self._tell(f"  {line}")

    def _watch(
        self, fixture: Fixture, gold_set: GoldSet, lead: User, stack: ExitStack
    ) -> None:
        """Define a sentinel and check the judge with it, as cron would over time."""
        self._step("A sentinel that watches the simulated judge")
        panel = watching.panel(gold_set, lead)
        if (missing := watching.CHECKS - watching.recorded()) > 0:
            judge.frozen_judge(fixture, self._start(fixture, stack), lead)
        for _ in range(missing):
            call_command(
                "run_sentinels", sentinel=panel.name, early=True, stdout=StringIO()
            )
        self._tell(
            f"  {panel}: {watching.recorded()} checks of a simulated judge recorded, "
            "under Drift"
        )

    def _planted(self, run: Run) -> None:
        report = Report.objects.filter(run=run).latest("pk")
        self._tell("\nWhat was planted in the judge, and what the report shows")
        for line in telling.planted_and_found(json.loads(report.payload)):
            self._tell(f"  {line}")

    def _step(self, text: str) -> None:
        self._steps += 1
        self._tell(self.style.MIGRATE_HEADING(f"\n[{self._steps}/{STEPS}] {text}"))

    def _tell(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def _done(gold_set: GoldSet) -> QuerySet[Run]:
    """Finished runs of the demo's judge, the first one first."""
    found = Run.objects.filter(gold_set=gold_set, config__name=judge.JUDGE)
    return found.filter(status=RunStatus.DONE).order_by("pk")
