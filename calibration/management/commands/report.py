"""Print or write the calibration report of a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.services.held_out import LooksSpent, Viewer
from calibration.management.actors import account
from calibration.presenters import text_report
from calibration.presenters.page import standalone_html
from calibration.presenters.tables import report_csv
from calibration.services.looks import disclosed
from calibration.services.reporting import latest_gold, latest_run, make_report
from calibration.services.sealed_looks import look_sealed
from config.errors import DomainError, NotFound
from judging.models import Run

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from datetime import datetime

    from annotation.models import GoldVersion
    from calibration.models import Report


class Command(BaseCommand):
    """`report RUN`, or `report --gold-set NAME --judge NAME` for the newest run."""

    help = (
        "Report how far a judge agrees with gold: counts, errors, position, coherence, "
        "by split and slice. Showing held-out results is logged as a look."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the run, or set and judge, and the form of the report."""
        parser.add_argument("run", nargs="?", type=int, help="number of the run")
        parser.add_argument("--gold-set", help="with --judge: its newest finished run")
        parser.add_argument("--judge", help="name of a frozen judge")
        parser.add_argument(
            "--gold-version", type=int, help="number of the gold version (newest)"
        )
        form = parser.add_mutually_exclusive_group()
        form.add_argument("--json", action="store_true", help="print the report JSON")
        form.add_argument("--html", metavar="FILE", help="write one HTML file")
        form.add_argument(
            "--csv", metavar="FILE", help="write every figure as a row of one table"
        )
        form.add_argument(
            "--look",
            action="store_true",
            help="of a sealed set: only whether the judge keeps all limits (a look)",
        )
        parser.add_argument("--reason", default="", help="why you look (logged)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make, disclose and print the report."""
        try:
            if options["look"]:
                self.stdout.write(_sealed_look(options))
                return
            payload = self._payload(options)
        except DomainError as error:
            raise CommandError(_advice(error)) from error
        if options["html"]:
            self._write(Path(options["html"]), standalone_html(payload))
        elif options["csv"]:
            table = b"".join(report_csv(payload)).decode()
            self._write(Path(options["csv"]), table)
        elif options["json"]:
            self.stdout.write(json.dumps(payload, allow_nan=False, indent=1))
        else:
            self.stdout.write(text_report(payload))

    def _write(self, path: Path, text: str) -> None:
        try:
            path.write_text(text, encoding="utf-8", newline="")
        except OSError as error:
            raise CommandError(f"Cannot write {path}: {error.strerror}.") from error
        self.stderr.write(f"Wrote {path}")

    def _payload(self, options: dict[str, Any]) -> dict[str, Any]:
        now = timezone.now()
        report = _report(options, now)
        return disclosed(report=report, viewer=_viewer(options), now=now)


def _sealed_look(options: dict[str, Any]) -> str:
    now = timezone.now()
    found = look_sealed(report=_report(options, now), viewer=_viewer(options), now=now)
    return f"{found.word.value} (look {found.n} of {found.budget})"


def _report(options: dict[str, Any], now: datetime) -> Report:
    run = _run(options)
    gold = _gold(run, options["gold_version"])
    return make_report(run=run, gold=gold, by=None, now=now, actor=account())


def _viewer(options: dict[str, Any]) -> Viewer:
    return Viewer(user=None, door="command", actor=account(), reason=options["reason"])


def _run(options: dict[str, Any]) -> Run:
    number, gold_set, judge = options["run"], options["gold_set"], options["judge"]
    if number is None and gold_set and judge:
        return latest_run(gold_set=gold_set, judge=judge)
    if number is None or gold_set or judge:
        raise CommandError("Name either a run, or both --gold-set and --judge.")
    run = Run.objects.filter(pk=number).first()
    if run is None:
        raise NotFound("run_unknown", f"There is no run {number}.")
    return run


def _gold(run: Run, number: int | None) -> GoldVersion:
    if number is None:
        return latest_gold(run.gold_set_id)
    found = run.gold_set.versions.filter(number=number).first()
    if found is None:
        raise NotFound("gold_unknown", f"There is no gold version {number}.")
    return found


def _advice(error: DomainError) -> str:
    spent = isinstance(error, LooksSpent)
    return f"{error.message} Give one with --reason." if spent else error.message
