"""What a database error means to whoever typed a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import InterfaceError, OperationalError, ProgrammingError

if TYPE_CHECKING:
    from django.db import DatabaseError

# Away, locked, or without our tables: no fault of the program. Broken constraints and
# the like are, and keep their traceback.
# What SQLite says of a file that can't be written; no migration helps then.
_UNWRITABLE = ("readonly database", "unable to open database file", "disk is full")
OUTSIDE = (OperationalError, ProgrammingError, InterfaceError)


def in_words(error: DatabaseError | InterfaceError) -> str:
    """Return one line for an error of the kinds in `OUTSIDE`."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return f"The database refused: {lines[0].rstrip('.')}. {_way_out(lines[0])}"


def _way_out(said: str) -> str:
    if any(word in said for word in _UNWRITABLE):
        return (
            "Its file and the folder that it is in must be writable for this user, and "
            "the disk must have room."
        )
    return (
        "If it is new or the program was updated, set it up with: "
        "python manage.py migrate"
    )
