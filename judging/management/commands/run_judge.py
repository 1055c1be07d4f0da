"""Run a frozen judge over every pair of a gold set, in both orders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from annotation.services.gold_sets import gold_set_named
from config.errors import DomainError, NotFound
from judging.clients.openai_chat import OpenAIChatClient
from judging.management.signals import stop_on_sigterm
from judging.models import Run, RunStatus
from judging.services.starting import frozen_judge, refuse_concurrency, run_for
from judging.services.working import work_on

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from judging.services.tallies import Progress as Done


USUAL_CONCURRENCY = 8
INTERRUPTED = 130  # what a shell reports for Ctrl-C


class Command(BaseCommand):
    """`run_judge --judge NAME --gold-set NAME`, or `--run N` to resume one."""

    help = (
        "Run a frozen judge over a gold set. An unfinished run of the same judge is "
        "resumed, a complete one is not bought again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the judge, the set, and how many calls may be in flight."""
        parser.add_argument("--judge", help="name of a frozen judge")
        parser.add_argument("--judge-version", type=int, help="default: the newest")
        parser.add_argument("--gold-set")
        parser.add_argument("--run", type=int, help="resume this run")
        parser.add_argument(
            "--concurrency",
            type=int,
            help="calls in flight (default: the run's own, 8 for a new one)",
        )
        parser.add_argument(
            "--again",
            action="store_true",
            help="start a new run although one is complete",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Start or resume the run and show how far it is."""
        try:
            if options["concurrency"] is not None:
                refuse_concurrency(options["concurrency"])
            run = self._run(options)
            if run.status == RunStatus.DONE:
                self.stdout.write(f"Run {run.pk} is complete; nothing to buy.")
                return
            self._work(run, options["concurrency"])
        except DomainError as error:
            raise CommandError(error.message) from error
        self._say(run)

    def _say(self, run: Run) -> None:
        run.refresh_from_db()
        if run.status != RunStatus.DONE:
            reason = run.failure or "stopped"
            raise CommandError(f"Run {run.pk} is {run.status}: {reason} {_resume(run)}")
        invalid = run.calls.exclude(reply__invalid_reason="").count()
        self.stdout.write(
            f"Run {run.pk} is done: {run.calls.count()} calls, {invalid} invalid."
        )

    def _run(self, options: dict[str, Any]) -> Run:
        if options["run"] is not None:
            found = Run.objects.filter(pk=options["run"]).first()
            if found is None:
                raise NotFound("run_unknown", f"There is no run {options['run']}.")
            return found
        if not (options["judge"] and options["gold_set"]):
            raise CommandError("Name --judge and --gold-set, or --run.")
        config = frozen_judge(options["judge"], options["judge_version"])
        return run_for(
            config=config,
            gold_set=gold_set_named(options["gold_set"]),
            concurrency=options["concurrency"] or USUAL_CONCURRENCY,
            by=None,
            now=timezone.now(),
            again=options["again"],
        )

    def _work(self, run: Run, concurrency: int | None) -> None:
        try:
            with stop_on_sigterm():
                self._ask(run, concurrency)
        except KeyboardInterrupt:
            raise CommandError(
                f"Interrupted. {_resume(run)}", returncode=INTERRUPTED
            ) from None

    def _ask(self, run: Run, concurrency: int | None) -> None:
        total = run.calls.count()
        before = total - run.calls.unanswered().count()
        with _bar() as bar:
            task = bar.add_task("judging", total=total, completed=before, invalid=0)

            def show(done: Done) -> None:
                bar.update(task, completed=before + done.answered, invalid=done.invalid)

            work_on(
                run,
                open_client=OpenAIChatClient,
                on_progress=show,
                concurrency=concurrency,
            )


def _resume(run: Run) -> str:
    return f"Resume it with: python manage.py run_judge --run {run.pk}"


def _bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("invalid {task.fields[invalid]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
