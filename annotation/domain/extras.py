"""Fields of a file that nothing reads: kept, and told, as one may be misspelt."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from annotation.domain.readers.base import FileKind
from annotation.domain.values import shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

READ = {
    FileKind.PAIRS: (
        "case_id", "prompt", "responses", "context", "reference", "slices", "critical",
        "group", "split", "designed", "response_meta", "baseline", "candidate",
    ),
    FileKind.LABELS: (
        "case_id", "reviewer", "outcome", "systems", "strength", "note", "retest",
    ),
    FileKind.VERDICTS: ("case_id", "systems", "order", "repeat", "raw", "choice"),
}  # fmt: skip
CLOSE = 0.7
MOST_NAMED = 30


def kept_as_extra(found: Mapping[str, int], kind: FileKind) -> str:
    """Name the fields that are kept as extra, and what each may have been meant for.

    ``found`` counts the rows that have each. Empty where there are none.
    """
    if not found:
        return ""
    named = [_named(name, rows, READ[kind]) for name, rows in found.items()][
        :MOST_NAMED
    ]
    more = len(found) - len(named)
    also = f", and {more} more" if more else ""
    return f"kept as extra, not read: {', '.join(named)}{also}"


def _named(name: str, rows: int, known: Sequence[str]) -> str:
    about = "1 row" if rows == 1 else f"{rows:,} rows"
    near = get_close_matches(name.strip().lower(), known, n=1, cutoff=CLOSE)
    meant = f"; did you mean {near[0]}?" if near else ""
    return f"{name if name.isidentifier() else shown(name)} ({about}{meant})"
