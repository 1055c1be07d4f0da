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

    A job that a script put in the background starts with Ctrl-C ignored, and asyncio
    would leave it so: then SIGTERM too would go unheard. So Ctrl-C is heard meanwhile.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {
        signal.SIGINT: signal.getsignal(signal.SIGINT),
        signal.SIGTERM: signal.signal(
            signal.SIGTERM, lambda _signal, _frame: signal.raise_signal(signal.SIGINT)
        ),
    }
    if before[signal.SIGINT] is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler is not None:  # None: not ours to put back
                signal.signal(number, handler)
