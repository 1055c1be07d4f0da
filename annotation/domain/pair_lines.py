"""Naming pairs in a list that a person writes: one pair a line."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NamedPair:
    """A pair by its case's id and, where a case has several, its two systems."""

    case_id: str
    systems: tuple[str, str] | None

    def __str__(self) -> str:
        return (
            f"{self.case_id} {'|'.join(self.systems)}" if self.systems else self.case_id
        )


def pair_lines(text: str) -> tuple[tuple[str, tuple[NamedPair, ...]], ...]:
    """Each line that is not blank, with the ways to read it, the likeliest first.

    A line is a case id, or a case id, a space and ``baseline|candidate``. Since an id
    may hold spaces and bars itself, a line of the second form has two readings.
    """
    lines = [line.strip() for line in text.splitlines()]
    return tuple((line, _readings(line)) for line in lines if line)


def _readings(line: str) -> tuple[NamedPair, ...]:
    whole = NamedPair(line, None)
    case_id, _, tail = line.rpartition(" ")
    systems = tail.split("|")
    if not case_id.strip() or len(systems) != len(("baseline", "candidate")):
        return (whole,)
    return whole, NamedPair(case_id.strip(), (systems[0], systems[1]))
