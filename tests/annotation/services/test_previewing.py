"""What an import would do, said before anything is written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from annotation.domain.readers.base import FileKind
from annotation.models import Case, Exposure, Label, Pair
from annotation.services.gold_sets import gold_set_named
from annotation.services.importing import ImportRefused, import_pairs
from annotation.services.intake import Source, read_options, reader_named
from annotation.services.previewing import ImportPlan, commit, preview
from config.errors import InvalidInput, NotFound
from tests.annotation.commands.imports import case, label, lines, row_counts
from tests.annotation.domain.readers.samples import FOLDER
from tests.annotation.factory import START

if TYPE_CHECKING:
    from config.accounts.models import User

pytestmark = pytest.mark.django_db
PAIRS = ImportPlan(kind=FileKind.PAIRS, gold_set="box", systems=("v12", "v13"))
LABELS = ImportPlan(kind=FileKind.LABELS, gold_set="box")
OUTPUTS = ("alpacaeval_heron.json", "alpacaeval_plover.json")


def sources(*data: bytes) -> list[Source]:
    return [Source(one, f"file-{place}.jsonl") for place, one in enumerate(data)]


def samples(*names: str) -> list[Source]:
    return [Source(FOLDER / name, name) for name in names]


def test_a_preview_writes_nothing_and_shows_the_first_rows(lead: User) -> None:
    before = row_counts()
    rows = [case(f"c-{n}", slices={"language": "en"}) for n in range(8)]
    found = preview(plan=PAIRS, sources=sources(lines(*rows, rows[0])))
    assert row_counts() == before
    assert (found.found, found.fresh, found.known, found.duplicates) == (8, 8, 0, 1)
    assert (found.new_set, found.systems) == (True, ("v12", "v13"))
    assert len(found.rows) == 5
    first = dict(found.named_rows[0])
    assert first["responses.v12"] == "It is on its way."
    assert first["more"] == "slices.language: en"
    assert found.errors == ()


def test_committing_does_what_the_preview_said(lead: User) -> None:
    files = sources(lines(*[case(f"c-{n}") for n in range(3)]))
    said = preview(plan=PAIRS, sources=files)
    done = commit(plan=PAIRS, sources=files, by=lead, now=START)
    assert (done.added, done.known) == (said.fresh, said.known)
    again = preview(plan=PAIRS, sources=files)
    assert (again.new_set, again.fresh, again.known) == (False, 0, 3)


def test_all_errors_are_shown_those_against_the_set_too(lead: User) -> None:
    commit(plan=PAIRS, sources=sources(lines(case("c-1"))), by=lead, now=START)
    bad = lines(case("c-1", prompt="Another?"), case("c-2", split="x"), case("c-3"))
    found = preview(plan=PAIRS, sources=sources(bad))
    assert [(error.line, error.field) for error in found.errors] == [
        (1, "prompt"),
        (2, "split"),
    ]
    assert (found.error_count, found.fresh) == (2, 0)
    with pytest.raises(ImportRefused) as refused:
        commit(plan=PAIRS, sources=sources(bad), by=lead, now=START)
    assert refused.value.errors == found.errors


def test_so_are_those_of_labels(lead: User) -> None:
    files = sources(lines(case("c-1"), case("c-2")))
    commit(plan=PAIRS, sources=files, by=lead, now=START)
    commit(plan=LABELS, sources=sources(lines(label("c-1"))), by=lead, now=START)
    bad = sources(lines(label("c-1", outcome="tie"), label("c-2", outcome="maybe")))
    found = preview(plan=LABELS, sources=bad)
    assert [error.line for error in found.errors] == [1, 2]
    with pytest.raises(ImportRefused) as refused:
        commit(plan=LABELS, sources=bad, by=lead, now=START)
    assert refused.value.errors == found.errors


def test_errors_of_several_files_name_the_file(lead: User) -> None:
    good, bad = lines(case("c-1")), lines(case("c-2"), case("c-3", split="x"))
    (error,) = preview(plan=PAIRS, sources=sources(good, bad)).errors
    assert str(error).startswith("line 2 of file-1.jsonl, split: must be one of")


def test_labels_are_previewed_against_the_set(lead: User) -> None:
    commit(plan=PAIRS, sources=sources(lines(case("c-1"))), by=lead, now=START)
    files = sources(lines(label("c-1"), label("c-1", reviewer="ben", note="why")))
    found = preview(plan=LABELS, sources=files)
    assert (found.found, found.fresh, found.errors) == (2, 2, ())
    assert dict(found.named_rows[1])["note"] == "why"
    assert commit(plan=LABELS, sources=files, by=lead, now=START).added == 2
    changed = sources(lines(label("c-1", outcome="tie")))
    (error,) = preview(plan=LABELS, sources=changed).errors
    assert error.field == "outcome"
    assert preview(plan=LABELS, sources=files).known == 2


def test_whoever_brings_labels_has_seen_them(lead: User) -> None:
    commit(plan=PAIRS, sources=sources(lines(case("c-1"))), by=lead, now=START)
    assert not Exposure.objects.exists()
    commit(plan=LABELS, sources=sources(lines(label("c-1"))), by=lead, now=START)
    (seen,) = Exposure.objects.all()
    assert (seen.user, seen.pair, seen.kind) == (lead, Pair.objects.get(), "labels")


def test_another_tools_files_become_cases_and_labels(lead: User) -> None:
    plan = replace(PAIRS, reader="alpacaeval", systems=("heron", "plover"))
    found = preview(plan=plan, sources=samples(*OUTPUTS))
    assert found.source == "AlpacaEval"
    assert ("prompt", "instruction, with input below it where there is one") in (
        found.mapping
    )
    commit(plan=plan, sources=samples(*OUTPUTS), by=lead, now=START)
    assert Case.objects.count() == 2
    plan = replace(LABELS, reader="alpacaeval")
    notes = preview(plan=plan, sources=samples("alpacaeval_annotations.json"))
    assert notes.fresh == 2
    assert any("no preference" in line for line in notes.notices)
    commit(
        plan=plan, sources=samples("alpacaeval_annotations.json"), by=lead, now=START
    )
    assert set(Label.objects.values_list("outcome", flat=True)) == {"baseline", "tie"}


def test_verdicts_are_previewed_and_imported_elsewhere(lead: User) -> None:
    names = ("mtbench_questions.jsonl", "mtbench_answers.jsonl")
    plan = replace(PAIRS, reader="mtbench", systems=("heron", "plover"))
    commit(plan=plan, sources=samples(*names), by=lead, now=START)
    plan = ImportPlan(FileKind.VERDICTS, "box", reader="mtbench")
    found = preview(plan=plan, sources=samples("mtbench_judgments.jsonl"))
    assert (found.found, found.errors) == (6, ())
    with pytest.raises(InvalidInput, match="import_verdicts"):
        commit(
            plan=plan,
            sources=samples("mtbench_judgments.jsonl"),
            by=lead,
            now=START,
        )


def test_a_source_that_lacks_the_kind_is_refused() -> None:
    plan = replace(PAIRS, kind=FileKind.PAIRS, reader="langfuse")
    with pytest.raises(InvalidInput, match="Langfuse gives pairs, no labels"):
        list(
            plan.intake([]).rows(FileKind.LABELS, ("v12", "v13"), None)  # type: ignore[arg-type]  # not reached
        )


def test_labels_for_a_set_that_is_not_there() -> None:
    with pytest.raises(NotFound):
        preview(plan=LABELS, sources=sources(lines(label("c-1"))))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"names": ["a"]}, "'a' must be KEY=VALUE"),
        ({"names": ["a=b", "a=c"]}, "'a' is given twice"),
        ({"values": ["both=neither"]}, "both=neither: must be first, second, tie"),
        ({"answers": ["v12"]}, "the systems of the first and the second answer"),
    ],
)
def test_what_is_said_about_files_must_be_readable(
    options: dict[str, Any], said: str
) -> None:
    with pytest.raises(InvalidInput, match=said):
        read_options(**options)


def test_an_unknown_source_is_told_with_the_known() -> None:
    with pytest.raises(InvalidInput, match="none of evenhand, langsmith"):
        reader_named("excel")


def test_answers_must_be_systems_of_the_set(lead: User) -> None:
    plan = replace(PAIRS, reader="argilla", answers=("v12", "v99"))
    with pytest.raises(InvalidInput, match="two of the set's systems, v12, v13"):
        preview(plan=plan, sources=samples("argilla_records.json"))


def test_a_plan_is_stored_and_restored_as_it_was() -> None:
    plan = replace(PAIRS, names=("a=b",), title="Box", labels_per_pair=2)
    assert ImportPlan.restored(plan.stored()) == plan


def test_a_file_that_changes_while_it_is_imported_counts_as_checked(
    tmp_path: Any,
) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(lines(case("c-1"), case("c-2")))

    def change(_done: int, _total: int) -> None:
        path.write_bytes(lines(case("c-1", prompt="Other?")))

    done = import_pairs(
        plan=PAIRS.set_plan(),
        source=Source(path, path.name),
        by=None,
        now=START,
        on_progress=change,
    )
    assert done.added == 2
    prompts = gold_set_named("box").cases.values_list("external_id", "prompt")
    assert dict(prompts) == {name: case(name)["prompt"] for name in ("c-1", "c-2")}
