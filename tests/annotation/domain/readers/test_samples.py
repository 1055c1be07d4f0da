"""Each sample file comes out as the mapping in docs/imports.md says."""

from __future__ import annotations

from annotation.domain.outcomes import Order, Outcome
from annotation.domain.readers.base import FileKind
from annotation.domain.records import Message
from tests.annotation.domain.readers.samples import SYSTEMS, read, rows_of

KETTLE = "Can I return an opened kettle?"
YES = "Yes, within 30 days and with the receipt."
GARANTIE = "Zwei Jahre ab dem Kauf."
AKKUS = "Zwei Jahre ab dem Kauf, bei Akkus ein Jahr."


def pairs(name, *files, **options):
    records, problems = read(name, FileKind.PAIRS, rows_of(*files), **options)
    assert problems.errors == ()
    return records, problems


def labels(name, *files, **options):
    records, problems = read(name, FileKind.LABELS, rows_of(*files), **options)
    assert problems.errors == ()
    said = [(r.case_id, r.reviewer, r.outcome, r.note) for r in records]
    assert all(record.systems == SYSTEMS for record in records)
    return said, problems


def texts(record):
    return record.prompt, record.responses["heron"], record.responses["plover"]


def test_langsmith_runs():
    (one, two), _ = pairs("langsmith", "langsmith_runs.jsonl")
    assert (one.case_id, two.case_id) == ("example-1", "example-2")
    assert texts(one) == (KETTLE, YES, "No.")
    assert one.context == "Returns: 30 days. Warranty: 2 years."
    assert one.reference == "Yes, 30 days, with the receipt."
    assert texts(two)[1:] == (GARANTIE, AKKUS)


def test_langsmith_feedback():
    said, problems = labels(
        "langsmith", "langsmith_runs.jsonl", "langsmith_feedback.jsonl"
    )
    assert said == [
        ("example-1", "ines", Outcome.BASELINE, "plover is too short"),
        ("example-2", "ranked_preference", Outcome.TIE, ""),
    ]
    (notice,) = problems.notices
    assert str(notice) == (
        "line 5 of langsmith_feedback.jsonl: feedback on one run alone is no "
        "comparison, left out"
    )


def test_langsmith_systems_under_other_names():
    (one, _), _ = pairs(
        "langsmith",
        "langsmith_runs.jsonl",
        systems=("v12", "v13"),
        names={"heron": "v13", "plover": "v12"},
    )
    assert one.responses == {"v12": "No.", "v13": YES}


def test_langfuse_runs():
    (one, two), _ = pairs(
        "langfuse",
        "langfuse_run_heron.json",
        "langfuse_run_plover.json",
        "langfuse_traces.json",
        "langfuse_items.json",
    )
    assert (one.case_id, two.case_id) == ("item-1", "item-2")
    assert texts(one) == ((Message("user", KETTLE),), YES, "No.")
    assert (one.reference, two.reference) == ("Yes, 30 days.", None)


def test_langfuse_without_the_items_takes_the_question_from_traces():
    (one, _), _ = pairs(
        "langfuse",
        "langfuse_traces.json",
        "langfuse_run_heron.json",
        "langfuse_run_plover.json",
    )
    assert (texts(one)[1], one.reference) == (YES, None)


def test_argilla_records():
    (one, two), _ = pairs("argilla", "argilla_records.json", answers=SYSTEMS)
    assert (one.case_id, two.case_id) == ("rec-1", "rec-2")
    assert texts(one) == (KETTLE, YES, "No.")
    swapped = ("plover", "heron")
    (one, _), _ = pairs("argilla", "argilla_records.json", answers=swapped)
    assert texts(one) == (KETTLE, "No.", YES)


def test_argilla_responses():
    said, _ = labels("argilla", "argilla_records.json", answers=SYSTEMS)
    outcomes = [Outcome.BASELINE, Outcome.TIE, Outcome.CANDIDATE, Outcome.ABSTAIN]
    assert [entry[2] for entry in said] == outcomes
    assert [entry[:2] for entry in said] == [
        ("rec-1", "u-1"),
        ("rec-1", "u-2"),
        ("rec-2", "u-1"),
        ("rec-2", "u-2"),
    ]


def test_answers_the_other_way_round_turn_decisive_outcomes_only():
    said, _ = labels("argilla", "argilla_records.json", answers=("plover", "heron"))
    outcomes = [Outcome.CANDIDATE, Outcome.TIE, Outcome.BASELINE, Outcome.ABSTAIN]
    assert [entry[2] for entry in said] == outcomes


def test_label_studio_tasks():
    (one, two), _ = pairs("labelstudio", "labelstudio_tasks.json", answers=SYSTEMS)
    assert (one.case_id, two.case_id) == ("101", "102")
    assert texts(two)[1:] == (GARANTIE, AKKUS)


def test_label_studio_annotations():
    said, problems = labels("labelstudio", "labelstudio_tasks.json", answers=SYSTEMS)
    assert [entry[:3] for entry in said] == [
        ("101", "7", Outcome.BASELINE),
        ("101", "ben@example.test", Outcome.CANDIDATE),
        ("102", "7", Outcome.TIE),
        ("102", "ben@example.test", Outcome.ABSTAIN),
    ]
    assert [n.text for n in problems.notices] == ["a skipped annotation is left out"]


def test_mtbench_cases():
    records, problems = pairs(
        "mtbench", "mtbench_questions.jsonl", "mtbench_answers.jsonl"
    )
    assert [r.case_id for r in records] == ["81-1", "81-2", "82-1", "82-2"]
    first, second = records[:2]
    assert texts(first) == (KETTLE, YES, "No.")
    assert second.responses["heron"] == (
        Message("assistant", YES),
        Message("user", "Say it in one word."),
        Message("assistant", "Yes."),
    )
    assert (first.group, second.group) == ("question-81", "question-81")
    assert (first.reference, second.reference) == ("Yes, 30 days.", None)
    assert second.slices == {"turn": "2", "category": "writing"}
    (notice,) = problems.notices
    assert "other systems are left out, from here on: 'curlew'" in notice.text


def test_mtbench_judgments_are_verdicts_in_both_orders():
    records, problems = read(
        "mtbench", FileKind.VERDICTS, rows_of("mtbench_judgments.jsonl")
    )
    assert problems.errors == ()
    first, second = Order.BASELINE_FIRST, Order.CANDIDATE_FIRST
    assert [(r.case_id, r.order, r.choice) for r in records] == [
        # model_1 was heron, the baseline: it stood first in game 1
        ("81-1", first, "first"),
        ("81-1", second, "second"),
        # model_1 was plover, the candidate
        ("81-2", second, "tie"),
        ("81-2", first, "invalid"),
        ("82-1", first, "second"),
        ("82-1", second, "second"),
    ]
    assert records[0].raw == "A answers. [[A]]"


def test_mtbench_people():
    said, _ = labels("mtbench", "mtbench_people.jsonl")
    assert [entry[:3] for entry in said] == [
        ("81-1", "expert_1", Outcome.BASELINE),
        ("82-1", "expert_2", Outcome.TIE),
    ]


def test_alpaca_eval_outputs_and_annotations_have_the_same_cases():
    outputs, _ = pairs("alpacaeval", "alpacaeval_heron.json", "alpacaeval_plover.json")
    annotated, _ = pairs("alpacaeval", "alpacaeval_annotations.json")
    assert texts(outputs[0]) == (KETTLE, YES, "No.")
    assert {r.case_id for r in outputs} == {r.case_id for r in annotated}
    assert outputs[0].slices == {"dataset": "helpful_base"}


def test_alpaca_eval_annotations_are_labels():
    said, problems = labels("alpacaeval", "alpacaeval_annotations.json")
    assert [entry[1:3] for entry in said] == [
        ("a-judge-0", Outcome.BASELINE),
        ("a-judge-0", Outcome.TIE),
    ]
    texts = [notice.text for notice in problems.notices]
    assert texts == ["the annotator gave no preference, left out"]


def test_chats_take_the_system_from_the_file():
    (one, _), _ = pairs("openai", "heron.jsonl", "plover.jsonl")
    assert one.prompt == (
        Message("system", "You are polite."),
        Message("user", KETTLE),
    )
    assert texts(one)[1:] == (YES, "No.")
    assert one.case_id.startswith("chat-")


def test_chats_of_the_batch_api():
    names = {"heron-0506": "heron", "plover-0506": "plover"}
    files = ("openai_batch_requests.jsonl", "openai_batch_replies.jsonl")
    (one, two), _ = pairs("openai", *files, names=names)
    assert (one.case_id, two.case_id) == ("q-1", "q-2")
    assert texts(one) == (KETTLE, YES, "No.")


def test_parquet_of_our_own():
    records, problems = read("evenhand", FileKind.PAIRS, rows_of("pairs.parquet"))
    assert problems.errors == ()
    one, two = records
    assert texts(one) == (KETTLE, YES, "No.")
    assert (one.slices, one.critical) == ({"language": "en"}, True)
    assert (one.reference, two.reference) == (None, "Zwei Jahre.")
    said, _ = labels("evenhand", "labels.parquet")
    assert [entry[2] for entry in said] == [Outcome.BASELINE, Outcome.TIE]
