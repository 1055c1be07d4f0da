"""Import cases and the systems' responses from a pairs file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand
from django.utils import timezone
from rich.console import Console
from rich.progress import Progress

from annotation.domain.readers.base import FileKind
from annotation.management.actors import account
from annotation.management.files import refusals_in_words
from annotation.management.importing import (
    add_reader_arguments,
    intake_for,
    names_of,
    plan_of,
    show_preview,
)
from annotation.management.values import whole
from annotation.services.gold_sets import MOST_LABELS
from annotation.services.importing import import_pairs

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from annotation.services.previewing import ImportPlan


class Command(BaseCommand):
    """`import_pairs FILE... --gold-set NAME --systems a,b`."""

    help = (
        "Import cases and pair up their responses (JSONL, JSON, CSV, Parquet or "
        "another tool's export). Makes the gold set where it is new. All or nothing; "
        "importing the same again changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare file, set and systems."""
        add_reader_arguments(parser, FileKind.PAIRS)
        parser.add_argument("--gold-set", required=True)
        parser.add_argument(
            "--systems",
            default="",
            help="names in order, separated by commas; of a pair, the earlier one is "
            "the baseline (needed for a new set)",
        )
        parser.add_argument(
            "--families",
            default="",
            help="families of the systems' models, as SYSTEM=FAMILY separated by "
            "commas; models of a judge whose names begin so are of the same",
        )
        parser.add_argument("--title", default="", help="shown to reviewers")
        parser.add_argument("--question", default="", help="the product question")
        parser.add_argument("--labels-per-pair", type=whole(1, MOST_LABELS), default=3)
        parser.add_argument(
            "--primary-slice", default="", help="slice that slots are balanced over"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, import, and say what came of it."""
        plan = plan_of(
            options,
            FileKind.PAIRS,
            systems=_systems(options["systems"]),
            families=names_of(options["families"]),
            title=options["title"],
            question=options["question"],
            labels_per_pair=options["labels_per_pair"],
            primary_slice=options["primary_slice"],
        )
        with refusals_in_words():
            if options["dry_run"]:
                show_preview(options, plan, self.stdout)
                return
            self._import(options, plan)

    def _import(self, options: dict[str, Any], plan: ImportPlan) -> None:
        with _bar() as bar:
            task = bar.add_task("importing", total=None)
            done = import_pairs(
                plan=plan.set_plan(),
                source=intake_for(options, plan),
                by=None,
                actor=account(),
                now=timezone.now(),
                on_progress=lambda n, total: bar.update(task, completed=n, total=total),
            )
        for notice in done.notices:
            self.stderr.write(notice)
        flags = ", ".join(f"{n} {flag}" for flag, n in sorted(done.flags.items()))
        self.stdout.write(
            f"{plan.gold_set}: {done.added} case{'' if done.added == 1 else 's'} "
            f"added, {done.known} known already, "
            f"{done.pairs} pair{'' if done.pairs == 1 else 's'} made, "
            f"{done.flagged} of them flagged" + (f" ({flags})." if flags else ".")
        )


def _systems(text: str) -> tuple[str, ...]:
    """All names, empty ones too, which are refused."""
    return tuple(name.strip() for name in text.split(",")) if text else ()


def _bar() -> Progress:
    """A bar for people who watch; nothing in a log or a pipe."""
    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)
