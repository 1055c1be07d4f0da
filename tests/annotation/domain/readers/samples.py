"""Reading our sample files of other tools, and altered copies of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from annotation.domain.answer_rows import iter_labels, iter_verdicts
from annotation.domain.case_rows import iter_cases
from annotation.domain.files import read_rows
from annotation.domain.readers.base import FileKind, ReadOptions
from annotation.domain.readers.registry import READERS
from annotation.domain.rows import Line, Problems, Row

FOLDER = Path(__file__).parents[4] / "fixtures" / "imports"
SYSTEMS = ("heron", "plover")
PARSERS: dict[FileKind, Any] = {
    FileKind.PAIRS: iter_cases,
    FileKind.LABELS: iter_labels,
    FileKind.VERDICTS: iter_verdicts,
}


def rows_of(*names: str) -> list[Row]:
    """The rows of sample files, as the intake hands them to a reader."""
    rows = []
    for place, name in enumerate(names):
        data = (FOLDER / name).read_bytes()
        found = read_rows(data, name, one_object=True)
        assert not found.errors
        for row in found.rows:
            line = Line(row.line, place, name, named=len(names) > 1)
            rows.append(Row(line, row.values))
    return rows


def typed(*values: dict[str, Any]) -> list[Row]:
    """Rows written out in a test, through JSON, so that nothing is shared."""
    copies = json.loads(json.dumps(values))
    return [Row(place, copy) for place, copy in enumerate(copies, start=1)]


def read(
    name: str, kind: FileKind, rows: list[Row], **options: Any
) -> tuple[list[Any], Problems]:
    """Through a reader and our own parser: records and what was wrong."""
    problems = Problems()
    options.setdefault("systems", SYSTEMS)
    said = ReadOptions(**options)
    found = READERS[name].read(kind, rows, said, problems)
    records = list(PARSERS[kind](found, said.systems, problems))
    return records, problems


def complaints(name: str, kind: FileKind, rows: list[Row], **options: Any) -> list[str]:
    """All errors as text."""
    return list(map(str, read(name, kind, rows, **options)[1].errors))
