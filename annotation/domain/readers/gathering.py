"""Putting cases together from rows that each know a part of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from annotation.domain.digests import digest_of
from annotation.domain.rows import Row
from annotation.domain.values import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from annotation.domain.readers.base import ReadOptions
    from annotation.domain.rows import Problems

_ID_DIGITS = 16
_MOST_NAMED = 5


class Cases:
    """Cases by id, in the order they first came up; two rows must not disagree."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._values: dict[str, dict[str, object]] = {}
        self._lines: dict[str, int] = {}
        self._from: dict[tuple[str, str], int] = {}

    def put(self, case_id: str, line: int, field: str, value: object) -> None:
        """Say one thing about a case; nothing is said with ``None``."""
        if value is None:
            return
        case = self._case(case_id, line)
        if case.setdefault(field, value) != value:
            self._differs(case_id, line, field)
        self._from.setdefault((case_id, field), line)

    def respond(self, case_id: str, line: int, system: str, text: object) -> None:
        """Add a system's response to a case."""
        case = self._case(case_id, line)
        responses = case.setdefault("responses", {})
        field = f"responses.{system}"
        if isinstance(responses, dict) and responses.setdefault(system, text) != text:
            self._differs(case_id, line, field)
        self._from.setdefault((case_id, field), line)

    def _case(self, case_id: str, line: int) -> dict[str, object]:
        self._lines.setdefault(case_id, line)
        return self._values.setdefault(case_id, {})

    def _differs(self, case_id: str, line: int, field: str) -> None:
        first = self._from[case_id, field]
        reason = f"case {shown(case_id)} has another one on line {first}"
        self._problems.error(line, field, reason)

    def rows(self) -> Iterator[Row]:
        """The cases that have a response, as rows of a pairs file.

        Questions that nobody answered are not in the comparison.
        """
        for case_id, values in self._values.items():
            if "responses" in values:
                yield Row(self._lines[case_id], {"case_id": case_id, **values})


class Others:
    """Counts what is about systems that the gold set does not compare."""

    def __init__(self, options: ReadOptions) -> None:
        self._options = options
        self._seen: Counter[str] = Counter()
        self._line = 0

    def skip(self, line: int, *names: str) -> bool:
        """Whether to leave a row out, since it is about other systems."""
        foreign = [name for name in names if not self._options.compares(name)]
        if foreign:
            self._line = self._line or line
            self._seen.update(foreign)
        return bool(foreign)

    def report(self, problems: Problems) -> None:
        """Say what was left out, or that this was everything."""
        if self._seen:
            names = ", ".join(shown(n) for n, _ in self._seen.most_common(_MOST_NAMED))
            more = "" if len(self._seen) <= _MOST_NAMED else " and others"
            problems.others = f"{names}{more}"
            text = f"rows about other systems are left out, from here on: {names}{more}"
            problems.notice(self._line, text)


def made_id(prefix: str, value: object) -> str:
    """An id for what comes without one: the same content has the same id."""
    return f"{prefix}-{digest_of(value)[:_ID_DIGITS]}"


def or_error(
    rows: Iterable[Row], options: ReadOptions, problems: Problems
) -> Iterator[Row]:
    """Pass rows on; where there are none and no error says why, say so."""
    empty = True
    for row in rows:
        empty = False
        yield row
    if empty and not problems.errors:
        known = ", ".join(options.systems)
        reason = f"nothing in the file is about this set's systems ({known})"
        if problems.others:
            reason += f"; it is about {problems.others}"
        problems.error(1, None, reason)
