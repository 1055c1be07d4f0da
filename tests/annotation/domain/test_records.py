from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.files import read_rows
from annotation.domain.records import parse_cases, parse_labels, parse_verdicts
from tests.annotation.domain.written_rows import AB, CASE, LABEL, VERDICT, rows_of
from tests.shared import shared_data

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from(["", "a", "a|b", "tie", "dev", "first", "baseline_first"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["a", "b", "a|b", "role", "content", "type", "text"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)
NAMES = sorted({*CASE, *LABEL, *VERDICT, "context", "slices", "designed", "split"})


@given(st.dictionaries(st.sampled_from(NAMES), values))
def test_any_shape_gives_a_record_or_errors_never_an_exception(row):
    for parse in (parse_cases, parse_labels, parse_verdicts):
        parsed = parse(rows_of(row), AB)
        assert len(parsed.records) == (1 if parsed.ok else 0)


SYSTEMS = ["bard", "gpt35", "vicuna-13b", "claude", "gpt4"]


def test_published_files_are_read_whole():
    def read(name):
        return read_rows(shared_data(f"prd/{name}").read_bytes(), name)

    cases = parse_cases(read("pairs.jsonl"), SYSTEMS)
    known = {record.case_id for record in cases.records}
    labels = parse_labels(read("labels.jsonl"), SYSTEMS, known)
    verdicts = parse_verdicts(read("verdicts-gpt4.jsonl"), SYSTEMS, known)
    assert (cases.messages(), labels.messages(), verdicts.messages()) == ((), (), ())
    assert (len(known), len(labels.records), len(verdicts.records)) == (80, 1760, 1600)
