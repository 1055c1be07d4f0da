"""Files that commands write: whole, and without putting a file where a device was."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.core.management.base import OutputWrapper

STDOUT = "-"  # for a file's name: standard output, as other programs have it


def write_whole(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file that appears only once it is complete.

    A link is followed, not replaced. A device or a pipe takes the bytes as they come:
    to rename a file to its name would put a file in its place.
    """
    if _is_stream(path):
        with path.open("wb") as file:
            file.writelines(pieces)
        return
    target = Path(os.path.realpath(path))
    partial = target.with_name(f"{target.name}.part")
    with partial.open("wb") as file:
        file.writelines(pieces)
    partial.replace(target)


def print_bytes(out: OutputWrapper, pieces: Iterable[bytes]) -> None:
    """Print bytes as they are; where a test or a caller takes text, as text."""
    buffer = getattr(getattr(out, "_out", None), "buffer", None)
    for piece in pieces:
        if buffer is not None:
            buffer.write(piece)
        else:
            out.write(piece.decode(), ending="")


def clear(path: Path) -> None:
    """Take away the regular file that is there, or that a link leads to."""
    if not _is_stream(path):
        Path(os.path.realpath(path)).unlink(missing_ok=True)


def _is_stream(path: Path) -> bool:
    """A device or a pipe, or /dev/stdout and the like whatever they lead to."""
    if path.is_absolute() and path.parts[1:2] in (("dev",), ("proc",)):
        return True
    return path.exists() and not path.is_file() and not path.is_dir()
