"""MT-bench judgments as a recorded judge."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from judging.models import Reply, Run
from tests.annotation.domain.readers.samples import FOLDER

pytestmark = pytest.mark.django_db


@pytest.fixture
def box() -> None:
    files = ("mtbench_questions.jsonl", "mtbench_answers.jsonl")
    call_command(
        "import_pairs",
        *[str(FOLDER / name) for name in files],
        gold_set="box",
        systems="heron,plover",
        reader="mtbench",
        stdout=StringIO(),
        stderr=StringIO(),
    )


def verdicts(**options: Any) -> str:
    said = StringIO()
    call_command(
        "import_verdicts",
        str(FOLDER / "mtbench_judgments.jsonl"),
        gold_set="box",
        judge="a-judge",
        reader="mtbench",
        stdout=said,
        stderr=said,
        **options,
    )
    return said.getvalue()


def replies() -> set[tuple[str, str, str, str]]:
    return set(
        Reply.objects.values_list(
            "call__pair__case__external_id", "call__order", "choice", "invalid_reason"
        )
    )


def test_stated_winners_become_a_run(box: None) -> None:
    said = verdicts()
    assert "6 replies imported as run" in said
    assert "1 invalid" in said
    assert "Choices were taken as stored in the file" in said
    assert replies() == {
        ("81-1", "baseline_first", "first", ""),
        ("81-1", "candidate_first", "second", ""),
        ("81-2", "candidate_first", "tie", ""),
        ("81-2", "baseline_first", "", "invalid_in_file"),
        ("82-1", "baseline_first", "second", ""),
        ("82-1", "candidate_first", "second", ""),
    }
    assert "known already as" in verdicts()
    assert Run.objects.count() == 1


def test_the_text_is_read_where_a_format_is_given(box: None) -> None:
    said = verdicts(format="ab_bracket")
    assert "Choices were taken as stored" not in said
    assert ("81-1", "candidate_first", "second", "") in replies()


def test_a_dry_run_makes_no_run(box: None) -> None:
    said = verdicts(dry_run=True)
    assert "6 good rows, 6 of them to import" in said
    assert not Run.objects.exists()
