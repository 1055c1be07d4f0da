"""Ending in good order when a supervisor asks for it."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def stop_on_sigterm() -> Iterator[None]:
    """Treat SIGTERM as Ctrl-C, which asyncio turns into a cancellation.

    So a runner stores what has come and gives its claims back before it ends. Outside
    the main thread, where no handler can be set, nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(
        signal.SIGTERM, lambda _signal, _frame: signal.raise_signal(signal.SIGINT)
    )
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
