"""The import commands on other tools' files, several at once, and previews."""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.models import Case, Label, Response
from tests.annotation.commands.imports import Imports, case, lines, refused, row_counts
from tests.annotation.domain.readers.samples import FOLDER

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db
SYSTEMS = "heron,plover"


def run(command: str, *names: str, **options: Any) -> str:
    said = StringIO()
    options = {"gold_set": "box"} | options
    files = [str(FOLDER / name) if "/" not in name else name for name in names]
    call_command(command, *files, stdout=said, stderr=said, **options)
    return said.getvalue()


# source, files for pairs, files for labels, how many labels
SOURCES: list[tuple[str, tuple[str, ...], tuple[str, ...], int]] = [
    (
        "langsmith",
        ("langsmith_runs.jsonl",),
        ("langsmith_runs.jsonl", "langsmith_feedback.jsonl"),
        2,
    ),
    ("argilla", ("argilla_records.json",), ("argilla_records.json",), 4),
    ("labelstudio", ("labelstudio_tasks.json",), ("labelstudio_tasks.json",), 4),
    (
        "mtbench",
        ("mtbench_questions.jsonl", "mtbench_answers.jsonl"),
        ("mtbench_people.jsonl",),
        2,
    ),
    (
        "alpacaeval",
        ("alpacaeval_heron.json", "alpacaeval_plover.json"),
        ("alpacaeval_annotations.json",),
        2,
    ),
    ("openai", ("heron.jsonl", "plover.jsonl"), (), 0),
    ("evenhand", ("pairs.parquet",), ("labels.parquet",), 2),
    (
        "langfuse",
        (
            "langfuse_run_heron.json",
            "langfuse_run_plover.json",
            "langfuse_traces.json",
            "langfuse_items.json",
        ),
        (),
        0,
    ),
]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source[0])
def test_every_source_from_files_to_rows(source: tuple[Any, ...]) -> None:
    name, files, label_files, count = source
    answers = SYSTEMS if name in ("argilla", "labelstudio") else ""
    options = {"reader": name, "answers": answers}
    said = run("import_pairs", *files, systems=SYSTEMS, **options)
    cases = Case.objects.count()
    assert f"box: {cases} cases added, 0 known already" in said
    assert cases in (2, 4)
    assert Response.objects.count() == 2 * cases
    if label_files:
        said = run("import_labels", *label_files, **options)
        assert f"box: {count} labels added" in said
        assert Label.objects.count() == count
    again = run("import_pairs", *files, **options)
    assert f"box: 0 cases added, {cases} known already" in again


def test_a_dry_run_shows_everything_and_writes_nothing() -> None:
    before = row_counts()
    said = run(
        "import_pairs",
        "mtbench_questions.jsonl",
        "mtbench_answers.jsonl",
        systems=SYSTEMS,
        reader="mtbench",
        dry_run=True,
    )
    assert row_counts() == before
    for part in (
        "pairs from MT-bench (FastChat) for box (new): heron, plover",
        "4 good rows, 4 of them to import",
        "  case_id: question_id and turn, such as 81-1",
        "Row 1:\n  case_id: '81-1'",
        "rows about other systems are left out",
        "Nothing was written.",
    ):
        assert part in said, said


def test_a_dry_run_of_a_bad_file_ends_with_an_error(imports: Imports) -> None:
    path = imports.write(lines(case("c-1", split="x"), case("c-2")))
    said = StringIO()
    with pytest.raises(CommandError, match="Nothing could be imported: 1 error"):
        call_command(
            "import_pairs", path, gold_set="box", systems="v12,v13", dry_run=True,
            stdout=said,
        )  # fmt: skip
    assert "line 1, split: must be one of" in said.getvalue()


def test_errors_name_the_file_they_are_in(imports: Imports) -> None:
    one = imports.write(lines(case("c-1")), "one.jsonl")
    two = imports.write(lines(case("c-1", prompt="Another?")), "two.jsonl")
    told = "line 1 of two.jsonl, case_id: 'c-1' is on line 1 of one.jsonl with another"
    with refused(told):
        run("import_pairs", one, two, systems="v12,v13")


def test_systems_get_the_names_they_have_in_the_set() -> None:
    run(
        "import_pairs",
        "openai_batch_requests.jsonl",
        "openai_batch_replies.jsonl",
        systems="v12,v13",
        reader="openai",
        name=["heron-0506=v12", "plover-0506=v13"],
    )
    assert set(Response.objects.values_list("system__name", flat=True)) == {
        "v12",
        "v13",
    }


def test_a_broken_parquet_file_is_refused(imports: Imports) -> None:
    data = (FOLDER / "pairs.parquet").read_bytes()[:-100]
    with refused("broken Parquet: the end of the file is missing"):
        run("import_pairs", imports.write(data, "x.parquet"), systems=SYSTEMS)


def test_a_file_cut_to_one_object_is_read_for_other_tools(tmp_path: Path) -> None:
    rows = json.loads((FOLDER / "alpacaeval_annotations.json").read_text())
    path = tmp_path / "one.json"
    path.write_text(json.dumps(rows[0], indent=1))
    run("import_pairs", str(path), systems=SYSTEMS, reader="alpacaeval")
    assert Case.objects.count() == 1
