"""The import commands as real processes: exit codes, messages, two at once."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from annotation.models import Case, GoldSet, Label, Pair, Response, System
from tests.annotation.commands.imports import case, label, lines
from tests.processes import ROOT, environment

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db(transaction=True)

CASES = 400
IMPORT = ("--gold-set", "box", "--systems", "v12,v13")


def command(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


BAD = {
    "broken UTF-8": (lines(case("a1")) + b"\xff\n", "line 2: is not UTF-8"),
    "NUL": (lines(case("a1", prompt="\x00")), "line 1, prompt: holds a NUL"),
    "missing": (None, "No such file"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_refusal_ends_with_a_message_and_a_code(tmp_path: Path, name: str) -> None:
    data, reason = BAD[name]
    path = tmp_path / "pairs.jsonl"
    if data is not None:
        path.write_bytes(data)
    process = command(tmp_path, "import_pairs", str(path), *IMPORT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert reason in err
    assert "Traceback" not in out + err
    assert not GoldSet.objects.exists()


def test_a_database_without_tables_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(lines(case("a1")))
    empty = {"DATABASE_URL": f"sqlite:///{tmp_path}/new.sqlite3"}
    done = subprocess.run(
        [sys.executable, "manage.py", "import_pairs", str(path), *IMPORT],
        cwd=ROOT,
        env=environment(tmp_path) | empty,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert "manage.py migrate" in done.stderr
    assert "Traceback" not in done.stderr


def test_two_imports_of_one_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(lines(*[case(f"c{i}") for i in range(CASES)]))
    both = [command(tmp_path, "import_pairs", str(path), *IMPORT) for _ in range(2)]
    said = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert sorted(out.split(", ")[0] for out, _ in said) == [
        "box: 0 cases added",
        f"box: {CASES} cases added",
    ]
    counts = [m.objects.count() for m in (GoldSet, System, Case, Response, Pair)]
    assert counts == [1, 2, CASES, 2 * CASES, CASES]


def test_two_label_imports_at_once(tmp_path: Path) -> None:
    pairs, labels = tmp_path / "pairs.jsonl", tmp_path / "labels.jsonl"
    pairs.write_bytes(lines(*[case(f"c{i}") for i in range(CASES)]))
    labels.write_bytes(lines(*[label(f"c{i}") for i in range(CASES)]))
    call_command("import_pairs", pairs, gold_set="box", systems="v12,v13")
    run = ("import_labels", str(labels), "--gold-set", "box")
    both = [command(tmp_path, *run) for _ in range(2)]
    said = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert Label.objects.count() == CASES
