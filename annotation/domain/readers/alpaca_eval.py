"""AlpacaEval: outputs of models, and the annotations that compare two of them.

Annotations don't say in which order the annotator saw the two outputs (AlpacaEval
shuffles them and turns the answer back), so they become labels of the annotator, never
verdicts. Source: alpaca_eval, annotators/pairwise_evaluator.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.outcomes import SlotChoice
from annotation.domain.readers.base import FileKind, Reader, Wanted
from annotation.domain.readers.choosing import label_values
from annotation.domain.readers.gathering import Cases, Others, made_id, or_error
from annotation.domain.readers.items import items_of
from annotation.domain.rows import Row
from annotation.domain.values import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from annotation.domain.readers.base import ReadOptions
    from annotation.domain.readers.items import Item
    from annotation.domain.rows import Problems

# 0 is how its first versions wrote a tie.
PREFERENCES = {
    1.0: SlotChoice.FIRST,
    2.0: SlotChoice.SECOND,
    1.5: SlotChoice.TIE,
    0.0: SlotChoice.TIE,
}
LOWEST, HIGHEST = 1, 2


def read(
    kind: FileKind, rows: Sequence[Row], options: ReadOptions, problems: Problems
) -> Iterable[Row]:
    """Turn outputs or annotations into cases, annotations into labels."""
    others = Others(options)
    items = items_of(rows, problems)
    if kind is FileKind.PAIRS:
        found: Iterable[Row] = _cases(items, options, others, problems)
    else:
        found = _labels(items, options, others)
    return or_error(_reported(found, others, problems), options, problems)


def _reported(
    found: Iterable[Row], others: Others, problems: Problems
) -> Iterable[Row]:
    yield from found
    others.report(problems)


def _case(item: Item) -> tuple[str, str] | None:
    """Id and prompt: the instruction, with the old format's input below it."""
    instruction = item.text("instruction")
    if instruction is None:
        return None
    extra = item.text("input", required=False)
    prompt = f"{instruction}\n\n{extra}" if extra else instruction
    return made_id("alpaca", prompt), prompt


def _outputs(item: Item) -> list[tuple[str, str]]:
    """The fields of (generator, output) that the row has."""
    if item.has("output_1"):
        return [("generator_1", "output_1"), ("generator_2", "output_2")]
    return [("generator", "output")]


def _cases(
    items: Iterable[Item], options: ReadOptions, others: Others, problems: Problems
) -> Iterator[Row]:
    cases = Cases(problems)
    for item in items:
        case = _case(item)
        if case is None:
            continue
        for generator, output in _outputs(item):
            name, text = item.key(generator), item.text(output)
            if name is None or text is None:
                continue
            system = options.system(name)
            if not others.skip(item.line, system):
                cases.respond(case[0], item.line, system, text)
                cases.put(case[0], item.line, "prompt", case[1])
                if item.has("dataset"):
                    slices = {"dataset": item.values["dataset"]}
                    cases.put(case[0], item.line, "slices", slices)
    return cases.rows()


def _labels(
    items: Iterable[Item], options: ReadOptions, others: Others
) -> Iterator[Row]:
    for item in items:
        case, reviewer = _case(item), item.key("annotator")
        one, two = item.key("generator_1"), item.key("generator_2")
        if case is None or reviewer is None or one is None or two is None:
            continue
        one, two = options.system(one), options.system(two)
        if others.skip(item.line, one, two):
            continue
        choice = _preference(item)
        if choice is not None:
            said = label_values(choice, one, two, options)
            yield Row(item.line, {"case_id": case[0], "reviewer": reviewer, **said})


def _preference(item: Item) -> SlotChoice | None:
    value = item.values.get("preference")
    if value is None:
        item.notice("the annotator gave no preference, left out")
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        item.fail("preference", f"must be 1, 2 or 1.5, not {shown(value)}")
        return None
    choice = PREFERENCES.get(float(value))
    if choice is None and LOWEST < value < HIGHEST:
        reason = f"{shown(value)} is a weight between the two, not a choice"
        item.fail("preference", f"{reason}; take the unweighted annotations")
    elif choice is None:
        item.fail("preference", f"must be 1, 2 or 1.5, not {shown(value)}")
    return choice


READER = Reader(
    name="alpacaeval",
    title="AlpacaEval",
    takes="model_outputs.json of each model, or annotations.json",
    mapping={
        FileKind.PAIRS: (
            ("case_id", "made from the instruction (alpaca-...)"),
            ("prompt", "instruction, with input below it where there is one"),
            ("responses.SYSTEM", "output; SYSTEM is generator (or output_1, output_2)"),
            ("slices.dataset", "dataset"),
        ),
        FileKind.LABELS: (
            ("case_id", "made from the instruction"),
            ("reviewer", "annotator"),
            ("systems", "generator_1 and generator_2"),
            ("outcome", "preference: 1, 2, or 1.5 (0 in old files) for a tie"),
        ),
    },
    read=read,
    wants=frozenset({Wanted.NAMES}),
)
