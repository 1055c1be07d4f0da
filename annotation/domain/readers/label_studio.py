"""Label Studio: tasks with two texts, and their Pairwise or Choices annotations.

The rows are the tasks of the JSON export. A Pairwise result says ``left`` or
``right``: the first or the second text named in the control's ``toName``. Source: the
Label Studio documentation of the task format and of the Pairwise and Choices tags.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.readers.base import FileKind, Reader, Wanted
from annotation.domain.readers.choosing import (
    answering_systems,
    choice_of,
    label_values,
)
from annotation.domain.readers.gathering import Cases, or_error
from annotation.domain.readers.items import items_of, one_of
from annotation.domain.rows import Row
from annotation.domain.values import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from annotation.domain.outcomes import SlotChoice
    from annotation.domain.readers.base import ReadOptions
    from annotation.domain.readers.items import Item
    from annotation.domain.rows import Problems

PROMPTS = ("prompt", "instruction", "question", "input")
ANSWERS = (
    ("answer1", "answer2"),
    ("text1", "text2"),
    ("response1", "response2"),
    ("answer_1", "answer_2"),
    ("response_1", "response_2"),
)
PAIRWISE = "pairwise"
CHOICES = "choices"


def read(
    kind: FileKind, rows: Sequence[Row], options: ReadOptions, problems: Problems
) -> Iterable[Row]:
    """Turn tasks into cases, or their annotations into labels."""
    cases = Cases(problems)
    labels: list[Row] = []
    for item in items_of(rows, problems):
        case_id, data = item.key("id"), item.inside("data")
        systems = answering_systems(item, options)
        if case_id is None or data is None or systems is None:
            continue
        if kind is FileKind.PAIRS:
            _put_case(cases, case_id, data, systems, options)
        else:
            labels += _labels(item, case_id, systems, options)
    found = cases.rows() if kind is FileKind.PAIRS else iter(labels)
    return or_error(found, options, problems)


def _put_case(
    cases: Cases,
    case_id: str,
    data: Item,
    systems: tuple[str, str],
    options: ReadOptions,
) -> None:
    names = _answer_names(data, options)
    prompt = options.fields.get("prompt") or one_of(data, PROMPTS)
    if prompt is None:
        data.fail(None, "no field is surely the prompt: say which (fields)")
    if prompt is None or names is None:
        return
    cases.put(case_id, data.line, "prompt", data.need(prompt))
    for role in ("context", "reference"):
        name = options.fields.get(role, role)
        cases.put(case_id, data.line, role, data.values.get(name) or None)
    for name, system in zip(names, systems, strict=True):
        cases.respond(case_id, data.line, system, data.need(name))


def _answer_names(data: Item, options: ReadOptions) -> tuple[str, str] | None:
    chosen = [options.fields.get(name, "") for name in ("first", "second")]
    if all(chosen):
        return chosen[0], chosen[1]
    found = [pair for pair in ANSWERS if data.has(*pair)]
    if len(found) == 1:
        return found[0]
    keys = ", ".join(shown(key) for key in data.values)
    data.fail(None, f"holds {keys}: say which are the first and second (fields)")
    return None


def _labels(
    task: Item, case_id: str, systems: tuple[str, str], options: ReadOptions
) -> Iterator[Row]:
    for annotation in task.items("annotations"):
        if annotation.values.get("was_cancelled"):
            annotation.notice("a skipped annotation is left out")
            continue
        choice = _choice(annotation, options)
        reviewer = _reviewer(annotation)
        if choice is not None and reviewer is not None:
            said = label_values(choice, *systems, options)
            values = {"case_id": case_id, "reviewer": reviewer, **said}
            yield Row(annotation.line, values)


def _choice(annotation: Item, options: ReadOptions) -> SlotChoice | None:
    """The one result that answers which is better."""
    control = options.fields.get("question")
    found = [
        result
        for result in annotation.items("result")
        if result.values.get("type") in (PAIRWISE, CHOICES)
        and control in (None, result.values.get("from_name"))
    ]
    if len(found) != 1:
        reason = f"has {len(found)} pairwise or choices results; one is needed"
        annotation.fail("result", f"{reason} (say which control: question, in fields)")
        return None
    (result,) = found
    value = result.inside("value")
    if value is None:
        return None
    if result.values["type"] == PAIRWISE:
        return choice_of(value, "selected", value.need("selected"), options)
    chosen = value.list_of("choices")
    if chosen is None or len(chosen) != 1:
        value.fail("choices", f"must be one choice, not {shown(chosen)}")
        return None
    return choice_of(value, "choices", chosen[0], options)


def _reviewer(annotation: Item) -> str | None:
    """Who annotated: an id, or an object with an email or an id."""
    given = annotation.values.get("completed_by")
    if not isinstance(given, dict):
        return annotation.key("completed_by")
    person = annotation.inside("completed_by")
    if person is None:
        return None
    return person.key("email" if person.has("email") else "id")


READER = Reader(
    name="labelstudio",
    title="Label Studio",
    takes="tasks of the JSON export (not JSON-MIN)",
    mapping={
        FileKind.PAIRS: (
            ("case_id", "id"),
            ("prompt", "data: prompt, instruction, question or input"),
            ("responses.FIRST", "data: answer1, text1, response1, ..."),
            ("responses.SECOND", "data: answer2, text2, response2, ..."),
            ("context, reference", "data fields of these names"),
        ),
        FileKind.LABELS: (
            ("case_id", "id"),
            ("reviewer", "annotations: completed_by (email or id)"),
            ("outcome", "annotations: value.selected (left, right) or value.choices"),
            ("systems", "the systems of the first (left) and the second answer"),
        ),
    },
    read=read,
    wants=frozenset({Wanted.ANSWERS, Wanted.FIELDS, Wanted.VALUES}),
)
