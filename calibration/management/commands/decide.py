"""Decide a release: for people, and for build servers by exit code."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.services.held_out import LooksSpent, Viewer
from calibration.management.actors import account
from calibration.management.writing import clear
from calibration.presenters.decision_texts import decision_text
from calibration.presenters.junit import junit_xml
from calibration.services.deciding import decide, disclosed
from calibration.services.decision_reports import report_for
from calibration.services.overviews import report_by_id
from calibration.services.policies import policy_named
from config.errors import DomainError, NotFound
from judging.models import Run

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from calibration.models import Report

# Django itself uses 1 and 2: any other code than these means undecided.
CODES = {"ship": 0, "hold": 10, "human_review": 11}


class Command(BaseCommand):
    """`decide RUN --policy NAME`."""

    help = (
        "Decide a release run by a policy that was frozen before it. Exits 0 to ship, "
        "10 to hold, 11 for human review; any other code means that nothing was "
        "decided. Seeing the judge's held-out figures is logged as a look."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare run, policy, report and files."""
        parser.add_argument("run", type=int, help="number of a release run")
        parser.add_argument("--policy", required=True, help="name of a frozen policy")
        parser.add_argument(
            "--policy-version", type=int, help="default: the newest frozen one"
        )
        parser.add_argument(
            "--report",
            type=int,
            help="the judge's calibration report (default: its newest held-out one)",
        )
        parser.add_argument("--json", metavar="FILE", help="write the decision as JSON")
        parser.add_argument("--junit", metavar="FILE", help="write it as JUnit XML")
        parser.add_argument("--reason", default="", help="why you look (logged)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Decide, say why, write the files, and exit with the code of the result."""
        for path in filter(None, (options["json"], options["junit"])):
            _clear(path)
        try:
            payload = _decided(options)
        except DomainError as error:
            spent = isinstance(error, LooksSpent)
            advice = " Give one with --reason." if spent else ""
            raise CommandError(f"{error.message}{advice}") from error
        if options["json"]:
            text = json.dumps(payload, ensure_ascii=False, allow_nan=False, indent=1)
            _write(options["json"], f"{text}\n")
        if options["junit"]:
            _write(options["junit"], junit_xml(payload))
        self.stdout.write(decision_text(payload))
        self.stdout.flush()
        sys.exit(CODES[payload["result"]])


def _decided(options: dict[str, Any]) -> dict[str, Any]:
    now = timezone.now()
    viewer = Viewer(
        user=None, door="command", actor=account(), reason=options["reason"]
    )
    run = Run.objects.filter(pk=options["run"]).select_related("config").first()
    if run is None:
        raise NotFound("run_unknown", f"There is no run {options['run']}.")
    decision = decide(
        run=run,
        policy=policy_named(options["policy"], options["policy_version"]),
        report=_report(options["report"], run),
        viewer=viewer,
        now=now,
    )
    return disclosed(decision=decision, viewer=viewer, now=now)


def _report(number: int | None, run: Run) -> Report | None:
    return report_for(run) if number is None else report_by_id(number)


def _clear(path: str) -> None:
    """Leave no earlier decision where this one may not be made."""
    try:
        clear(Path(path))
    except OSError as error:
        raise CommandError(f"Cannot write {path}: {error.strerror}.") from error


def _write(path: str, text: str) -> None:
    """Write a file; where that fails the caller has no answer, and no result code."""
    try:
        Path(path).write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise CommandError(f"Cannot write {path}: {error.strerror}.") from error
