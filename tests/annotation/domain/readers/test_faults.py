"""Unknown shapes, words and values are errors by line and field, never guesses."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from annotation.domain.readers.base import FileKind
from annotation.domain.readers.choosing import KNOWN
from annotation.domain.readers.registry import READERS
from tests.annotation.domain.readers.samples import (
    SYSTEMS,
    complaints,
    read,
    rows_of,
    typed,
)

PAIRS, LABELS, VERDICTS = FileKind.PAIRS, FileKind.LABELS, FileKind.VERDICTS


def changed(rows: list[Any], place: int, path: list[Any], value: Any) -> list[Any]:
    """The rows with one value replaced somewhere inside."""
    values = [copy.deepcopy(dict(row.values)) for row in rows]
    inner: Any = values[place]
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return typed(*values)


SAMPLES = {
    "langsmith": ("langsmith_runs.jsonl", "langsmith_feedback.jsonl"),
    "argilla": ("argilla_records.json",),
    "labelstudio": ("labelstudio_tasks.json",),
    "questions": ("mtbench_questions.jsonl", "mtbench_answers.jsonl"),
    "judgments": ("mtbench_judgments.jsonl",),
    "people": ("mtbench_people.jsonl",),
    "annotations": ("alpacaeval_annotations.json",),
    "replies": ("openai_batch_requests.jsonl", "openai_batch_replies.jsonl"),
    "traces": (
        "langfuse_run_heron.json",
        "langfuse_run_plover.json",
        "langfuse_traces.json",
    ),
}
ANSWERED: dict[str, Any] = {"answers": SYSTEMS}
BATCH: dict[str, Any] = {"names": {f"{n}-0506": n for n in SYSTEMS}}

# sample, reader, kind, options, row, path, value, what is said
FAULTS: dict[str, tuple[Any, ...]] = {
    "a run that failed": (
        "langsmith", "langsmith", PAIRS, {}, 0, ["error"], "timeout",
        "line 1, error: the run failed: 'timeout'",
    ),
    "two texts in an input": (
        "langsmith", "langsmith", PAIRS, {}, 0, ["inputs"], {"a": "x", "b": "y"},
        "line 1, inputs: holds 'a', 'b': say which is the prompt (fields)",
    ),
    "a row of another kind": (
        "langsmith", "langsmith", PAIRS, {}, 0, ["reference_example_id"], None,
        "line 1: is no run of an experiment",
    ),
    "a score that is none": (
        "langsmith", "langsmith", LABELS, {}, 6, ["score"], None,
        "line 7, score: must be a number, not None",
    ),
    "a comparison of one": (
        "langsmith", "langsmith", LABELS, {}, 6, ["feedback_group_id"], "g-9",
        "line 7, feedback_group_id: 1 scores in one comparison",
    ),
    "feedback on an unknown run": (
        "langsmith", "langsmith", LABELS, {}, 6, ["run_id"], "run-9",
        "line 7, run_id: the file has no run 'run-9'",
    ),
    "a run item without its trace": (
        "traces", "langfuse", PAIRS, {}, 0,
        ["datasetRunItems", 0, "traceId"], "trace-x",
        "line 1, datasetRunItems[0].traceId: the files have no trace 'trace-x'",
    ),
    "an output that is a number": (
        "traces", "langfuse", PAIRS, {}, 2, ["data", 1, "output"], 3,
        "line 3, data[1].output: must be text, messages or an object, not a number",
    ),
    "nobody says who answered": (
        "argilla", "argilla", PAIRS, {}, 0, ["id"], "rec-1",
        "line 1: does not say which systems answered",
    ),
    "an unknown word": (
        "argilla", "argilla", LABELS, ANSWERED, 0,
        ["responses", "preference", 1, "value"], "both fine",
        "line 1, responses.preference[1].value: unknown choice 'both fine'",
    ),
    "a ranking of three": (
        "argilla", "argilla", LABELS, ANSWERED, 1,
        ["responses", "preference", 0, "value"],
        [{"value": f"response_{n}", "rank": n} for n in (1, 2, 3)],
        "line 2, responses.preference[0].value: must rank response_1 and response_2",
    ),
    "two questions": (
        "argilla", "argilla", LABELS, ANSWERED, 0, ["responses", "tone"], [],
        "line 1, responses: answers 'preference', 'tone': say which",
    ),
    "answers under unknown names": (
        "argilla", "argilla", PAIRS, ANSWERED, 0, ["fields"],
        {"prompt": "?", "x": "a", "y": "b"},
        "line 1, fields: holds 'prompt', 'x', 'y': say which are the first and second",
    ),
    "an unknown side": (
        "labelstudio", "labelstudio", LABELS, ANSWERED, 0,
        ["annotations", 0, "result", 0, "value", "selected"], "middle",
        "line 1, annotations[0].result[0].value.selected: unknown choice 'middle'",
    ),
    "two choices at once": (
        "labelstudio", "labelstudio", LABELS, ANSWERED, 1,
        ["annotations", 0, "result", 0, "value", "choices"], ["left", "right"],
        "line 2, annotations[0].result[0].value.choices: must be one choice",
    ),
    "an annotation without a result": (
        "labelstudio", "labelstudio", LABELS, ANSWERED, 0,
        ["annotations", 0, "result"], [],
        "line 1, annotations[0].result: has 0 pairwise or choices results",
    ),
    "several choices of one model": (
        "questions", "mtbench", PAIRS, {}, 2, ["choices"],
        [{"turns": ["a", "b"]}, {"turns": ["c", "d"]}],
        "line 3, choices: holds 2 choices; one is needed",
    ),
    "an answer to no question": (
        "questions", "mtbench", PAIRS, {}, 2, ["question_id"], 99,
        "line 3, question_id: the files have no question '99'",
    ),
    "a turn too few": (
        "questions", "mtbench", PAIRS, {}, 2, ["choices", 0, "turns"], ["a"],
        "line 3, choices[0].turns: holds 1 turns, the question 2",
    ),
    "an unknown winner": (
        "judgments", "mtbench", VERDICTS, {}, 0, ["g2_winner"], "model_3",
        "line 1, g2_winner: must be model_2, model_1, tie, error, not 'model_3'",
    ),
    "a grade of single answers": (
        "judgments", "mtbench", VERDICTS, {}, 0, ["m1_score"], 7,
        "line 1, m1_score: grades of single answers have no order",
    ),
    "a second judge": (
        "judgments", "mtbench", VERDICTS, {}, 1, ["judge"], ["b-judge", "pair-v2"],
        "line 2, judge: is 'b-judge', on line 1 it is 'a-judge'",
    ),
    "a third turn": (
        "judgments", "mtbench", VERDICTS, {}, 0, ["turn"], 3,
        "line 1, turn: must be 1 or 2, not 3",
    ),
    "a tie that was put together": (
        "people", "mtbench", LABELS, {}, 0, ["winner"], "tie (inconsistent)",
        "line 1, winner: must be model_a, model_b, tie, not 'tie (inconsistent)'",
    ),
    "a weighted preference": (
        "annotations", "alpacaeval", LABELS, {}, 0, ["preference"], 1.02,
        "line 1, preference: 1.02 is a weight between the two, not a choice",
    ),
    "an impossible preference": (
        "annotations", "alpacaeval", LABELS, {}, 0, ["preference"], 3,
        "line 1, preference: must be 1, 2 or 1.5, not 3",
    ),
    "a request that failed": (
        "replies", "openai", PAIRS, BATCH, 2, ["response", "status_code"], 500,
        "line 3, response.status_code: is 500: the request failed",
    ),
    "a refusal without text": (
        "replies", "openai", PAIRS, BATCH, 2,
        ["response", "body", "choices", 0, "message", "content"], None,
        "line 3, response.body.choices[0].message.content: missing",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named_by_line_and_field(name):
    sample, reader, kind, options, row, path, value, said = FAULTS[name]
    rows = changed(rows_of(*SAMPLES[sample]), row, path, value)
    found = complaints(reader, kind, rows, **options)
    assert any(line.startswith(said) for line in found), found


def test_a_missing_answer_is_named_as_ours():
    rows = rows_of("alpacaeval_heron.json")
    found = complaints("alpacaeval", PAIRS, rows)
    assert [line.split(": ")[0] for line in found] == [
        "line 2, responses.plover",
        "line 8, responses.plover",
    ]


def test_two_answers_of_one_system_are_an_error():
    rows = rows_of("alpacaeval_heron.json", "alpacaeval_heron.json")
    other = changed(rows, 2, ["output"], "Something else.")
    (found,) = [c for c in complaints("alpacaeval", PAIRS, other) if "another" in c]
    assert found.startswith("line 3, responses.heron: case 'alpaca-")
    assert found.endswith("has another one on line 1")


def test_a_file_about_other_systems_only_is_an_error():
    rows = rows_of("alpacaeval_heron.json")
    found = complaints("alpacaeval", PAIRS, rows, systems=("v12", "v13"))
    assert found == [
        (
            "line 1: nothing in the file is about this set's systems (v12, v13); "
            "it is about 'heron'"
        )
    ]


def test_preference_files_do_not_say_who_wrote_what():
    row = {
        "input": {"messages": [{"role": "user", "content": "Hi"}]},
        "preferred_output": [{"role": "assistant", "content": "Hello"}],
        "non_preferred_output": [{"role": "assistant", "content": "What?"}],
    }
    (found,) = complaints("openai", PAIRS, typed(row))
    assert found.startswith("line 1, preferred_output: does not say which system")


def test_words_can_be_given_a_meaning():
    rows = changed(
        rows_of("argilla_records.json"),
        0,
        ["responses", "preference", 1, "value"],
        "both fine",
    )
    options = {"answers": SYSTEMS, "values": {"both fine": "tie"}}
    records, problems = read("argilla", LABELS, rows, **options)
    assert problems.errors == ()
    assert [r.outcome.value for r in records][:2] == ["baseline", "tie"]


def test_flattened_argilla_records_are_the_same_labels():
    flat = {
        "id": "rec-1",
        "prompt": "?",
        "response_1": "a",
        "response_2": "b",
        "preference.responses": ["response_2", "tie", "response_1"],
        "preference.responses.users": ["u-1", "u-2", "u-3"],
        "preference.responses.status": ["submitted", "submitted", "draft"],
    }
    records, problems = read("argilla", LABELS, typed(flat), answers=SYSTEMS)
    assert [(r.reviewer, r.outcome.value) for r in records] == [
        ("u-1", "candidate"),
        ("u-2", "tie"),
    ]
    assert [n.text for n in problems.notices] == [
        "a response that is 'draft' is left out"
    ]
    (case,), _ = read("argilla", PAIRS, typed(flat), answers=SYSTEMS)
    assert case.responses == {"heron": "a", "plover": "b"}


def test_a_person_may_name_the_fields():
    row = {"id": 1, "data": {"q": "?", "x": "a", "y": "b"}, "annotations": []}
    fields = {"prompt": "q", "first": "x", "second": "y"}
    (case,), problems = read(
        "labelstudio", PAIRS, typed(row), answers=SYSTEMS, fields=fields
    )
    assert problems.errors == ()
    assert (case.prompt, case.responses["plover"]) == ("?", "b")


def test_every_reader_says_what_it_yields_and_where_it_is_from():
    for name, reader in READERS.items():
        assert reader.name == name
        assert reader.yields
        assert all(mapping for mapping in reader.mapping.values())
    assert set(KNOWN) == {word.lower() for word in KNOWN}
