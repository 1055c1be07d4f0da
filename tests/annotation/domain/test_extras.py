"""Fields that nothing reads are named, and what they may have been meant for."""

from __future__ import annotations

from annotation.domain.answer_rows import parse_labels, parse_verdicts
from annotation.domain.case_rows import iter_cases
from annotation.domain.extras import kept_as_extra
from annotation.domain.readers.base import FileKind
from annotation.domain.rows import Problems, Row, RowsResult


def row(line: int, **values: object) -> Row:
    return Row(line, values)


def pair(line: int, **more: object) -> Row:
    values = {"case_id": f"c{line}", "prompt": "p", "baseline": "a", "candidate": "b"}
    return Row(line, values | more)


def test_misspelt_columns_are_told_with_what_they_may_mean() -> None:
    problems = Problems()
    rows = [
        pair(1, promt="x", spilt="dev", critcal=True),
        pair(2, promt="y", weather="fine"),
    ]
    assert len(list(iter_cases(rows, ("v1", "v2"), problems))) == 2
    assert kept_as_extra(problems.extra, FileKind.PAIRS) == (
        "kept as extra, not read: promt (2 rows; did you mean prompt?), "
        "spilt (1 row; did you mean split?), "
        "critcal (1 row; did you mean critical?), weather (1 row)"
    )


def test_a_bad_row_tells_its_columns_too() -> None:
    """Where the prompt is missing, the misspelt one is the reason."""
    problems = Problems()
    bad = row(1, case_id="c", promt="p", baseline="a", candidate="b")
    assert list(iter_cases([bad], ("v1", "v2"), problems)) == []
    assert problems.extra == {"promt": 1}


def test_nothing_is_said_where_all_is_read() -> None:
    problems = Problems()
    rows = [pair(1, split="dev", group="g", slices={"a": "b"}, designed="tie")]
    assert len(list(iter_cases(rows, ("v1", "v2"), problems))) == 1
    assert kept_as_extra(problems.extra, FileKind.PAIRS) == ""


def test_labels_and_verdicts_alike() -> None:
    label = row(1, case_id="c", reviewer="r", outcome="tie", nots="n")
    verdict = row(1, case_id="c", order="baseline_first", raw="", modle="m")
    [one] = parse_labels(RowsResult(None, (label,), ()), ("v1", "v2")).records
    [other] = parse_verdicts(RowsResult(None, (verdict,), ()), ("v1", "v2")).records
    assert len(one.extra) == len(other.extra) == 1
    said = kept_as_extra({"nots": 1}, FileKind.LABELS)
    assert said == "kept as extra, not read: nots (1 row; did you mean note?)"


def test_names_from_a_file_stay_on_one_line_and_are_not_endless() -> None:
    found = {f"column {n}\n": 1 for n in range(40)}
    said = kept_as_extra(found, FileKind.PAIRS)
    assert "\n" not in said
    assert said.endswith(", and 10 more")
    assert kept_as_extra({}, FileKind.VERDICTS) == ""
