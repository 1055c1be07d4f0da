"""Say how many gold pairs a question needs, and which to label next."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from calibration.domain.jsonable import jsonable
from calibration.presenters.planning import plan_text
from calibration.services.planning import Questions, answers, next_to_label
from config.errors import DomainError

if TYPE_CHECKING:
    from argparse import ArgumentParser


NOTHING = (
    "Nothing is suggested, and no file written: no pair outside the held-out part "
    "lacks gold and is disputed, flips or is in a thin slice."
)
NO_SET = "Nothing is suggested, and no file written: name a set with --gold-set."


class Command(BaseCommand):
    """`plan_labels`, with any of its questions."""

    help = (
        "Plan labelling: pairs for a half-width, for a release gate, for a preference; "
        "and which pairs of a gold set to label next."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the questions."""
        parser.add_argument("--half-width", type=float, help="wanted, such as 0.05")
        parser.add_argument("--rate", type=float, default=0.5, help="expected (0.5)")
        parser.add_argument("--limit", type=float, help="error rate to stay below")
        parser.add_argument("--true", type=float, help="error rate it really has")
        parser.add_argument("--power", type=float, default=0.8, help="wanted (0.8)")
        parser.add_argument("--looks", type=int, default=1, help="planned (1)")
        parser.add_argument(
            "--class-share", type=float, default=1.0, help="of gold that counts (1)"
        )
        parser.add_argument("--pairs-per-prompt", type=float, default=1.0)
        parser.add_argument("--correlation", type=float, default=0.0)
        parser.add_argument("--decisive", type=int, help="decisive pairs at hand")
        parser.add_argument("--gold-set", help="suggest pairs of this set")
        parser.add_argument("--judge", help="whose flips count")
        parser.add_argument("--next", type=int, default=20, help="how many (20)")
        parser.add_argument("--output", metavar="FILE", help="write their case ids")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Answer the questions asked."""
        try:
            plan = answers(_questions(options)) | {"next": _next(options)}
        except DomainError as error:
            raise CommandError(error.message) from error
        if not any(plan.values()) and not options["gold_set"]:
            raise CommandError(
                "Ask something: --half-width, --limit with --true, --decisive or "
                "--gold-set."
            )
        if not plan["next"] and (options["gold_set"] or options["output"]):
            self.stderr.write(NOTHING if options["gold_set"] else NO_SET)
        elif options["output"]:
            self._write(options["output"], plan["next"])
        shown = json.dumps(plan, indent=1) if options["json"] else plan_text(plan)
        if shown.strip():
            self.stdout.write(shown)

    def _write(self, name: str, cases: Any) -> None:
        ids = dict.fromkeys(one["case"] for one in cases)
        try:
            Path(name).write_text("".join(f"{one}\n" for one in ids), encoding="utf-8")
        except OSError as error:
            raise CommandError(f"Cannot write {name}: {error.strerror}.") from error
        self.stderr.write(f"Wrote {name}")


def _questions(options: dict[str, Any]) -> Questions:
    names = [field.name for field in fields(Questions)]
    return Questions(**{name: options[name] for name in names})


def _next(options: dict[str, Any]) -> Any:
    if not options["gold_set"]:
        return []
    found = next_to_label(gold_set=options["gold_set"], judge=options["judge"] or "")
    return jsonable(found[: max(0, options["next"])])
