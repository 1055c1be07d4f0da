"""A thread that does chores beside the work on runs, which may take hours."""

from __future__ import annotations

from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING

from django.db import close_old_connections, connections

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judging.services.chores import Chores

LOOK_SECONDS = 1.0
END_SECONDS = 5.0  # a chore under way may end; whoever is killed loses nothing either


@contextmanager
def chores_beside(chores: Chores) -> Iterator[None]:
    """Do what is due in a thread of its own, until the block is left."""
    stop = Event()
    thread = Thread(target=_keep, args=(chores, stop), name="chores", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(END_SECONDS)


def _keep(chores: Chores, stop: Event) -> None:
    try:
        while not stop.is_set():
            close_old_connections()
            chores.do_due()
            stop.wait(LOOK_SECONDS)
    finally:
        connections.close_all()
