"""Accounting for every byte of a bundle's zip that is not a file's own.

What stands before a file's bytes must say what the list at the end says, packed bytes
must end where they say, and nothing may stand between, before or behind the files.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from calibration.domain.audit.containers import Container
    from calibration.domain.audit.findings import Findings

LOCAL = struct.Struct("<4s5H3I2H")
LISTED, LENGTHS_AT = 46, 28
END = struct.Struct("<4s4H2LH")
LONG_END = 56 + 20  # the record and its locator, in zips of more than 4 GiB
LONG_SIZES = struct.Struct("<HHQQ")
NOT_HERE = 0xFFFFFFFF
LONG = 0x7FFFFFFF
PIECE = 1024**2
# How the entries of a bundle are written: when it was made does not change its bytes.
DATE = (1980, 1, 1, 0, 0, 0)
UNIX = 3
PLAIN_FILE = 0o100644 << 16
VERSIONS = (45, 45, 0, 0)


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
    _check_list(file, container, name, findings)
    _check_alike(container, findings)


def _check_list(
    file: IO[bytes], container: Container, name: str, findings: Findings
) -> None:
    """Walk the list of files to the very end of the zip."""
    file.seek(container.zip.start_dir)
    tail, at = file.read(), 0
    for info in container.zip.infolist():
        names = info.orig_filename.encode()
        lengths = struct.unpack("<3H", tail[at + LENGTHS_AT :][:6].ljust(6, b"\0"))
        listed = tail[at + LISTED : at + LISTED + lengths[0]]
        if listed != names or tail[at : at + 4] != b"PK\x01\x02":
            findings.add(info.filename, None, "its entry in the zip was changed")
            return
        at += LISTED + sum(lengths)
    size = at
    if tail[at : at + 4] == b"PK\x06\x06":
        at += LONG_END
    count = len(container.entries)
    rest = tail[at:]
    plain = END.pack(
        b"PK\x05\x06", 0, 0, count, count, size, container.zip.start_dir & NOT_HERE, 0
    )
    if rest != plain and size == at:
        findings.add(name, None, "the end of the zip was changed")


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
    file.seek(end)
    if not _ends_there(file, info):
        findings.add(info.filename, None, "its packed bytes do not end where they say")
    end += info.compress_size
    return end


def _ends_there(file: IO[bytes], info: zipfile.ZipInfo) -> bool:
    """Whether the packed bytes end by themselves, with nothing behind them."""
    if info.compress_type != zipfile.ZIP_DEFLATED:
        return info.compress_size == info.file_size
    unpack, left = zlib.decompressobj(-zlib.MAX_WBITS), info.compress_size
    try:
        while left and (piece := file.read(min(PIECE, left))):
            left -= len(piece)
            while piece:
                unpack.decompress(piece, PIECE)
                piece = unpack.unconsumed_tail
    except zlib.error:
        return False
    return unpack.eof and not unpack.unused_data


def _sizes_agree(info: zipfile.ZipInfo, extra: bytes, packed: int, size: int) -> bool:
    """Whether a file's own header has its sizes: there, or in a 64-bit extra field."""
    sizes = info.file_size, info.compress_size
    long_form = extra == LONG_SIZES.pack(1, 16, *sizes)
    return (long_form and packed == size == NOT_HERE) or (
        not extra and (size, packed) == sizes
    )
