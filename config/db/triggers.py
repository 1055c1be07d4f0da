"""The description of a trigger, the same for both databases."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, order=True)
class Trigger:
    """A trigger by table, name and definition as the database keeps it.

    Two are equal when these agree; `create` is the statement that makes it and is
    known only for wanted ones.
    """

    table: str
    name: str
    definition: str
    create: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.table}: {self.name}" if self.table else self.name
