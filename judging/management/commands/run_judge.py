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
from config.errors import Conflict, DomainError, NotFound
from judging.clients.openai_chat import OpenAIChatClient
from judging.models import Run, RunStatus
from judging.services.starting import (
    complete_run,
    frozen_judge,
    start_run,
    unfinished_run,
)
from judging.services.working import work_on

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from judging.services.running import Progress as Done


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
            "--concurrency", type=int, default=8, help="calls in flight"
        )
        parser.add_argument(
            "--again",
            action="store_true",
            help="start a new run although one is complete",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Start or resume the run and show how far it is."""
        try:
            run = self._run(options)
            if run.status == RunStatus.DONE:
                self.stdout.write(f"Run {run.pk} is complete; nothing to buy.")
                return
            status = self._work(run)
        except DomainError as error:
            raise CommandError(error.message) from error
        run.refresh_from_db()
        if status != RunStatus.DONE:
            raise CommandError(
                f"Run {run.pk} is {status}: {run.failure or 'interrupted'}. "
                f"Resume it with: python manage.py run_judge --run {run.pk}"
            )
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
        if config.recorded:
            raise Conflict(
                "judge_recorded", "A recorded judge can't be asked, only imported."
            )
        gold_set = gold_set_named(options["gold_set"])
        earlier = unfinished_run(config=config, gold_set=gold_set)
        if earlier is None and not options["again"]:
            earlier = complete_run(config=config, gold_set=gold_set)
        return earlier or start_run(
            config=config,
            gold_set=gold_set,
            concurrency=options["concurrency"],
            by=None,
            now=timezone.now(),
        )

    def _work(self, run: Run) -> RunStatus:
        total = run.calls.count()
        before = total - run.calls.unanswered().count()
        with _bar() as bar:
            task = bar.add_task("judging", total=total, completed=before, invalid=0)

            def show(done: Done) -> None:
                bar.update(task, completed=before + done.answered, invalid=done.invalid)

            return work_on(run, open_client=OpenAIChatClient, on_progress=show)


def _bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("invalid {task.fields[invalid]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
