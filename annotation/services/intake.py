"""What an import reads: one file or several, in our format or another tool's."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from annotation.domain.files import read_rows
from annotation.domain.outcomes import SlotChoice
from annotation.domain.readers.base import FileKind, Reader, ReadOptions
from annotation.domain.readers.registry import OWN, READERS
from annotation.domain.row_streams import iter_rows
from annotation.domain.rows import Line, Problems, Row, RowError
from config.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BLOCK = 1024 * 1024


class Source:
    """A file and its name, which tells the format; its bytes, or where they are."""

    __slots__ = ("_content", "filename")

    def __init__(self, content: bytes | Path, filename: str) -> None:
        self._content = content
        self.filename = filename

    @property
    def data(self) -> bytes:
        """All of it."""
        if isinstance(self._content, Path):
            return self._content.read_bytes()
        return self._content

    def open(self) -> BinaryIO:
        """Open it for reading from the start."""
        if isinstance(self._content, Path):
            return self._content.open("rb")
        return io.BytesIO(self._content)

    def update(self, digest: hashlib._Hash) -> None:
        """Feed its bytes to a digest."""
        with self.open() as file:
            while block := file.read(_BLOCK):
                digest.update(block)


@dataclass(frozen=True, slots=True)
class Intake:
    """Files, whose they are, and what has to be known to read them."""

    sources: tuple[Source, ...]
    reader: Reader = OWN
    options: ReadOptions = field(default_factory=ReadOptions)

    def rows(
        self, kind: FileKind, systems: Sequence[str], problems: Problems
    ) -> Iterator[Row]:
        """Give the rows of one kind, in our format; may be called again.

        Files in our own format are read row by row. Other tools' rows have to be put
        together first, so all of them are in memory.
        """
        if kind not in self.reader.yields:
            raise InvalidInput(
                "source_lacks_kind",
                f"{self.reader.title} gives {_listed(self.reader)}, no {kind}.",
            )
        if self.reader is OWN:
            return self._own_rows(problems)
        options = replace(self.options, systems=tuple(systems))
        if options.answers and not options.compares(*options.answers):
            raise InvalidInput(
                "answers_unknown",
                f"answers: must be two of the set's systems, {', '.join(systems)}.",
            )
        rows = list(self._foreign_rows(problems))
        return iter(self.reader.read(kind, rows, options, problems))

    def named_digests(self) -> list[dict[str, str]]:
        """Name and SHA-256 of each file, in the order in which they are read."""
        found = []
        for source in self.sources:
            digest = hashlib.sha256()
            source.update(digest)
            name = source.filename.rsplit("/", 1)[-1]
            found.append({"name": name, "sha256": digest.hexdigest()})
        return found

    def digest(self) -> str:
        """SHA-256 of the files, one after the other; of one file, its own."""
        digest = hashlib.sha256()
        for source in self.sources:
            source.update(digest)
        return digest.hexdigest()

    def _own_rows(self, problems: Problems) -> Iterator[Row]:
        if len(self.sources) == 1:
            (source,) = self.sources
            with source.open() as file:
                yield from iter_rows(file, source.filename, problems)
            return
        for place, source in enumerate(self.sources):
            mine = Problems()
            with source.open() as file:
                for row in iter_rows(file, source.filename, mine):
                    yield Row(self._line(row.line, place), row.values)
            self._pass_on(mine, place, problems)

    def _foreign_rows(self, problems: Problems) -> Iterator[Row]:
        for place, source in enumerate(self.sources):
            found = read_rows(source.data, source.filename, one_object=True)
            mine = Problems(found.errors, found.omitted)
            for row in found.rows:
                yield Row(self._line(row.line, place), row.values)
            self._pass_on(mine, place, problems)

    def _line(self, number: int, place: int) -> Line:
        name = self.sources[place].filename
        return Line(number, place, name, named=len(self.sources) > 1)

    def _pass_on(self, mine: Problems, place: int, problems: Problems) -> None:
        for error in mine.errors:
            problems.error(self._line(error.line, place), error.field, error.reason)
        problems.omitted += mine.omitted


def _listed(reader: Reader) -> str:
    return " and ".join(kind.value for kind in reader.yields)


def intake_of(given: Source | Intake) -> Intake:
    """A single file in our own format is the plain case."""
    return given if isinstance(given, Intake) else Intake((given,))


def reader_named(name: str) -> Reader:
    """Return a reader, or say which there are."""
    found = READERS.get(name)
    if found is None:
        known = ", ".join(READERS)
        raise InvalidInput("reader_unknown", f"source: {name!r} is none of {known}.")
    return found


def read_options(
    *,
    answers: Sequence[str] = (),
    names: Sequence[str] = (),
    fields: Sequence[str] = (),
    values: Sequence[str] = (),
) -> ReadOptions:
    """Read options as people type them: ``KEY=VALUE`` each, answers as two names."""
    said = _assignments("value", values)
    for word, choice in said.items():
        if choice not in {c.value for c in SlotChoice}:
            known = ", ".join(c.value for c in SlotChoice)
            raise _bad("value", f"{word}={choice}: must be {known}")
    if len(answers) not in (0, 2):
        raise _bad("answers", "name the systems of the first and the second answer")
    return ReadOptions(
        answers=tuple(answers),
        names=_assignments("name", names),
        fields=_assignments("field", fields),
        values=said,
    )


def _assignments(what: str, given: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in given:
        key, equals, value = (part.strip() for part in entry.partition("="))
        if not (key and equals and value):
            raise _bad(what, f"{entry!r} must be KEY=VALUE")
        if key in found:
            raise _bad(what, f"{key!r} is given twice")
        found[key] = value
    return found


def _bad(what: str, reason: str) -> InvalidInput:
    return InvalidInput("read_option_invalid", f"{what}: {reason}.")


def no_rows_error() -> RowError:
    """What a file without a single row amounts to."""
    return RowError(1, None, "the file has no rows")
