"""Print what lies between two gold versions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from annotation.domain.gold_changes import ChangeKind
from annotation.management.actors import account
from annotation.management.files import refusals_in_words
from annotation.services.gold_diff import GoldDiff, gold_diff
from annotation.services.gold_diff_json import diff_json
from annotation.services.gold_sets import gold_set_named
from annotation.services.held_out import Viewer

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator

    from annotation.domain.gold_changes import GoldRow
    from annotation.services.gold_diff import Explained


class Command(BaseCommand):
    """`gold_diff NAME OLD NEW`."""

    help = (
        "Print what moved between two gold versions of a set: from what to what, by "
        "whom, and why. Held-out pairs are only counted unless asked for."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare set and versions."""
        parser.add_argument("gold_set")
        parser.add_argument("old", type=int, help="number of a version")
        parser.add_argument("new", type=int, help="number of another one")
        parser.add_argument(
            "--held-out",
            action="store_true",
            help="show held-out pairs too: a look, which locks the splits of the set",
        )
        parser.add_argument("--reason", default="", help="why you look (logged)")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Compare and print."""
        with refusals_in_words():
            found = gold_diff(
                gold_set=gold_set_named(options["gold_set"]),
                numbers=(options["old"], options["new"]),
                by=None,
                now=timezone.now(),
                held_out=_viewer(options) if options["held_out"] else None,
            )
        if options["json"]:
            text = json.dumps(diff_json(found), ensure_ascii=False, indent=2)
            self.stdout.write(text)
            return
        for line in _lines(found):
            self.stdout.write(line)


def _viewer(options: dict[str, Any]) -> Viewer:
    return Viewer(user=None, door="command", actor=account(), reason=options["reason"])


def _lines(found: GoldDiff) -> Iterator[str]:
    counts = [f"{found.changes.count(kind)} {kind}" for kind in ChangeKind]
    named = ", ".join(text for text in counts if not text.startswith("0 "))
    yield f"{found.before} to {found.after}: {named or 'nothing shown differs'}"
    yield (
        f"{found.changes.unchanged} pairs are the same; {found.withheld} held-out "
        "pairs differ and are not shown"
    )
    for one in found.shown:
        yield from _pair_lines(one)


def _pair_lines(one: Explained) -> Iterator[str]:
    row, sides = one.change.row, (one.change.before, one.change.after)
    before, after = map(_side, sides)
    yield f"{row.case} {'|'.join(row.systems)}: {one.change.kind}: {before} -> {after}"
    for ruling in one.rulings:
        when = f"{ruling.at:%Y-%m-%d %H:%M}"
        late = ", after judge results" if ruling.after_judge else ""
        yield f"    {when} {ruling.by} ruled {ruling.outcome} ({ruling.category}{late})"
        yield f"        {' '.join(ruling.note.split())}"
        if ruling.correction:
            yield f"        asked for as {ruling.correction}: {ruling.correction_note}"
    for label in one.labels:
        when = f"{label.at:%Y-%m-%d %H:%M}"
        yield f"    {when} {label.by}: {label.outcome}, revision {label.revision}"


def _side(row: GoldRow | None) -> str:
    if row is None:
        return "not there"
    ground = row.source if row.outcome else row.open_reason
    return f"{row.outcome or 'open'} ({ground}, {row.split or 'no split'})"
