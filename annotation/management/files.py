"""Files as the import commands take them, and refusals as they show them."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from django.core.management.base import CommandError

from annotation.services.intake import Source
from config.db.refusals import OUTSIDE, in_words
from config.errors import DomainError, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator


def read_source(name: str) -> Source:
    """Read a file, or standard input for "-"; say in words why it can't be read."""
    if name == "-":
        return Source(sys.stdin.buffer.read(), "stdin")
    path = Path(name)
    try:
        if path.is_file():
            with path.open("rb"):  # whether it may be read
                return Source(path, path.name)
        # A pipe gives its bytes once, and import reads twice.
        return Source(path.read_bytes(), path.name)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InvalidInput("file_unreadable", f"{name}: {reason}") from error


@contextmanager
def refusals_in_words() -> Iterator[None]:
    """Let a command end with a message and a non-zero code instead of a traceback."""
    try:
        yield
    except DomainError as error:
        raise CommandError(error.message) from error
    except OUTSIDE as error:
        raise CommandError(in_words(error)) from error
