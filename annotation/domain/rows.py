"""Rows of an imported file and what is wrong with them, each by line and field."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MOST_ERRORS = 200
MOST_ALIKE, WRITTEN_OUT = 6, 3
_LINES_A_FILE = 10**10

R = TypeVar("R")


class FileFormat(StrEnum):
    """The file formats that can be read."""

    JSONL = "jsonl"
    JSON = "json"
    CSV = "csv"
    PARQUET = "parquet"


class Line(int):
    """A line number that knows its file, where several are read together.

    As a number it sorts by file first; as text it is "3", or "3 of answers.jsonl" where
    ``named``.
    """

    shown: str
    filename: str

    def __new__(cls, number: int, place: int, filename: str, *, named: bool) -> Line:
        """Make the line ``number`` of the file at ``place`` in the list of files."""
        line = super().__new__(cls, place * _LINES_A_FILE + number)
        line.shown = f"{number} of {filename}" if named else str(number)
        line.filename = filename
        return line

    def __getnewargs_ex__(self) -> tuple[tuple[object, ...], dict[str, object]]:
        """How it is pickled; what it shows follows of itself."""
        return (int(self), 0, self.filename), {"named": False}

    def __str__(self) -> str:
        return self.shown

    def __format__(self, spec: str) -> str:
        return format(self.shown, spec)


@dataclass(frozen=True, slots=True)
class Row:
    """One row as JSON values, whatever the file's format; lines count from 1."""

    line: int
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class RowError:
    """Why a row cannot be imported. ``field`` is ``None`` when it is the whole row."""

    line: int
    field: str | None
    reason: str

    def __str__(self) -> str:
        where = f", {self.field}" if self.field else ""
        return f"line {self.line}{where}: {self.reason}"


@dataclass(frozen=True, slots=True)
class RowNotice:
    """Something worth knowing that does not stop the import."""

    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}"


@dataclass(frozen=True, slots=True)
class RowsResult:
    """A file's readable rows and its unreadable ones (``omitted``: past the cap)."""

    format: FileFormat | None
    rows: tuple[Row, ...]
    errors: tuple[RowError, ...]
    omitted: int = 0


@dataclass(frozen=True, slots=True)
class Parsed(Generic[R]):
    """Records of the good rows, and the errors of all others.

    Import is all or nothing: use ``records`` only when ``ok``. At most 200 errors are
    kept; ``omitted`` says how many more there were.
    """

    records: tuple[R, ...]
    errors: tuple[RowError, ...]
    notices: tuple[RowNotice, ...]
    omitted: int = 0

    @property
    def ok(self) -> bool:
        """Whether every row is good."""
        return not self.errors

    def messages(self) -> tuple[str, ...]:
        """Give the errors as lines of text, the last one counting those left out."""
        return error_lines(self.errors, self.omitted)


def error_lines(errors: Sequence[RowError], omitted: int) -> tuple[str, ...]:
    """Write errors out, one a line, and "and N more" where some were left out.

    Of many that say the same of the same field, the first three are written out, and
    the others counted in one line.
    """
    alike: defaultdict[tuple[str | None, str], list[RowError]] = defaultdict(list)
    distinct = tuple(dict.fromkeys(errors))
    for error in distinct:
        alike[error.field, error.reason].append(error)
    lines = {
        error: str(error)
        for those in alike.values()
        for error in (those if len(those) <= MOST_ALIKE else those[:WRITTEN_OUT])
    }
    for those in alike.values():
        if len(those) > MOST_ALIKE:
            first, last = those[WRITTEN_OUT], those[-1]
            same = replace(last, reason=f"the same, {len(those) - WRITTEN_OUT} times")
            lines[first] = f"line {first.line} to {same}"
    more = (f"and {omitted} more",) if omitted else ()
    return (*(lines[error] for error in distinct if error in lines), *more)


class Problems:
    """Collects the errors and notices of one file, up to a cap."""

    def __init__(
        self, errors: Iterable[RowError] = (), omitted: int = 0, most: int = MOST_ERRORS
    ) -> None:
        self._errors = list(errors)
        self._most = most
        self.omitted = omitted
        self.notices: list[RowNotice] = []
        self.extra: dict[str, int] = {}  # fields that nothing reads: rows that have it
        self.others = ""  # systems that a file is about, beside those compared

    @property
    def errors(self) -> tuple[RowError, ...]:
        """The errors kept, by line."""
        return tuple(sorted(self._errors, key=lambda error: error.line))

    def error(self, line: int, field: str | None, reason: str) -> None:
        """Add an error, or only count it when the cap is reached."""
        if len(self._errors) < self._most:
            self._errors.append(RowError(line, field, reason))
        else:
            self.omitted += 1

    def notice(self, line: int, text: str) -> None:
        """Add a notice."""
        self.notices.append(RowNotice(line, text))

    def keep(self, names: Iterable[str]) -> None:
        """Count fields of a row that are kept and not read."""
        for name in names:
            self.extra[name] = self.extra.get(name, 0) + 1

    def take(self, found: RowsResult) -> tuple[Row, ...]:
        """Take over what was wrong with a file's rows, and give the good ones."""
        for error in found.errors:
            self.error(error.line, error.field, error.reason)
        self.omitted += found.omitted
        return found.rows

    def parsed(self, records: Iterable[R]) -> Parsed[R]:
        """Close the file: its records with all problems found."""
        return Parsed(tuple(records), self.errors, tuple(self.notices), self.omitted)
