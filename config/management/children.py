"""Programs that are started together and go down together."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    Child = subprocess.Popen[bytes]

STOP_SECONDS = 7.0
# Also when the terminal is closed: gunicorn alone would only reload and stay.
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

# Where the system can (Linux), a program is told to end when we are killed outright.
TIED = """
import ctypes, os, sys
prctl = getattr(ctypes.CDLL(None), "prctl", None)
if prctl is not None:
    prctl(1, 15)  # PR_SET_PDEATHSIG, SIGTERM
if os.getppid() == int(sys.argv[1]):
    os.execv(sys.argv[2], sys.argv[2:])
"""


@contextmanager
def stopping() -> Iterator[threading.Event]:
    """Turn the signals that end us into an event; more of them change nothing."""
    stop = threading.Event()
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number in SIGNALS:
        signal.signal(number, lambda *_: stop.set())
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def running(
    programs: Sequence[list[str]], *, folder: Path, variables: Mapping[str, str]
) -> Iterator[list[Child]]:
    """Run programs in a folder, with variables more than ours; leave none behind."""
    children: list[Child] = []
    try:
        for program in programs:
            # In sessions of their own, so that Ctrl-C and a closing terminal reach them
            # through us alone.
            child = subprocess.Popen(  # noqa: S603 - our own programs
                [sys.executable, "-c", TIED, str(os.getpid()), *program],
                cwd=folder,
                env={**os.environ, **variables},
                start_new_session=True,
            )
            children.append(child)
        yield children
    finally:
        _stop(children)


def _stop(children: Sequence[Child]) -> None:
    for child in children:
        child.terminate()
    deadline = time.monotonic() + STOP_SECONDS
    for child in children:
        try:
            child.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def ended(children: Sequence[Child]) -> bool:
    """Whether any of them runs no longer."""
    return any(child.poll() is not None for child in children)
