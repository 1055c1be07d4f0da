"""Argilla: records with two answers as fields, and people's responses to a question.

The rows are ``dataset.records.to_json`` (nested, or flattened with
``q.responses``). Source: Record.to_dict and GenericIO of the Argilla SDK.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.outcomes import SlotChoice
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

    from annotation.domain.readers.base import ReadOptions
    from annotation.domain.readers.items import Item
    from annotation.domain.rows import Problems

PROMPTS = ("prompt", "instruction", "question", "input", "chat")
ANSWERS = (
    ("response_1", "response_2"),
    ("response_a", "response_b"),
    ("response-1", "response-2"),
    ("answer_1", "answer_2"),
    ("completion_1", "completion_2"),
)
SUBMITTED = "submitted"


def read(
    kind: FileKind, rows: Sequence[Row], options: ReadOptions, problems: Problems
) -> Iterable[Row]:
    """Turn records into cases, or the responses to one question into labels."""
    cases = Cases(problems)
    labels: list[Row] = []
    for item in items_of(rows, problems):
        fields = item.inside("fields") if "fields" in item.values else item
        names = None if fields is None else _answer_fields(fields, options)
        systems = answering_systems(item, options)
        case_id = item.key("id")
        if fields is None or names is None or systems is None or case_id is None:
            continue
        if kind is FileKind.PAIRS:
            _put_case(cases, case_id, fields, names, systems, options)
        else:
            labels += _labels(item, case_id, names, systems, options)
    found = cases.rows() if kind is FileKind.PAIRS else iter(labels)
    return or_error(found, options, problems)


def _answer_fields(fields: Item, options: ReadOptions) -> tuple[str, str] | None:
    """The two answers' fields: as a person named them, or a pair of known names."""
    chosen = [options.fields.get(name, "") for name in ("first", "second")]
    if all(chosen):
        return chosen[0], chosen[1]
    found = [pair for pair in ANSWERS if fields.has(*pair)]
    if len(found) == 1:
        return found[0]
    keys = ", ".join(shown(key) for key in fields.values)
    fields.fail(None, f"holds {keys}: say which are the first and second (fields)")
    return None


def _put_case(
    cases: Cases,
    case_id: str,
    fields: Item,
    names: tuple[str, str],
    systems: tuple[str, str],
    options: ReadOptions,
) -> None:
    prompt = options.fields.get("prompt") or one_of(fields, PROMPTS)
    if prompt is None:
        fields.fail(None, "no field is surely the prompt: say which (fields)")
        return
    cases.put(case_id, fields.line, "prompt", fields.need(prompt))
    for role in ("context", "reference"):
        name = options.fields.get(role, role)
        cases.put(case_id, fields.line, role, fields.values.get(name) or None)
    for name, system in zip(names, systems, strict=True):
        cases.respond(case_id, fields.line, system, fields.need(name))


def _labels(
    item: Item,
    case_id: str,
    names: tuple[str, str],
    systems: tuple[str, str],
    options: ReadOptions,
) -> Iterator[Row]:
    for path, user, value in _responses(item, options):
        choice = _choice(item, path, value, options, names)
        if choice is not None:
            said = label_values(choice, *systems, options)
            yield Row(item.line, {"case_id": case_id, "reviewer": user, **said})


def _responses(
    item: Item, options: ReadOptions
) -> Iterator[tuple[str, object, object]]:
    """(path, who, what) of each submitted response to the one question."""
    nested = item.values.get("responses")
    questions = list(nested) if isinstance(nested, dict) else _flat_questions(item)
    name = options.fields.get("question") or (questions[0] if questions else "")
    if len(questions) > 1 and "question" not in options.fields:
        asked = ", ".join(map(shown, questions))
        item.fail("responses", f"answers {asked}: say which is the question (fields)")
        return
    if isinstance(nested, dict):
        inside = item.inside("responses")
        for answer in inside.items(name) if inside and name in nested else ():
            yield (
                answer.where("value"),
                answer.values.get("user_id"),
                answer.need("value"),
            )
        return
    yield from _flat_responses(item, f"{name}.responses")


def _flat_questions(item: Item) -> list[str]:
    end = ".responses"
    return [k.removesuffix(end) for k in item.values if k.endswith(end)]


def _flat_responses(item: Item, name: str) -> Iterator[tuple[str, object, object]]:
    if not item.has(name):
        return
    values, users = item.list_of(name), item.list_of(f"{name}.users")
    if values is None or users is None:
        return
    states = item.values.get(f"{name}.status")
    states = states if isinstance(states, list) else [SUBMITTED] * len(values)
    if not len(values) == len(users) == len(states):
        item.fail(name, "has another length than its users or status")
        return
    for place, (value, user, state) in enumerate(
        zip(values, users, states, strict=True)
    ):
        if state in (SUBMITTED, None):
            yield f"{name}[{place}]", user, value
        else:
            item.notice(f"a response that is {shown(state)} is left out")


def _choice(
    item: Item,
    path: str,
    value: object,
    options: ReadOptions,
    names: tuple[str, str],
) -> SlotChoice | None:
    if isinstance(value, list):
        return _ranked(item, path, value, names)
    return choice_of(item, path, value, options, names)


def _ranked(
    item: Item, path: str, value: list[object], names: tuple[str, str]
) -> SlotChoice | None:
    """A ranking of the two answers: the smaller rank is better, equal ranks a tie."""
    ranks = {
        entry.get("value"): entry.get("rank")
        for entry in value
        if isinstance(entry, dict)
    }
    first, second = (ranks.get(name) for name in names)
    if not isinstance(first, int) or not isinstance(second, int) or len(ranks) != 2:  # noqa: PLR2004 - a pair
        item.fail(path, f"must rank {names[0]} and {names[1]}, not {shown(value)}")
        return None
    if first == second:
        return SlotChoice.TIE
    return SlotChoice.FIRST if first < second else SlotChoice.SECOND


READER = Reader(
    name="argilla",
    title="Argilla",
    takes="records as dataset.records.to_json writes them",
    mapping={
        FileKind.PAIRS: (
            ("case_id", "id"),
            ("prompt", "fields: prompt, instruction, question, input or chat"),
            ("responses.FIRST", "fields: response_1, response_a, answer_1, ..."),
            ("responses.SECOND", "fields: response_2, response_b, answer_2, ..."),
            ("context, reference", "fields of these names"),
        ),
        FileKind.LABELS: (
            ("case_id", "id"),
            ("reviewer", "responses: user_id"),
            ("outcome", "responses: value (a label or a ranking of the two answers)"),
            ("systems", "the systems of the first and the second answer"),
        ),
    },
    read=read,
    wants=frozenset({Wanted.ANSWERS, Wanted.FIELDS, Wanted.VALUES}),
)
