"""Files to import, and what a refused import must leave behind: nothing."""

from __future__ import annotations

import json
from contextlib import contextmanager
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.core.management.base import CommandError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SYSTEMS = "v12,v13"


def case(case_id: str, **fields: Any) -> dict[str, Any]:
    row: dict[str, Any] = {
        "case_id": case_id,
        "prompt": "Where is my parcel?",
        "responses": {"v12": "It is on its way.", "v13": "Ask the carrier."},
    }
    return row | fields


def label(case_id: str, **fields: Any) -> dict[str, Any]:
    row = {"case_id": case_id, "reviewer": "ann", "outcome": "candidate"}
    return row | {"systems": ["v12", "v13"]} | fields


def lines(*rows: Any) -> bytes:
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def row_counts() -> dict[str, int]:
    return {
        model._meta.label: model._default_manager.count()
        for model in apps.get_models()
        if model._meta.managed
    }


class Imports:
    """Runs the import commands on files with given bytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, data: bytes, name: str = "rows.jsonl") -> str:
        path = self.folder / name
        path.write_bytes(data)
        return str(path)

    def pairs(
        self,
        data: bytes,
        name: str = "pairs.jsonl",
        gold_set: str = "box",
        systems: str = SYSTEMS,
        **options: Any,
    ) -> str:
        options |= {"gold_set": gold_set, "systems": systems}
        return self.run("import_pairs", self.write(data, name), **options)

    def labels(self, data: bytes, name: str = "labels.jsonl", **options: Any) -> str:
        options = {"gold_set": "box"} | options
        return self.run("import_labels", self.write(data, name), **options)

    def run(self, command: str, path: str, **options: Any) -> str:
        said = StringIO()
        call_command(command, path, stdout=said, stderr=said, **options)
        return said.getvalue()


@contextmanager
def refused(*fragments: str) -> Iterator[None]:
    """The command ends with all of these words, and no row of any table changes."""
    before = row_counts()
    with pytest.raises(CommandError) as caught:
        yield
    message = str(caught.value)
    for fragment in fragments:
        assert fragment in message, message
    assert "Traceback" not in message
    assert caught.value.returncode
    assert row_counts() == before
