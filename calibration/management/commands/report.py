"""Print or write the calibration report of a run."""

from __future__ import annotations

import getpass
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from calibration.presenters import text_report
from calibration.services.looks import Viewer, disclose
from calibration.services.reporting import latest_gold, latest_run, make_report
from calibration.views.reports import standalone_html
from config.errors import DomainError, NotFound
from judging.models import Run

if TYPE_CHECKING:
    from argparse import ArgumentParser


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
        parser.add_argument("--reason", default="", help="why you look (logged)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make, disclose and print the report."""
        try:
            payload = self._payload(options)
        except DomainError as error:
            raise CommandError(error.message) from error
        if options["html"]:
            Path(options["html"]).write_text(standalone_html(payload), encoding="utf-8")
            self.stderr.write(f"Wrote {options['html']}")
        elif options["json"]:
            # Straight to stdout: the command's writer would add colours and styles.
            json.dump(payload, sys.stdout, ensure_ascii=False, indent=1)
            sys.stdout.write("\n")
        else:
            self.stdout.write(text_report(payload))

    def _payload(self, options: dict[str, Any]) -> dict[str, Any]:
        now, run = timezone.now(), self._run(options)
        gold = latest_gold(run.gold_set_id)
        if (number := options["gold_version"]) is not None:
            found = run.gold_set.versions.filter(number=number).first()
            if found is None:
                raise NotFound("gold_unknown", f"There is no gold version {number}.")
            gold = found
        report = make_report(run=run, gold=gold, by=None, now=now)
        viewer = Viewer(
            user=None,
            door="command",
            actor=getpass.getuser(),
            reason=options["reason"],
        )
        state = disclose(report=report, viewer=viewer, now=now)
        payload: dict[str, Any] = json.loads(report.payload)
        return {**payload, "digest": report.digest, "looks": asdict(state)}

    def _run(self, options: dict[str, Any]) -> Run:
        if options["run"] is not None:
            run = Run.objects.filter(pk=options["run"]).first()
            if run is None:
                raise NotFound("run_unknown", f"There is no run {options['run']}.")
            return run
        if not (options["gold_set"] and options["judge"]):
            raise CommandError("Name a run, or --gold-set and --judge.")
        return latest_run(gold_set=options["gold_set"], judge=options["judge"])
