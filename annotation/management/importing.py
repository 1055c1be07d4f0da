"""What the import commands share: whose file it is, and the preview."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError

from annotation.domain.readers.registry import READERS
from annotation.management.files import read_source
from annotation.management.values import key_value
from annotation.services.previewing import ImportPlan, Preview, preview

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from django.core.management.base import OutputWrapper

    from annotation.domain.readers.base import FileKind
    from annotation.services.intake import Intake


def add_reader_arguments(parser: ArgumentParser, kind: FileKind) -> None:
    """Declare the files, whose they are, and what they don't say themselves."""
    sources = [name for name, reader in READERS.items() if kind in reader.yields]
    parser.add_argument(
        "file", nargs="+", help=f"{kind} file, or - for standard input; several are one"
    )
    parser.add_argument(
        "--from",
        dest="reader",
        choices=sources,
        default="evenhand",
        help="whose file it is (docs/imports.md)",
    )
    parser.add_argument(
        "--answers",
        default="",
        metavar="A,B",
        help="systems of the first and the second answer, where the file does not say",
    )
    for name, metavar, text in (
        ("name", "THEIRS=OURS", "what the file calls a system"),
        ("field", "OURS=THEIRS", "where the file has a field"),
        ("value", "WORD=CHOICE", "what a word means: first, second, tie or abstain"),
    ):
        parser.add_argument(
            f"--{name}",
            type=key_value(metavar),
            action="append",
            default=[],
            metavar=metavar,
            help=text,
        )
    parser.add_argument(
        "--dry-run", action="store_true", help="show what would come of it; write none"
    )


def plan_of(options: dict[str, Any], kind: FileKind, **rest: Any) -> ImportPlan:
    """The plan that a command's options make."""
    return ImportPlan(
        kind=kind,
        gold_set=options["gold_set"],
        reader=options["reader"],
        answers=names_of(options["answers"]),
        names=tuple(options["name"]),
        fields=tuple(options["field"]),
        values=tuple(options["value"]),
        **rest,
    )


def names_of(text: str) -> tuple[str, ...]:
    """Names separated by commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def intake_for(options: dict[str, Any], plan: ImportPlan) -> Intake:
    """The files that a command names, to be read as the plan says."""
    return plan.intake([read_source(name) for name in files_of(options)])


def files_of(options: dict[str, Any]) -> list[str]:
    """The files named; a single one may come as it is from a call in code."""
    given = options["file"]
    return [given] if isinstance(given, str) else list(given)


def show_preview(options: dict[str, Any], plan: ImportPlan, out: OutputWrapper) -> None:
    """Print what the import would do; end with an error if it could not be done."""
    sources = [read_source(name) for name in files_of(options)]
    found = preview(plan=plan, sources=sources)
    out.write("\n".join(_lines(found)))
    if found.errors:
        raise CommandError(f"Nothing could be imported: {_errors(found)}.")


def _lines(found: Preview) -> list[str]:
    state = "new" if found.new_set else "exists"
    systems = ", ".join(found.systems)
    head = f"{found.kind} from {found.source} for {found.gold_set} ({state}): {systems}"
    lines = [
        head,
        f"{found.found} good rows, {found.fresh} of them to import",
        f"{found.duplicates} exact duplicates left out, {_errors(found)}",
        "",
        "Where each field comes from:",
        *(f"  {ours}: {theirs}" for ours, theirs in found.mapping),
    ]
    for place, row in enumerate(found.named_rows, start=1):
        lines += ["", f"Row {place}:"]
        lines += [f"  {name}: {cell!r}" for name, cell in row if cell]
    lines += ["", *map(str, found.errors)] if found.errors else []
    if found.omitted:
        lines.append(f"and {found.omitted} more")
    return [*lines, *found.notices, "", "Nothing was written."]


def _errors(found: Preview) -> str:
    count = found.error_count
    return "1 error" if count == 1 else f"{count} errors"
