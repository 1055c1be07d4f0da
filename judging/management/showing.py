"""How far a run is: a bar on a terminal, and lines wherever they are kept."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from judging.services.tallies import Progress as Done

# What changed is told after so many seconds, and that nothing did after so many.
EVERY, AT_LEAST_EVERY = 30.0, 300.0


class Stream(Protocol):
    """Where lines are written, such as a command's standard error."""

    def write(self, msg: str) -> object:
        """Write one line."""

    def isatty(self) -> bool:
        """Whether somebody watches."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a run was as a command took it up; ``sealed`` hides what is invalid."""

    total: int
    before: int
    invalid: int
    sealed: bool

    def invalid_with(self, more: int) -> str:
        """How many are invalid, or that this may not be told."""
        return "sealed" if self.sealed else str(self.invalid + more)


@contextmanager
def shown(stream: Stream, standing: Standing) -> Iterator[Callable[[Done], None]]:
    """Show how far a run is, from what the function given is told."""
    if stream.isatty():
        with _bar(standing) as show:
            yield show
        return
    lines = Lines(stream.write, standing)
    clock = threading.Thread(target=lines.keep_telling, daemon=True)
    clock.start()
    try:
        yield lines.show
    finally:
        lines.ended.set()
        clock.join()


@dataclass
class Lines:
    """A line now and then, and at once when what a run waits for changes."""

    write: Callable[[str], object]
    standing: Standing
    every: float = EVERY
    at_least_every: float = AT_LEAST_EVERY
    ended: threading.Event = field(default_factory=threading.Event)
    _answered: int = 0
    _invalid: int = 0
    _trouble: str = ""
    _told: str = ""
    _told_at: float = field(default_factory=time.monotonic)
    _one: threading.Lock = field(default_factory=threading.Lock)

    def show(self, done: Done) -> None:
        """Take in how far it is."""
        changed = done.trouble != self._trouble
        self._answered, self._invalid = done.answered, done.invalid
        self._trouble = done.trouble
        if changed:
            self._tell()

    def keep_telling(self) -> None:
        """Tell until it has ended."""
        while not self.ended.wait(self.every):
            silent_for = time.monotonic() - self._told_at
            if self._line() != self._told or silent_for >= self.at_least_every:
                self._tell()

    def _line(self) -> str:
        done = self.standing.before + self._answered
        invalid = self.standing.invalid_with(self._invalid)
        waits = f"; {self._trouble}" if self._trouble else ""
        return f"{done} of {self.standing.total} calls done, invalid: {invalid}{waits}"

    def _tell(self) -> None:
        with self._one:
            self._told, self._told_at = self._line(), time.monotonic()
            self.write(self._told)


@contextmanager
def _bar(standing: Standing) -> Iterator[Callable[[Done], None]]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("invalid {task.fields[invalid]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[trouble]}"),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(
            "judging",
            total=standing.total,
            completed=standing.before,
            invalid=standing.invalid_with(0),
            trouble="",
        )

        def show(done: Done) -> None:
            bar.update(
                task,
                completed=standing.before + done.answered,
                invalid=standing.invalid_with(done.invalid),
                trouble=done.trouble,
            )

        yield show
