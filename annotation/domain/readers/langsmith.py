"""LangSmith: runs of experiments on a dataset, its examples, and pairwise feedback.

The rows are what the SDK and the API give: runs (``list_runs``), examples
(``list_examples``) and feedback (``list_feedback``), in one file or several. Source:
the schemas Run, Example and Feedback of the LangSmith SDK.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from annotation.domain.outcomes import SlotChoice
from annotation.domain.readers import picking
from annotation.domain.readers.base import FileKind, Reader, Wanted
from annotation.domain.readers.choosing import label_values
from annotation.domain.readers.gathering import Cases, Others, or_error
from annotation.domain.readers.items import items_of
from annotation.domain.rows import Row
from annotation.domain.values import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from annotation.domain.readers.base import ReadOptions
    from annotation.domain.readers.items import Item
    from annotation.domain.rows import Problems

_TWO = 2


def read(
    kind: FileKind, rows: Sequence[Row], options: ReadOptions, problems: Problems
) -> Iterable[Row]:
    """Turn runs into cases, or comparative feedback on them into labels."""
    runs: list[Item] = []
    feedback: list[Item] = []
    examples: list[Item] = []
    for item in items_of(rows, problems):
        if item.has("reference_example_id"):
            runs.append(item)
        elif item.has("run_id", "key"):
            feedback.append(item)
        elif item.has("id", "inputs", "dataset_id"):
            examples.append(item)
        else:
            reason = "is no run of an experiment, no example and no feedback"
            item.fail(None, f"{reason} (a run needs reference_example_id)")
    if kind is FileKind.PAIRS:
        found: Iterable[Row] = _cases(runs, examples, options, problems)
    else:
        found = _labels(feedback, runs, options, problems)
    return or_error(found, options, problems)


def _system(run: Item, options: ReadOptions) -> str | None:
    """The experiment: by its name where the row has it, otherwise by its id."""
    name = "session_name" if run.has("session_name") else "session_id"
    key = run.key(name)
    return None if key is None else options.system(key)


def _cases(
    runs: Iterable[Item],
    examples: Iterable[Item],
    options: ReadOptions,
    problems: Problems,
) -> Iterator[Row]:
    cases, others = Cases(problems), Others(options)
    for run in runs:
        system, case_id = _system(run, options), run.key("reference_example_id")
        if system is None or case_id is None or others.skip(run.line, system):
            continue
        if run.has("error"):
            run.fail("error", f"the run failed: {shown(run.values['error'])}")
            continue
        _put_inputs(cases, case_id, run, options)
        output = picking.text_in(run, "outputs", "response", picking.RESPONSES, options)
        cases.respond(case_id, run.line, system, output)
    others.report(problems)
    for example in examples:
        _put_reference(cases, example, options)
    return cases.rows()


def _put_inputs(cases: Cases, case_id: str, run: Item, options: ReadOptions) -> None:
    prompt = picking.text_in(run, "inputs", "prompt", picking.PROMPTS, options)
    context = picking.optional_in(run, "inputs", "context", picking.CONTEXTS, options)
    cases.put(case_id, run.line, "prompt", prompt)
    cases.put(case_id, run.line, "context", context)


def _put_reference(cases: Cases, example: Item, options: ReadOptions) -> None:
    case_id = example.key("id")
    reference = picking.optional_in(
        example, "outputs", "reference", picking.REFERENCES, options
    )
    if case_id is not None:
        cases.put(case_id, example.line, "reference", reference)


def _labels(
    feedback: Iterable[Item],
    runs: Iterable[Item],
    options: ReadOptions,
    problems: Problems,
) -> Iterator[Row]:
    by_id = {str(run.values.get("id")): run for run in runs}
    others = Others(options)
    for group in _groups(feedback):
        row = _label(group, by_id, options, others)
        if row is not None:
            yield row
    others.report(problems)


def _groups(feedback: Iterable[Item]) -> list[list[Item]]:
    """Feedback of one comparison: the API gives it one group id.

    Feedback outside a comparative experiment scores one run alone and is no label.
    """
    found: defaultdict[str, list[Item]] = defaultdict(list)
    for item in feedback:
        if not item.has("comparative_experiment_id"):
            item.notice("feedback on one run alone is no comparison, left out")
        elif (group := item.key("feedback_group_id")) is not None:
            found[group].append(item)
    return list(found.values())


def _label(
    group: list[Item], runs: dict[str, Item], options: ReadOptions, others: Others
) -> Row | None:
    head = group[0]
    if len(group) != _TWO:
        reason = f"{len(group)} scores in one comparison; two runs are compared"
        head.fail("feedback_group_id", reason)
        return None
    sides = [_side(item, runs, options) for item in group]
    if None in sides:
        return None
    (one, case_id, score), (two, case_too, other) = [s for s in sides if s is not None]
    if others.skip(head.line, one, two):
        return None
    if case_id != case_too or one == two:
        head.fail("run_id", "the two runs are not of two systems on one example")
        return None
    choice = _choice(score, other)
    return Row(
        head.line,
        {
            "case_id": case_id,
            "reviewer": _reviewer(head),
            "note": head.values.get("comment") or "",
            **label_values(choice, one, two, options),
        },
    )


def _choice(first: float, second: float) -> SlotChoice:
    """Higher is better; equal scores are a tie."""
    if first == second:
        return SlotChoice.TIE
    return SlotChoice.FIRST if first > second else SlotChoice.SECOND


def _side(
    item: Item, runs: dict[str, Item], options: ReadOptions
) -> tuple[str, str, float] | None:
    run_id, score = item.key("run_id"), item.values.get("score")
    if isinstance(score, bool) or not isinstance(score, int | float):
        item.fail("score", f"must be a number, not {shown(score)}")
        return None
    run = runs.get(run_id or "")
    if run is None:
        item.fail("run_id", f"the file has no run {shown(run_id)}")
        return None
    system, case_id = _system(run, options), run.key("reference_example_id")
    return None if system is None or case_id is None else (system, case_id, score)


def _reviewer(item: Item) -> object:
    """Who gave it: the person where the source names one, otherwise the key."""
    source = item.values.get("feedback_source")
    source = source if isinstance(source, dict) else {}
    return source.get("user_name") or source.get("user_id") or item.values.get("key")


READER = Reader(
    name="langsmith",
    title="LangSmith",
    takes="runs of two experiments, with the examples and the pairwise feedback",
    mapping={
        FileKind.PAIRS: (
            ("case_id", "run: reference_example_id"),
            ("responses.SYSTEM", "run: outputs; SYSTEM is session_name or session_id"),
            ("prompt", "run: inputs"),
            ("context", "run: context or documents in inputs"),
            ("reference", "example: outputs"),
        ),
        FileKind.LABELS: (
            ("case_id", "feedback: reference_example_id of its run"),
            ("systems", "feedback: the two runs of one feedback_group_id"),
            ("outcome", "feedback: score; higher is better, equal is a tie"),
            ("reviewer", "feedback: feedback_source user, otherwise key"),
            ("note", "feedback: comment"),
        ),
    },
    read=read,
    wants=frozenset({Wanted.NAMES, Wanted.FIELDS}),
)
