"""Say how many gold pairs a question needs, and which to label next."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from annotation.management.values import whole
from annotation.services.gold_sets import gold_set_named
from calibration.presenters.planning import plan_text
from calibration.services.planning import (
    Questions,
    answers,
    next_json,
    next_to_label,
)
from config.errors import DomainError

if TYPE_CHECKING:
    from argparse import ArgumentParser


NOTHING = (
    "Nothing is suggested, and no file written: no pair outside the held-out part "
    "lacks gold and is disputed, flips or is in a thin slice."
)
MOST_NEXT = 1_000_000


class Command(BaseCommand):
    """`plan_labels`, with any of its questions."""

    help = (
        "Plan labelling: pairs for a half-width, for a release gate, for a preference, "
        "for a difference of two judges, for a gap between dev and held-out; and which "
        "pairs of a gold set to label next."
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
        parser.add_argument(
            "--pairs-per-prompt", type=float, help="the set's own without it"
        )
        parser.add_argument(
            "--correlation", type=float, help="of one prompt's pairs; see --gold-set"
        )
        parser.add_argument("--decisive", type=int, help="decisive pairs at hand")
        parser.add_argument("--share", type=float, help="share of wins to be found")
        _add_differences(parser)
        parser.add_argument(
            "--gold-set", help="plan for this set, as its pairs cluster; suggest pairs"
        )
        parser.add_argument("--judge", help="whose flips and newest report count")
        parser.add_argument(
            "--next", type=whole(0, MOST_NEXT), default=20, help="how many (20)"
        )
        parser.add_argument(
            "--output", metavar="FILE", help="write them, for open_round --cases"
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Answer the questions asked."""
        asked, named = _questions(options), options["gold_set"]
        suggest = bool(named and options["next"])
        _refuse_idle(asked, options, suggest=suggest)
        try:
            gold_set = gold_set_named(named) if named else None
            judge = options["judge"] or ""
            plan = answers(asked, gold_set=gold_set, judge=judge)
            plan["next"] = []
            if gold_set is not None and suggest:
                found = next_to_label(gold_set=named, judge=judge)
                plan["next"] = next_json(gold_set, found[: options["next"]])
        except DomainError as error:
            raise CommandError(error.message) from error
        if suggest and not plan["next"]:
            self.stderr.write(NOTHING)
        elif options["output"]:
            self._write(options["output"], plan["next"])
        shown = json.dumps(plan, indent=1) if options["json"] else plan_text(plan)
        if shown.strip():
            self.stdout.write(shown)

    def _write(self, name: str, pairs: Any) -> None:
        lines = "".join(f"{one['name']}\n" for one in pairs)
        try:
            Path(name).write_text(lines, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"Cannot write {name}: {error.strerror}.") from error
        self.stderr.write(f"Wrote {name}")


def _add_differences(parser: ArgumentParser) -> None:
    """Declare what is asked of two judges, and of dev against held-out."""
    parser.add_argument(
        "--difference", type=float, help="of two judges' agreement, to be found"
    )
    parser.add_argument(
        "--discordant", type=float, help="share of pairs that one alone has right"
    )
    parser.add_argument(
        "--gap", type=float, help="of dev and held-out agreement, to be found"
    )
    parser.add_argument("--dev-rate", type=float, help="agreement expected on dev")
    parser.add_argument(
        "--held-out-share", type=float, default=0.5, help="of gold (0.5)"
    )


def _questions(options: dict[str, Any]) -> Questions:
    names = [field.name for field in fields(Questions)]
    return Questions(**{name: options[name] for name in names})


def _refuse_idle(asked: Questions, options: dict[str, Any], *, suggest: bool) -> None:
    """Refuse what would come to nothing, and a file that nothing would be in."""
    if options["output"] and not suggest:
        raise CommandError(
            "--output writes the pairs suggested: name a set with --gold-set, and "
            "leave --next above 0."
        )
    if not asked.any and not suggest:
        raise CommandError(
            "Ask something: --half-width, --limit with --true, --decisive, --share, "
            "--difference with --discordant, --gap with --dev-rate, or pairs of a "
            "--gold-set with --next above 0."
        )
