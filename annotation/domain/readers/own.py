"""Our own files (DESIGN section 7): nothing is turned into anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.readers.base import FileKind, Reader

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from annotation.domain.readers.base import ReadOptions
    from annotation.domain.rows import Problems, Row


def read(
    _kind: FileKind, rows: Sequence[Row], _options: ReadOptions, _problems: Problems
) -> Iterable[Row]:
    """Give the rows as they are."""
    return rows


READER = Reader(
    name="evenhand",
    title="Evenhand's own format",
    takes="JSONL, JSON, CSV or Parquet with the columns of docs/files.md",
    mapping={
        FileKind.PAIRS: (
            ("case_id, prompt, responses, ...", "the columns of the same names"),
        ),
        FileKind.LABELS: (
            ("case_id, reviewer, outcome, ...", "the columns of the same names"),
        ),
        FileKind.VERDICTS: (
            ("case_id, order, raw, ...", "the columns of the same names"),
        ),
    },
    read=read,
)
