"""Opening the zip of a bundle that nobody vouches for.

Refused outright: what is no zip, entries that would land elsewhere, names that occur
twice, encryption, odd compression, links, and sizes that no bundle has.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from calibration.domain.audit.findings import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator


MOST_BYTES = 32 * 1024**3
MOST_FILES = 100_000
LONGEST_NAME = 200
LONGEST_LINE = 64 * 1024**2
# JSON of a run may shrink to a fiftieth, never to a thousandth.
BOMB_RATIO, BOMB_FROM = 400, 1024**2
PIECE = 1024**2
_ENCRYPTED = 0x1
_LINK, _KIND = 0o120000, 0o170000
_KINDS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError)


class Damaged(ValueError):
    """The bytes of a file can't be unpacked."""


@dataclass(frozen=True, slots=True)
class Container:
    """An opened bundle; files are read piece by piece."""

    zip: zipfile.ZipFile
    entries: dict[str, zipfile.ZipInfo]

    def pieces(self, name: str) -> Iterator[bytes]:
        """Read a file; raises :class:`Damaged` where its bytes are not what was put in.

        Never gives more than the size that was checked when the bundle was opened.
        """
        left = self.entries[name].file_size
        try:
            with self.zip.open(self.entries[name]) as file:
                while piece := file.read(PIECE):
                    left -= len(piece)
                    if left < 0:
                        raise Damaged("it is longer than the zip says")
                    yield piece
        except _DAMAGED as error:
            raise Damaged(f"its bytes are damaged ({type(error).__name__})") from error
        if left:
            raise Damaged("it is shorter than the zip says")

    def whole(self, name: str) -> bytes:
        """Read a short file at once."""
        return b"".join(self.pieces(name))

    def lines(self, name: str) -> Iterator[bytes]:
        """Read a file line by line, each with its end; raises :class:`Damaged`."""
        rest = b""
        for piece in self.pieces(name):
            *lines, rest = (rest + piece).split(b"\n")
            yield from (line + b"\n" for line in lines)
            if len(rest) > LONGEST_LINE:
                raise Damaged(f"a line is longer than {LONGEST_LINE} bytes")
        if rest:
            yield rest


def opened(file: IO[bytes]) -> Container:
    """Open a bundle, or raise :class:`Unreadable` with one line that says why not."""
    try:
        found = zipfile.ZipFile(file)
    except (*_DAMAGED, ValueError, struct.error) as error:
        raise Unreadable("it is no zip file, or one that is cut off") from error
    infos = found.infolist()
    if len(infos) > MOST_FILES:
        raise Unreadable(f"it holds more than {MOST_FILES} files")
    entries: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        _refuse(info)
        if info.filename in entries:
            raise Unreadable(f"it holds {_shown(info.filename)} twice")
        entries[info.filename] = info
    if sum(info.file_size for info in infos) > MOST_BYTES:
        raise Unreadable(f"unpacked it is larger than {MOST_BYTES} bytes")
    return Container(found, entries)


def _refuse(info: zipfile.ZipInfo) -> None:
    name = info.filename
    parts = name.split("/")
    odd = any(not part or part in {".", ".."} for part in parts)
    if odd or len(name) > LONGEST_NAME or any(c in name for c in "\\:\x00"):
        raise Unreadable(f"it holds a file that would land elsewhere: {_shown(name)}")
    if not name.isascii() or not name.isprintable():
        raise Unreadable(f"it holds a file with an odd name: {_shown(name)}")
    if name != getattr(info, "orig_filename", name):
        raise Unreadable(f"it holds a file with two names: {_shown(name)}")
    if info.flag_bits & _ENCRYPTED:
        raise Unreadable(f"{_shown(name)} is encrypted")
    if (info.external_attr >> 16) & _KIND == _LINK:
        raise Unreadable(f"{_shown(name)} is a link")
    if info.compress_type not in _KINDS:
        raise Unreadable(f"{_shown(name)} is compressed in a way that is not read")
    shrunk = info.file_size > BOMB_RATIO * max(info.compress_size, 1)
    if info.file_size > BOMB_FROM and shrunk:
        raise Unreadable(f"{_shown(name)} would unpack to {info.file_size} bytes")


def _shown(name: str) -> str:
    return ascii(name[:80])
