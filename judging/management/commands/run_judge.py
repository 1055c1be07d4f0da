"""Run a frozen judge over every pair of a gold set, in both orders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.management.actors import account
from annotation.management.values import amount, whole
from annotation.services.gold_sets import gold_set_named
from config.errors import INTERRUPTED, DomainError, NotFound
from judging.clients.opening import open_batches, open_chat
from judging.management.estimates import SIMULATED, estimate_lines
from judging.management.showing import Standing, shown
from judging.management.signals import stop_on_sigterm
from judging.models import Call, Run, RunPurpose, RunStatus
from judging.presenters.seats import seat_words
from judging.services.admitting import refuse_start
from judging.services.budgets import UNLIMITED, Budget
from judging.services.carrying import carry_out
from judging.services.controlling import how_to_go_on, resume
from judging.services.estimating import estimate_run
from judging.services.panel_budgets import limit_run
from judging.services.panels import runs_behind
from judging.services.run_options import RunOptions
from judging.services.sealing import any_sealed
from judging.services.seats import seats_for
from judging.services.starting import (
    MOST_CONCURRENT,
    frozen_judge,
    refuse_concurrency,
    run_for,
    set_concurrency,
)
from judging.services.watching import progress_of
from judging.services.wishing import not_taken_up

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence

    from annotation.models import GoldSet
    from judging.models import JudgeConfig
    from judging.services.seats import Seat

USUAL_CONCURRENCY = 8


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
            type=whole(1, MOST_CONCURRENT),
            help="calls in flight (default: the run's own, 8 for a new one)",
        )
        parser.add_argument(
            "--again",
            action="store_true",
            help="buy every call anew although a run is complete",
        )
        parser.add_argument(
            "--purpose",
            choices=RunPurpose.values,
            default=RunPurpose.CALIBRATION,
            help="noise, sentinel and stability runs copy no earlier replies",
        )
        parser.add_argument(
            "--batch",
            action="store_true",
            help="send a new run as files: up to a day, at the price of batches",
        )
        parser.add_argument(
            "--member-run",
            action="append",
            type=whole(1),
            default=[],
            metavar="RUN",
            help="of a panel: the complete run that its member takes part with, "
            "instead of its newest; may be repeated",
        )
        parser.add_argument(
            "--max-calls", type=whole(1), help="pause after these requests"
        )
        parser.add_argument(
            "--max-tokens", type=whole(1), help="pause before more tokens"
        )
        parser.add_argument(
            "--max-cost", type=amount, help="pause before it costs more"
        )
        parser.add_argument("--currency", default="USD", help="of --max-cost")
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="say what a run would ask and cost, and ask nothing",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Start or resume the run and show how far it is."""
        try:
            if options["concurrency"] is not None:
                refuse_concurrency(options["concurrency"])
            if options["dry_run"]:
                self._estimate(options)
                return
            run = self._run(options)
            if run.status == RunStatus.DONE:
                self.stdout.write(f"Run {run.pk} is complete; nothing to buy.")
                return
            if run.config.simulated:
                self.stdout.write(SIMULATED)
            run = resume(run=run, by=None, now=timezone.now())
            if options["concurrency"] is not None:
                set_concurrency(run, options["concurrency"])
            self._work(run)
        except DomainError as error:
            raise CommandError(error.message) from error
        self._say(run)

    def _say(self, run: Run) -> None:
        run.refresh_from_db()
        if run.status != RunStatus.DONE:
            why = f"Run {run.pk} is {run.status}: {_why(run).rstrip('. ')}."
            raise CommandError(f"{why} {how_to_go_on(run)}")
        done = progress_of(run, now=timezone.now())
        reused = f", {done.reused} from earlier runs" if done.reused else ""
        sealed = " without the sealed held-out pairs" if done.sealed else ""
        self.stdout.write(
            f"Run {run.pk} is done: {done.total} calls, {done.invalid_total} invalid"
            f"{sealed}{reused}."
        )
        for notice in run.notices:
            self.stderr.write(str(notice))

    def _estimate(self, options: dict[str, Any]) -> None:
        config, gold_set = self._asked(options)
        asked, now = _options(options), timezone.now()
        seats = seats_for(config, gold_set, asked)
        refuse_start(config, gold_set, asked, seats=seats, day=now.date())
        found = estimate_run(
            config=config,
            gold_set=gold_set,
            now=now,
            reuse=asked.reuses,
            seats=seats,
        )
        for line in estimate_lines(found, seats, batch=options["batch"]):
            self.stdout.write(line)

    def _show(self, seats: Sequence[Seat]) -> None:
        """Say whose votes a panel takes from which run."""
        for seat in seats:
            self.stdout.write(f"{seat.member}: {seat_words(seat)}.")

    def _asked(self, options: dict[str, Any]) -> tuple[JudgeConfig, GoldSet]:
        if not (options["judge"] and options["gold_set"]):
            raise CommandError("Name --judge and --gold-set, or --run.")
        config = frozen_judge(options["judge"], options["judge_version"])
        return config, gold_set_named(options["gold_set"])

    def _run(self, options: dict[str, Any]) -> Run:
        if options["run"] is not None:
            found = Run.objects.filter(pk=options["run"]).first()
            if found is None:
                raise NotFound("run_unknown", f"There is no run {options['run']}.")
            return self._limited(found, options)
        config, gold_set = self._asked(options)
        now = timezone.now()
        seats = seats_for(config, gold_set, _options(options))
        run = run_for(
            config=config,
            gold_set=gold_set,
            concurrency=options["concurrency"] or USUAL_CONCURRENCY,
            by=None,
            now=now,
            again=options["again"],
            options=_options(options),
        )
        if run.created_at == now:
            self._show(seats)
            return run
        run = self._limited(run, options)
        others = not_taken_up(run, _options(options), again=options["again"])
        if others:
            done = run.status == RunStatus.DONE
            how = (
                "is complete (--again starts a new one)" if done else "is gone on with"
            )
            self.stderr.write(f"Run {run.pk} {how}: {'; '.join(others)}.")
        return run

    def _limited(self, run: Run, options: dict[str, Any]) -> Run:
        """Limits that are given replace those that the run has."""
        budget = _budget(options)
        if budget.unlimited or run.status == RunStatus.DONE:
            return run
        return limit_run(run=run, budget=budget, by=None, now=timezone.now())

    def _work(self, run: Run) -> None:
        try:
            with stop_on_sigterm():
                self._ask(run)
        except KeyboardInterrupt:
            raise CommandError(
                f"Interrupted. {how_to_go_on(run)}", returncode=INTERRUPTED
            ) from None

    def _ask(self, run: Run) -> None:
        calls = Call.objects.filter(run__in=runs_behind(run))
        total = calls.count()
        before = total - calls.unanswered().count()
        invalid = calls.exclude(reply=None).exclude(reply__invalid_reason="").count()
        # What a runner counts tells of sealed pairs too.
        sealed = any_sealed(runs_behind(run))
        with shown(self.stderr, Standing(total, before, invalid, sealed)) as show:
            carry_out(
                run,
                open_client=open_chat,
                open_batches=open_batches,
                on_progress=show,
            )


def _options(options: dict[str, Any]) -> RunOptions:
    reuse = False if options["again"] else None
    return RunOptions(
        actor=account(),
        purpose=RunPurpose(options["purpose"]),
        reuse=reuse,
        batches=options["batch"],
        budget=_budget(options),
        member_runs=tuple(options["member_run"]),
    )


def _budget(options: dict[str, Any]) -> Budget:
    budget = Budget(
        options["max_calls"],
        options["max_tokens"],
        options["max_cost"],
        options["currency"].upper(),
    )
    return UNLIMITED if budget.unlimited else budget


def _why(run: Run) -> str:
    """Why a run goes on no more; a panel's stands with its members' runs."""
    said = [each.failure or each.halt_reason for each in [run, *runs_behind(run)]]
    return next(filter(None, said), "stopped")
