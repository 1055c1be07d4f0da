"""Whatever a file holds, a reader gives records or errors and never an exception."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.readers.registry import READERS
from tests.annotation.domain.readers.samples import SYSTEMS, read, typed

KEYS = st.sampled_from(
    [
        "id", "data", "fields", "responses", "run_id", "key", "score", "inputs",
        "outputs", "messages", "model", "custom_id", "response", "body", "choices",
        "turns", "question_id", "model_id", "model_1", "model_2", "model_a", "model_b",
        "g1_winner", "g2_winner", "winner", "judge", "turn", "instruction", "output",
        "output_1", "output_2", "generator", "generator_1", "generator_2", "annotator",
        "preference", "annotations", "result", "value", "selected", "type",
        "reference_example_id", "session_id", "comparative_experiment_id",
        "feedback_group_id", "datasetItemId", "traceId", "datasetRunItems", "input",
        "timestamp", "datasetId", "completed_by", "prompt", "response_1", "response_2",
        "content", "role", "status_code", "message",
    ]
)  # fmt: skip
ATOMS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 400)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "heron", "plover", "tie", "left", "pairwise", "x"])
)
VALUES = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6)
    ),
    max_leaves=12,
)
ROWS = st.lists(st.dictionaries(KEYS, VALUES, max_size=10), max_size=4)


@pytest.mark.parametrize(
    ("name", "kind"),
    [(name, kind) for name, reader in READERS.items() for kind in reader.yields],
)
@given(rows=ROWS, answered=st.booleans())
def test_any_rows_give_records_or_errors_never_an_exception(name, kind, rows, answered):
    options: dict[str, Any] = {"answers": SYSTEMS} if answered else {}
    records, problems = read(name, kind, typed(*rows), **options)
    assert records or problems.errors or not rows or name == "evenhand"
    if not problems.errors:
        for record in records:
            assert set(getattr(record, "systems", SYSTEMS)) <= set(SYSTEMS)
