"""Import a judge's recorded replies as a finished run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.domain.readers.base import FileKind
from annotation.domain.strict_json import BrokenJson, decode
from annotation.management.actors import account
from annotation.management.importing import (
    add_reader_arguments,
    intake_for,
    plan_of,
    show_preview,
)
from annotation.services.gold_sets import gold_set_named
from config.errors import DomainError
from judging.domain.formats.registry import FORMAT_NAMES
from judging.domain.terms import CombiningRule
from judging.services.configuring import refuse_mixed_line
from judging.services.importing import import_verdicts
from judging.services.recorded import RecordedPlan

if TYPE_CHECKING:
    from argparse import ArgumentParser

DEFAULT_FORMAT = "choice_123"


class Command(BaseCommand):
    """`import_verdicts FILE --gold-set NAME --judge NAME --format FORMAT`."""

    help = (
        "Import what a judge said elsewhere (JSONL, JSON or CSV). The text of each "
        "reply is read by the named format; with --use-choice the file's own parsed "
        "choice is taken instead, and marked so. All or nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare file, set, judge and how replies are read."""
        add_reader_arguments(parser, FileKind.VERDICTS)
        parser.add_argument("--gold-set", required=True)
        parser.add_argument("--judge", required=True, help="name to file them under")
        parser.add_argument(
            "--format",
            choices=sorted(FORMAT_NAMES),
            help=f"how replies are read ({DEFAULT_FORMAT}); with --from, other tools' "
            "choices are taken as stated unless this is given",
        )
        parser.add_argument(
            "--format-options",
            metavar="JSON",
            help="the format's own options as a JSON object: the place of the verdict, "
            "or the expression of regex; or @FILE with it",
        )
        parser.add_argument(
            "--rule",
            choices=[rule.value for rule in CombiningRule],
            default=CombiningRule.AGREE_ELSE_TIE.value,
            help="how the two orders become one verdict",
        )
        parser.add_argument(
            "--use-choice", action="store_true", help="take the stored choice"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, import, and say what came of it."""
        files = plan_of(options, FileKind.VERDICTS)
        if options["format_options"] and not options["format"]:
            raise CommandError("--format-options are those of a --format.")
        plan = RecordedPlan(
            judge=options["judge"],
            verdict_format=options["format"] or DEFAULT_FORMAT,
            combining_rule=CombiningRule(options["rule"]),
            use_choice=options["use_choice"] or _takes_stated(options),
            format_options=_format_options(options["format_options"]),
        )
        try:
            refuse_mixed_line(plan.judge, recorded=True)
            if options["dry_run"]:
                show_preview(options, files, self.stdout)
                return
            done = import_verdicts(
                gold_set=gold_set_named(options["gold_set"]),
                plan=plan,
                source=intake_for(options, files),
                by=None,
                now=timezone.now(),
                actor=account(),
            )
        except DomainError as error:
            raise CommandError(error.message) from error
        for notice in done.run.notices:
            self.stderr.write(notice)
        state = "known already as" if done.known else "imported as"
        self.stdout.write(
            f"{plan.judge}: {done.calls} replies {state} run {done.run.pk}, "
            f"{done.invalid} invalid"
            f"{' without the sealed held-out pairs' if done.sealed else ''}."
        )


def _takes_stated(options: dict[str, Any]) -> bool:
    """Whether to believe what another tool read, since nobody said how to read it."""
    return options["reader"] != "evenhand" and options["format"] is None


def _format_options(given: str | None) -> dict[str, object] | None:
    if given is None:
        return None
    try:
        text = given
        if given.startswith("@"):
            text = Path(given[1:]).read_text(encoding="utf-8-sig")
        found = decode(text)
    except OSError as error:
        raise CommandError(f"Cannot read {given[1:]}: {error.strerror}") from error
    except (UnicodeDecodeError, BrokenJson) as error:
        raise CommandError(f"--format-options: {error}") from error
    if not isinstance(found, dict):
        raise CommandError("--format-options must be a JSON object.")
    return found
