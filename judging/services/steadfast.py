"""Living through a short absence of the database."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, TypeVar

from django.db import InterfaceError, OperationalError, connections

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

logger = logging.getLogger(__name__)
T = TypeVar("T")
ABSENT = (OperationalError, InterfaceError)
# A restart of the server, or an SQLite file that another process holds for long.
PAUSES = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0, 8.0)


def steadfast(attempt: Callable[[bool], T], pauses: Sequence[float] = PAUSES) -> T:
    """Try one transaction until it succeeds or patience ends.

    ``attempt`` is told whether it was tried before: a commit may have succeeded though
    its confirmation was lost. Raises what the last try raised.
    """
    for number, pause in enumerate(pauses):
        try:
            return attempt(number > 0)
        except ABSENT as error:
            logger.warning("The database failed, trying again: %s", error)
            connections.close_all()
            time.sleep(pause)
    return attempt(bool(pauses))


def first_of(error: Exception) -> Exception:
    """The first fault of a group, which may hold groups."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error
