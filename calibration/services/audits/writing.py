"""Writing the zip of a bundle piece by piece, the same bytes for the same rows."""

from __future__ import annotations

import hashlib
import tempfile
import zipfile
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any

from calibration.domain.audit.chains import ChainWriter
from calibration.domain.audit.frames import DATE, PLAIN_FILE, UNIX
from calibration.domain.audit.layout import MANIFEST, Entry, Manifest, table_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

IN_MEMORY = 4 * 1024 * 1024  # a larger bundle goes to a temporary file
PIECE = 256 * 1024


@dataclass(slots=True)
class BundleWriter:
    """A bundle under way; nothing of it but its file list is in memory."""

    file: IO[bytes] = field(
        default_factory=lambda: tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - closed by who reads it
    )
    entries: list[Entry] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._zip = zipfile.ZipFile(self.file, "w", zipfile.ZIP_DEFLATED)

    _zip: zipfile.ZipFile = field(init=False)

    def table(self, table: str, rows: Iterable[dict[str, Any]]) -> None:
        """Write one table, its rows chained."""
        chain = ChainWriter(table)
        size, sha256 = self._write(table_file(table), chain.lines(rows))
        self.entries.append(
            Entry(table_file(table), size, sha256, chain.rows, chain.head)
        )

    def document(self, name: str, pieces: Iterable[bytes]) -> None:
        """Write a file that is no table."""
        self.entries.append(Entry(name, *self._write(name, pieces)))

    def close(self, manifest: Manifest) -> str:
        """Write the manifest and end the zip; give the manifest's digest."""
        _, digest = self._write(MANIFEST, [manifest.encoded()])
        self._zip.close()
        return digest

    def abandon(self) -> None:
        """Let go of a bundle that is not to be: first the zip, which writes its end."""
        with suppress(OSError, ValueError):
            self._zip.close()
        self.file.close()

    @property
    def rows(self) -> int:
        """Rows of all tables."""
        return sum(entry.rows or 0 for entry in self.entries)

    def _write(self, name: str, pieces: Iterable[bytes]) -> tuple[int, str]:
        info = zipfile.ZipInfo(name, DATE)
        info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, PLAIN_FILE
        info.create_system = UNIX
        digest, size = hashlib.sha256(), 0
        with self._zip.open(info, "w", force_zip64=True) as out:
            for piece in _gathered(pieces):
                digest.update(piece)
                size += len(piece)
                out.write(piece)
        return size, digest.hexdigest()


def _gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Join short pieces, which the zip would otherwise take one by one."""
    waiting: list[bytes] = []
    length = 0
    for piece in pieces:
        waiting.append(piece)
        length += len(piece)
        if length >= PIECE:
            yield b"".join(waiting)
            waiting, length = [], 0
    yield b"".join(waiting)


class Pieces:
    """A finished bundle, read once from its start; lets go of it in the end.

    An object, not a generator: whoever never begins to read can still close it.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        file.seek(0)

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        piece = b"" if self._file.closed else self._file.read(PIECE)
        if not piece:
            self.close()
            raise StopIteration
        return piece

    def close(self) -> None:
        """Let go of the file, read or not."""
        self._file.close()
