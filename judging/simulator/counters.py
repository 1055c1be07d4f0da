"""What a simulated judge has done so far, as ``GET /stats`` gives it."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAMED = (
    "rules",
    "choices",
    "shapes",
    "faults",
    "refusals",
    "by_hash",
    "batch_steps",
)


@dataclass
class Counters:
    """Counts since the start or the last ``POST /stats/reset``.

    ``received`` counts every chat request; ``bought`` those that were answered or would
    have been (accepted, not refused and without a fault: what a provider would bill),
    counted on arrival, so that a client killed while waiting has bought its call.
    ``by_hash`` is the same by request hash (SHA-256 of the canonical body).
    ``batch_steps`` counts requests about files and batches by what they did.
    """

    received: int = 0
    bought: int = 0
    in_flight: int = 0
    most_in_flight: int = 0
    by_hash: Counter[str] = field(default_factory=Counter)
    attempts: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    choices: Counter[str] = field(default_factory=Counter)
    shapes: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    batch_steps: Counter[str] = field(default_factory=Counter)

    def enter(self) -> None:
        """Count a request that came in."""
        self.received += 1
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)

    def leave(self) -> None:
        """Count a request that was answered or given up."""
        self.in_flight -= 1

    @contextmanager
    def left_alone(self, *, hung: bool) -> Iterator[None]:
        """Do not count a hung request as in flight: its client may be gone unheard."""
        self.in_flight -= hung
        try:
            yield
        finally:
            self.in_flight += hung

    def attempt(self, request: str) -> int:
        """Count an attempt at a request and give its number, from 1."""
        self.attempts[request] += 1
        return self.attempts[request]

    def buy(self, request: str, rule: str, choice: str, shape: str) -> None:
        """Count a call that is paid for."""
        self.bought += 1
        self.by_hash[request] += 1
        self.rules[rule] += 1
        self.choices[choice] += 1
        self.shapes[shape] += 1

    def as_json(self) -> dict[str, object]:
        """Give all counts as plain JSON values."""
        named = {name: dict(getattr(self, name)) for name in _NAMED}
        return {
            "simulated": True,
            "received": self.received,
            "bought": self.bought,
            "distinct": len(self.by_hash),
            "in_flight": self.in_flight,
            "most_in_flight": self.most_in_flight,
            **named,
        }
