"""Export an audit bundle, or the adjudication notes alone."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.management.files import refusals_in_words
from annotation.services.gold_sets import gold_set_named
from annotation.services.held_out import LooksSpent, Viewer
from calibration.management.actors import account
from calibration.management.writing import STDOUT, print_bytes, write_whole
from calibration.services.audits.exporting import export_audit, notes_document
from calibration.services.audits.scopes import Wanted
from config.errors import DomainError

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from calibration.services.exports import Download


class Command(BaseCommand):
    """`export_audit [GOLD_SET]`."""

    help = (
        "Export everything that results rest on as a zip that verify_audit checks "
        "without a database, and print the digest of its manifest. Where held-out "
        "pairs are among it, it is logged as a look."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the scope and the file."""
        parser.add_argument("gold_set", nargs="?", default="")
        parser.add_argument(
            "--decision", type=int, metavar="N", help="only what a decision rests on"
        )
        parser.add_argument(
            "--from", dest="since", type=_day, metavar="DAY",
            help="everything from this day on (2026-01-31, UTC)",
        )  # fmt: skip
        parser.add_argument(
            "--to", type=_day, metavar="DAY", help="up to this day, itself included"
        )
        parser.add_argument(
            "--dev-only", action="store_true",
            help="only the dev pairs of the set: no look, also while it is sealed",
        )  # fmt: skip
        parser.add_argument(
            "--notes", choices=["html", "csv"], help="only the adjudication notes"
        )
        parser.add_argument(
            "--output", metavar="FILE", help="where to write it (-: to standard output)"
        )
        parser.add_argument("--reason", default="", help="why you look (logged)")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Log what has to be logged, then write."""
        viewer = Viewer(
            user=None, door="command", actor=account(), reason=options["reason"]
        )
        with refusals_in_words():
            try:
                self._export(options, viewer)
            except LooksSpent as spent:
                raise DomainError(
                    spent.code, f"{spent.message} Give one with --reason."
                ) from spent

    def _export(self, options: dict[str, Any], viewer: Viewer) -> None:
        now = timezone.now()
        if options["notes"] and options["dev_only"]:
            raise DomainError("audit_scope", "--notes and --dev-only: give only one.")
        if options["notes"]:
            gold_set = gold_set_named(options["gold_set"])
            self._write(
                notes_document(
                    gold_set=gold_set, form=options["notes"], viewer=viewer, now=now
                ),
                options["output"],
            )
            return
        since, to = options["since"], options["to"]
        if (since is None) != (to is None):
            lone, other = ("--from", "--to") if to is None else ("--to", "--from")
            raise DomainError(
                "audit_scope",
                f"{lone} alone is no period: give its other end with {other} DAY "
                "(2026-01-31, UTC; both days count).",
            )
        wanted = Wanted(
            gold_set=options["gold_set"],
            decision=options["decision"],
            since=since,
            to=to + timedelta(days=1) if to else None,
            dev_only=options["dev_only"],
        )
        bundle = export_audit(wanted=wanted, viewer=viewer, now=now)
        with bundle.file:
            self._write(bundle.download(), options["output"])
        for line in bundle.export.left_out:
            self.stderr.write(f"Left out: {line}")
        told = self.stderr if options["output"] == STDOUT else self.stdout
        told.write(bundle.export.manifest_digest)

    def _write(self, found: Download, output: str | None) -> None:
        if output == STDOUT:
            print_bytes(self.stdout, found.pieces)
            return
        path = Path(output or found.filename)
        try:
            write_whole(path, found.pieces)
        except OSError as error:
            raise CommandError(f"Cannot write {path}: {error.strerror}.") from error
        self.stderr.write(f"Wrote {path}")


def _day(text: str) -> datetime:
    day = datetime.strptime(text, "%Y-%m-%d").date()  # noqa: DTZ007 - a day has no zone
    return datetime.combine(day, time(), tzinfo=UTC)
