"""Naming pairs in a list that a person writes: one pair a line."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST = 500  # an id of 200 characters and two systems of 120; longer names no pair


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

    A line is a case id, or a case id, a space and ``baseline|candidate``. Since ids and
    systems may hold spaces themselves, each space may be the one before the systems.
    """
    lines = [line.strip() for line in text.splitlines()]
    return tuple((line, _readings(line)) for line in lines if line)


def _readings(line: str) -> tuple[NamedPair, ...]:
    found = [NamedPair(line, None)]
    for place in range(len(line) - 1, 0, -1) if len(line) <= LONGEST else ():
        if line[place] != " ":
            continue
        systems = line[place + 1 :].split("|")
        if len(systems) == len(("baseline", "candidate")):
            found.append(NamedPair(line[:place].strip(), (systems[0], systems[1])))
    return tuple(found)
