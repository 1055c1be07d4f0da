"""What a database error means to whoever typed a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import InterfaceError, OperationalError, ProgrammingError

if TYPE_CHECKING:
    from django.db import DatabaseError

# Away, locked, or without our tables: no fault of the program. Broken constraints and
# the like are, and keep their traceback.
OUTSIDE = (OperationalError, ProgrammingError, InterfaceError)


def in_words(error: DatabaseError | InterfaceError) -> str:
    """Return one line for an error of the kinds in `OUTSIDE`."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return (
        f"The database refused: {lines[0].rstrip('.')}. If it is new or the program "
        "was updated, set it up with: python manage.py migrate"
    )
