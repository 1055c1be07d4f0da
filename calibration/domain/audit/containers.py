"""Opening the zip of a bundle that nobody vouches for.

Refused outright: what is no zip, entries that would land elsewhere, names that occur
twice, encryption, odd compression, links, and sizes that no bundle has. Every byte is
accounted for: what stands before a file's bytes must say what the list at the end of
the zip says, and nothing may stand between, before or behind the files.
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

    from calibration.domain.audit.findings import Findings

MOST_BYTES = 32 * 1024**3
MOST_FILES = 100_000
LONGEST_NAME = 200
LONGEST_LINE = 64 * 1024**2
# JSON of a run may shrink to a fiftieth, never to a thousandth.
BOMB_RATIO, BOMB_FROM = 400, 1024**2
PIECE = 1024**2
LOCAL = struct.Struct("<4s5H3I2H")
LONG_SIZES = struct.Struct("<HHQQ")
NOT_HERE = 0xFFFFFFFF
LONG = 0x7FFFFFFF
# How the entries of a bundle are written: when it was made does not change its bytes.
DATE = (1980, 1, 1, 0, 0, 0)
UNIX = 3
PLAIN_FILE = 0o100644 << 16
VERSIONS = (45, 45, 0, 0)
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


def check_frame(
    file: IO[bytes], container: Container, name: str, findings: Findings
) -> None:
    """Name what stands in the zip beside the bytes of its files, or contradicts them.

    ``name`` is that of the bundle, for what belongs to no file.
    """
    if container.zip.comment:
        findings.add(name, None, "the zip has a comment")
    at = 0
    for info in sorted(container.entries.values(), key=lambda each: each.header_offset):
        if info.header_offset != at:
            findings.add(info.filename, None, "there are bytes before it in the zip")
        at = _after(file, info, findings)
    if at != container.zip.start_dir:
        findings.add(name, None, "there are bytes behind the files in the zip")
    _check_alike(container, findings)


def _check_alike(container: Container, findings: Findings) -> None:
    """Name the entries that alone are not as bundles are written.

    A bundle that was packed again by other means has none that is.
    """
    own = {name: _is_ours(info) for name, info in container.entries.items()}
    if any(own.values()):
        for name in (name for name, ours in own.items() if not ours):
            findings.add(name, None, "its entry in the zip was changed")


def _is_ours(info: zipfile.ZipInfo) -> bool:
    said = (info.date_time, info.create_system, info.external_attr, info.internal_attr)
    versions = (info.create_version, info.extract_version, info.reserved, info.volume)
    return (
        said == (DATE, UNIX, PLAIN_FILE, 0)
        and versions == VERSIONS
        and not info.comment
        and (not info.extra or _is_long(info))
    )


def _is_long(info: zipfile.ZipInfo) -> bool:
    """Whether the list at the end needs an extra field for one of these."""
    return max(info.file_size, info.compress_size, info.header_offset) > LONG


def _after(file: IO[bytes], info: zipfile.ZipInfo, findings: Findings) -> int:
    """Compare a file's own header with the list of files; give where its bytes end."""
    file.seek(info.header_offset)
    head = file.read(LOCAL.size)
    if len(head) < LOCAL.size:
        findings.add(info.filename, None, "its header in the zip is cut off")
        return info.header_offset
    fields = LOCAL.unpack(head)
    magic, version, flags, kind, time, date, crc, packed, size, *lengths = fields
    end: int = info.header_offset + LOCAL.size + sum(lengths)
    extra = file.read(sum(lengths))[lengths[0] :]
    dated = (date >> 9) + 1980, (date >> 5) & 15, date & 31
    timed = time >> 11, (time >> 5) & 63, (time & 31) * 2
    same = (
        magic == b"PK\x03\x04"
        and version == info.extract_version
        and flags == info.flag_bits
        and kind == info.compress_type
        and (*dated, *timed) == info.date_time
        and crc == info.CRC
        and _sizes_agree(info, extra, packed, size)
    )
    if not same:
        findings.add(info.filename, None, "its header in the zip says something else")
    end += info.compress_size
    return end


def _sizes_agree(info: zipfile.ZipInfo, extra: bytes, packed: int, size: int) -> bool:
    """Whether a file's own header has its sizes: there, or in a 64-bit extra field."""
    sizes = info.file_size, info.compress_size
    long_form = extra == LONG_SIZES.pack(1, 16, *sizes)
    return (long_form and packed == size == NOT_HERE) or (
        not extra and (size, packed) == sizes
    )
