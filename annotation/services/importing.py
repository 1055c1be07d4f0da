"""Taking pairs from files: all or nothing, every bad row named.

A file is read and checked as a whole before anything is written. Of each case only an
id and digests stay in memory; the cases themselves wait on disk, so that the size of a
file does not matter, nor does what becomes of it meanwhile.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from functools import partial
from os import SEEK_END
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, TypeVar

from django.db import transaction

from annotation.domain.case_rows import iter_cases
from annotation.domain.readers.base import FileKind
from annotation.domain.rows import MOST_ERRORS, Problems, error_lines
from annotation.models import Case, Pair, Response
from annotation.services.case_writing import BATCH, CaseWriter
from annotation.services.gold_sets import (
    SetPlan,
    find_gold_set,
    set_for,
    systems_for,
)
from annotation.services.identity_flags import IDENTITY_LEAK
from annotation.services.import_checks import (
    CaseNote,
    check_against_set,
    note_of,
)
from annotation.services.import_repeats import notice_repeats
from annotation.services.intake import Intake, Source, intake_of
from annotation.services.told_names import names_told
from config.db.statistics import refresh_statistics
from config.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from annotation.domain.records import CaseRecord, Parsed
    from annotation.domain.rows import RowError, RowNotice
    from annotation.models import GoldSet
    from config.accounts.models import User

__all__ = [
    "BATCH",
    "CASES_AT_ONCE",
    "IDENTITY_LEAK",
    "ImportRefused",
    "Imported",
    "PairsFile",
    "Source",
    "accepted",
    "import_pairs",
    "notice_lines",
    "refuse_if_bad",
]

RecordT = TypeVar("RecordT")

# Texts of this many cases are in memory at a time while rows are written.
CASES_AT_ONCE = 500
# Cases that were checked wait in memory up to so many bytes, and beyond that on disk.
MOST_IN_MEMORY = 8 * 1024 * 1024


class ImportRefused(InvalidInput):
    """A file that was not imported; nothing of it was."""

    def __init__(self, errors: Sequence[RowError], omitted: int = 0) -> None:
        lines = error_lines(errors, omitted)
        count = len(errors) + omitted
        noun = "problem" if count == 1 else "problems"
        message = f"Nothing was imported: {count} {noun}.\n" + "\n".join(lines)
        super().__init__("import_refused", message, {"errors": list(lines)})
        self.errors = tuple(errors)


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import came to. ``flags`` counts the new pairs by flag."""

    added: int
    known: int
    pairs: int = 0
    flagged: int = 0
    flags: Mapping[str, int] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


def accepted(parsed: Parsed[RecordT]) -> tuple[RecordT, ...]:
    """Return the records of a file without errors; refuse it otherwise."""
    if parsed.errors:
        raise ImportRefused(parsed.errors, parsed.omitted)
    return parsed.records


def refuse_if_bad(problems: Problems) -> None:
    """Refuse the file if a row does not fit what is stored already."""
    if problems.errors:
        raise ImportRefused(problems.errors, problems.omitted)


def notice_lines(notices: Sequence[RowNotice]) -> tuple[str, ...]:
    """Write notices out, one a line, and "and N more" past the cap."""
    more = len(notices) - MOST_ERRORS
    shown = tuple(str(notice) for notice in notices[:MOST_ERRORS])
    return (*shown, f"and {more} more notices") if more > 0 else shown


class PairsFile:
    """The cases of one import, read again each time they are asked for.

    Where there is a file to ``keep`` them in, those that were noted come from there.
    """

    def __init__(
        self, intake: Intake, systems: Sequence[str], keep: IO[bytes] | None = None
    ) -> None:
        self.intake = intake
        self.systems = tuple(systems)
        self._keep = keep

    def cases(self, problems: Problems) -> Iterator[CaseRecord]:
        """Read the cases; what is wrong goes to ``problems``."""
        rows = self.intake.rows(FileKind.PAIRS, self.systems, problems)
        return iter_cases(rows, self.systems, problems)

    def notes(self, problems: Problems) -> list[CaseNote]:
        """Check the whole file, keeping of each case only what tells it apart."""
        return [
            self._noted(place, record)
            for place, record in enumerate(self.cases(problems))
        ]

    def _noted(self, place: int, record: CaseRecord) -> CaseNote:
        if self._keep is not None:
            pickle.dump(record, self._keep, pickle.HIGHEST_PROTOCOL)
        return note_of(place, record)

    def at(self, places: frozenset[int]) -> Iterator[tuple[int, CaseRecord]]:
        """The cases at these places of a file that was checked before."""
        if places:
            again = self.cases(Problems()) if self._keep is None else self._kept()
            yield from (found for found in enumerate(again) if found[0] in places)

    def _kept(self) -> Iterator[CaseRecord]:
        assert self._keep is not None  # noqa: S101 - the only caller has looked
        end = self._keep.seek(0, SEEK_END)
        self._keep.seek(0)
        while self._keep.tell() < end:
            yield pickle.load(self._keep)  # noqa: S301 - written here, seen by nobody


def import_pairs(
    *,
    plan: SetPlan,
    source: Source | Intake,
    by: User | None,
    now: datetime,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
    actor: str = "",
) -> Imported:
    """Import cases with all their systems' responses, and pair these up.

    Makes the gold set where it is new. A case that is there already with the same
    content is left alone; one with other content is refused. The file is checked before
    the transaction begins, so that nobody waits for that; ``on_progress`` gets how many
    of the new cases are written.
    """
    with SpooledTemporaryFile(MOST_IN_MEMORY) as keep:
        problems = Problems()
        file = PairsFile(intake_of(source), systems_for(plan), keep)
        notes = file.notes(problems)
        if problems.errors and (there := find_gold_set(plan.name)) is not None:
            # Refused in any case: let the refusal name what doesn't fit the set, too.
            check_against_set(notes, there, file.at, problems)
        refuse_if_bad(problems)
        wanted = partial(set_for, plan, by=by, now=now, actor=actor)
        return _store(wanted, file, notes, problems, on_progress)


@transaction.atomic
def _store(
    wanted: Callable[[], GoldSet],
    file: PairsFile,
    notes: Sequence[CaseNote],
    problems: Problems,
    on_progress: Callable[[int, int], None],
) -> Imported:
    gold_set = wanted()
    fresh = check_against_set(notes, gold_set, file.at, problems)
    notice_repeats(fresh, gold_set, problems)
    refuse_if_bad(problems)
    writer = CaseWriter(gold_set)
    _write(writer, file, fresh, on_progress)
    refresh_statistics(Case, Response, Pair, rows=len(fresh) + writer.pairs)
    return Imported(
        added=len(fresh),
        known=len(notes) - len(fresh),
        pairs=writer.pairs,
        flagged=writer.flagged,
        flags=writer.flags,
        notices=(*notice_lines(problems.notices), *names_told(gold_set)),
    )


def _write(
    writer: CaseWriter,
    file: PairsFile,
    fresh: Sequence[CaseNote],
    on_progress: Callable[[int, int], None],
) -> None:
    """Write the new cases."""
    noted = {note.place: note for note in fresh}
    batch: list[tuple[CaseRecord, CaseNote]] = []
    done, total = 0, len(fresh)
    on_progress(done, total)
    for place, record in file.at(frozenset(noted)):
        batch.append((record, noted[place]))
        if len(batch) == CASES_AT_ONCE:
            writer.write(batch)
            done, batch = done + len(batch), []
            on_progress(done, total)
    if batch:
        writer.write(batch)
        on_progress(done + len(batch), total)
