"""Files as the import commands take them."""

from __future__ import annotations

import sys
from pathlib import Path

from annotation.services.importing import Source
from config.errors import InvalidInput


def read_source(name: str) -> Source:
    """Read a file, or standard input for "-"; say in words why it can't be read."""
    if name == "-":
        return Source(sys.stdin.buffer.read(), "stdin")
    try:
        return Source(Path(name).read_bytes(), Path(name).name)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InvalidInput("file_unreadable", f"{name}: {reason}") from error
