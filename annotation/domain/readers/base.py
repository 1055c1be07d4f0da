"""What a reader is: a pure function from another tool's rows to rows of our files."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from annotation.domain.rows import Problems, Row

    Mapped = tuple[tuple[str, str], ...]
    Read = Callable[["FileKind", Sequence[Row], "ReadOptions", Problems], Iterable[Row]]


class FileKind(StrEnum):
    """The three files of DESIGN section 7 that rows can be turned into."""

    PAIRS = "pairs"
    LABELS = "labels"
    VERDICTS = "verdicts"


class Wanted(StrEnum):
    """What a person may have to say because a tool's file doesn't."""

    ANSWERS = "answers"
    FIELDS = "fields"
    VALUES = "values"
    NAMES = "names"


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What is known beside the file.

    ``systems`` are the gold set's, in order. ``answers`` are the systems of the
    source's first and second answer, where its rows don't name them. ``names`` maps the
    source's name of a system to ours, ``fields`` our field to the source's, ``values``
    the source's word for a choice to ``first``, ``second``, ``tie`` or ``abstain``.
    """

    systems: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)

    def system(self, name: str) -> str:
        """Our name of a system."""
        return self.names.get(name, name)

    def compares(self, *names: str) -> bool:
        """Whether all of these are systems of the gold set."""
        return all(name in self.systems for name in names)


@dataclass(frozen=True, slots=True)
class Reader:
    """One source: what it is called, what it yields, and where each field comes from.

    ``mapping`` has, for each kind of file that it yields, pairs of our field and what
    it is taken from. ``wants`` names the options that it may need.
    """

    name: str
    title: str
    takes: str
    mapping: Mapping[FileKind, Mapped]
    read: Read
    wants: frozenset[Wanted] = frozenset()

    @property
    def yields(self) -> tuple[FileKind, ...]:
        """The kinds of file that come out of it."""
        return tuple(self.mapping)
