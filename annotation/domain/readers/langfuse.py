"""Langfuse: dataset runs joined with their traces and the dataset's items.

The rows are what the public API gives: dataset runs with ``datasetRunItems``, or run
items alone; traces; dataset items. Source: the Langfuse OpenAPI description
(DatasetRunWithItems, DatasetRunItem, Trace, DatasetItem).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.readers import picking
from annotation.domain.readers.base import FileKind, Reader, Wanted
from annotation.domain.readers.gathering import Cases, Others, or_error
from annotation.domain.readers.items import items_of
from annotation.domain.values import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from annotation.domain.readers.base import ReadOptions
    from annotation.domain.readers.items import Item
    from annotation.domain.rows import Problems, Row


def read(
    _kind: FileKind, rows: Sequence[Row], options: ReadOptions, problems: Problems
) -> Iterable[Row]:
    """Turn run items, traces and dataset items into cases."""
    run_items: list[Item] = []
    traces: dict[str, Item] = {}
    dataset: dict[str, Item] = {}
    for item in items_of(rows, problems):
        if "datasetRunItems" in item.values:
            run_items += item.items("datasetRunItems")
        elif item.has("datasetItemId", "traceId"):
            run_items.append(item)
        elif item.has("id") and _is_dataset_item(item):
            dataset[str(item.values["id"])] = item
        elif item.has("id", "timestamp"):
            traces[str(item.values["id"])] = item
        else:
            item.fail(None, "is no dataset run, no run item, no trace, no dataset item")
    found = _cases(run_items, traces, dataset, options, problems)
    return or_error(found.rows(), options, problems)


def _is_dataset_item(item: Item) -> bool:
    return item.has("datasetId") or item.has("datasetName")


def _cases(
    run_items: Iterable[Item],
    traces: dict[str, Item],
    dataset: dict[str, Item],
    options: ReadOptions,
    problems: Problems,
) -> Cases:
    cases, others = Cases(problems), Others(options)
    for item in run_items:
        run, case_id = item.key("datasetRunName"), item.key("datasetItemId")
        trace_id = item.key("traceId")
        if run is None or case_id is None or trace_id is None:
            continue
        system = options.system(run)
        if others.skip(item.line, system):
            continue
        trace, source = traces.get(trace_id), dataset.get(case_id)
        if trace is None:
            item.fail("traceId", f"the files have no trace {shown(trace_id)}")
            continue
        output = picking.text_in(
            trace, "output", "response", picking.RESPONSES, options
        )
        cases.respond(case_id, trace.line, system, output)
        _put_question(cases, case_id, source or trace, options)
    others.report(problems)
    return cases


def _put_question(cases: Cases, case_id: str, item: Item, options: ReadOptions) -> None:
    """The dataset item says what was asked; without it, the trace does."""
    prompt = picking.text_in(item, "input", "prompt", picking.PROMPTS, options)
    context = picking.optional_in(item, "input", "context", picking.CONTEXTS, options)
    reference = picking.optional_in(
        item, "expectedOutput", "reference", picking.REFERENCES, options
    )
    cases.put(case_id, item.line, "prompt", prompt)
    cases.put(case_id, item.line, "context", context)
    cases.put(case_id, item.line, "reference", reference)


READER = Reader(
    name="langfuse",
    title="Langfuse",
    takes="dataset runs (or run items), their traces, and the dataset's items",
    mapping={
        FileKind.PAIRS: (
            ("case_id", "run item: datasetItemId"),
            ("responses.SYSTEM", "trace: output; SYSTEM is datasetRunName"),
            ("prompt", "dataset item: input (without the item: trace: input)"),
            ("context", "dataset item: context or documents in input"),
            ("reference", "dataset item: expectedOutput"),
        ),
    },
    read=read,
    wants=frozenset({Wanted.NAMES, Wanted.FIELDS}),
)
