from __future__ import annotations

import json

import pytest

from annotation.domain.files import read_rows
from annotation.domain.outcomes import Outcome, Split
from annotation.domain.records import CaseRecord, Message, parse_cases
from tests.annotation.domain.written_rows import (
    AB,
    ABC,
    CASE,
    changed,
    complaints,
    rows_of,
)


def test_a_full_case():
    full = CASE | {
        "context": [{"role": "system", "content": "Be brief."}],
        "reference": "R",
        "slices": {"lang": "en", "tier": 2, "vip": True, "rate": 0.5, "none": None},
        "critical": True,
        "group": "thread-9",
        "split": "held_out",
        "designed": {"a|b": "abstain"},
        "response_meta": {"a": {"attempts": 1}},
        "source": "tickets",
        "extra": [1],
    }
    parsed = parse_cases(rows_of(full), AB)
    assert parsed.ok
    assert parsed.records == (
        CaseRecord(
            line=1,
            case_id="c1",
            prompt="Q?",
            responses={"a": "one", "b": "two"},
            context=(Message("system", "Be brief."),),
            reference="R",
            slices={"lang": "en", "tier": "2", "vip": "true", "rate": "0.5"},
            critical=True,
            group="thread-9",
            split=Split.HELD_OUT,
            designed={("a", "b"): Outcome.ABSTAIN},
            response_meta={"a": {"attempts": 1}},
            extra={"source": "tickets", "extra": [1]},
        ),
    )


def test_a_small_case_has_empty_rest():
    (record,) = parse_cases(rows_of(CASE), AB).records
    assert (record.context, record.group, record.split) == (None, None, None)
    assert (record.critical, record.slices, record.extra) == (False, {}, {})


def test_null_and_empty_options_are_absent():
    options = {"context": "", "reference": None, "group": "", "split": None}
    assert parse_cases(rows_of(CASE | options), AB) == parse_cases(rows_of(CASE), AB)


def test_responses_come_in_the_sets_order():
    row = changed(CASE, responses={"b": "two", "a": "one"})
    (record,) = parse_cases(rows_of(row), AB).records
    assert list(record.responses) == ["a", "b"]


def test_the_shorthand():
    short = {"case_id": "c1", "prompt": "Q?", "baseline": "one", "candidate": "two"}
    assert parse_cases(rows_of(short), AB) == parse_cases(rows_of(CASE), AB)
    assert complaints(parse_cases(rows_of(short), ABC)) == [
        "line 1, baseline: stands for one of 3 systems: which?"
    ]
    assert complaints(parse_cases(rows_of(changed(short, candidate=...)), AB)) == [
        "line 1, candidate: missing"
    ]
    assert complaints(parse_cases(rows_of(CASE | {"candidate": "x"}), AB)) == [
        "line 1, candidate: give responses, or baseline and candidate, not both"
    ]


def test_a_plain_designed_outcome_of_the_only_pair():
    (record,) = parse_cases(rows_of(CASE | {"designed": "tie"}), AB).records
    assert record.designed == {("a", "b"): Outcome.TIE}


@pytest.mark.parametrize(
    ("changes", "field", "word"),
    [
        ({"case_id": ...}, "case_id", "missing"),
        ({"case_id": None}, "case_id", "missing"),
        ({"case_id": 14}, "case_id", "must be text, not a number"),
        ({"case_id": " "}, "case_id", "is empty"),
        ({"case_id": " c1"}, "case_id", "spaces"),
        ({"case_id": "c\n1"}, "case_id", "cannot be seen"),
        ({"case_id": "c" * 201}, "case_id", "longer than 200"),
        ({"prompt": ...}, "prompt", "missing"),
        ({"prompt": ""}, "prompt", "is empty"),
        ({"prompt": 5}, "prompt", "not a number"),
        ({"prompt": []}, "prompt", "no messages"),
        ({"prompt": [{"role": "user"}]}, "prompt[0].content", "missing"),
        ({"context": {"a": 1}}, "context", "an object"),
        ({"responses": ...}, "responses", "missing"),
        (
            {"responses": ..., "b": "one"},
            "responses",
            "missing; a column of them is called responses.b",
        ),
        ({"responses": ["one", "two"]}, "responses", "not a list"),
        ({"responses": {"a": "one"}}, "responses.b", "missing"),
        ({"responses": {"a": "one", "b": None}}, "responses.b", "missing"),
        ({"responses": {"a": "one", "b": ""}}, "responses.b", "is empty"),
        ({"responses": {"a": "one", "b": 2}}, "responses.b", "not a number"),
        (
            {"responses": {"a": "one", "b": "two", "z": "x"}},
            "responses",
            "unknown system 'z'; the set has a, b",
        ),
        (
            {
                "responses": {
                    "a": "one",
                    "b": [{"role": "assistant", "content": [{"type": "audio"}]}],
                }
            },
            "responses.b[0].content[0]",
            "'audio'",
        ),
        ({"slices": ["x"]}, "slices", "a list"),
        ({"slices": {"k": ["x"]}}, "slices.k", "not a list"),
        ({"slices": {"": "x"}}, "slices", "a key is empty"),
        ({"slices": {"k": " x"}}, "slices.k", "spaces"),
        ({"critical": "false"}, "critical", "true or false, not 'false'"),
        ({"critical": 1}, "critical", "not 1"),
        ({"group": 4}, "group", "a number"),
        ({"split": "test"}, "split", "one of dev, held_out, not 'test'"),
        ({"split": ["dev"]}, "split", "['dev']"),
        ({"designed": {"b|a": "tie"}}, "designed.b|a", "a before b"),
        ({"designed": {"a|z": "tie"}}, "designed.a|z", "no pair"),
        ({"designed": {"a|b": "first"}}, "designed.a|b", "not 'first'"),
        ({"designed": ["tie"]}, "designed", "a list"),
        ({"response_meta": {"z": {}}}, "response_meta", "unknown system"),
        ({"response_meta": {"a": 1}}, "response_meta.a", "a number"),
    ],
)
def test_each_fault_is_named_by_line_field_and_reason(changes, field, word):
    bad = changed(CASE, **({"case_id": "c2"} | changes))
    parsed = parse_cases(rows_of(CASE, bad), AB)
    (error,) = parsed.errors
    assert (error.line, error.field) == (2, field)
    assert word in error.reason
    assert [record.case_id for record in parsed.records] == ["c1"]


def test_a_plain_designed_outcome_needs_a_single_pair():
    row = CASE | {"responses": dict.fromkeys(ABC, "x"), "designed": "tie"}
    assert complaints(parse_cases(rows_of(row), ABC)) == [
        "line 1, designed: must be an object, not text"
    ]


def test_every_fault_of_a_row_is_named_at_once():
    bad = {"prompt": 1, "responses": {"z": "x"}, "critical": "no", "split": "x"}
    fields = [error.field for error in parse_cases(rows_of(bad), AB).errors]
    assert fields == [
        "case_id",
        "prompt",
        "responses.a",
        "responses.b",
        "responses",
        "critical",
        "split",
    ]


def test_an_exact_duplicate_is_a_notice():
    parsed = parse_cases(rows_of(CASE, CASE), AB)
    assert parsed.ok
    assert len(parsed.records) == 1
    assert [str(notice) for notice in parsed.notices] == [
        "line 2: exact duplicate of line 1 ('c1'), left out"
    ]


def test_the_same_id_with_other_content_is_an_error():
    other = changed(CASE, prompt="Q!", slices={"k": "v"})
    assert complaints(parse_cases(rows_of(CASE, other), AB)) == [
        "line 2, case_id: 'c1' is on line 1 with another prompt, slices"
    ]


def test_errors_of_the_file_come_along():
    rows = read_rows(b'{"a": 1\n' + json.dumps(CASE | {"split": 1}).encode(), "x")
    parsed = parse_cases(rows, AB)
    assert [error.line for error in parsed.errors] == [1, 2]


def test_csv_and_jsonl_give_the_same_records():
    table = (
        "case_id,prompt,responses.a,responses.b,slices.lang,critical,designed\r\n"
        "c1,Q?,one,two,en,TRUE,tie\r\n"
    )
    row = CASE | {"slices": {"lang": "en"}, "critical": True, "designed": "tie"}
    (one,) = parse_cases(read_rows(table.encode(), "x.csv"), AB).records
    (two,) = parse_cases(rows_of(row), AB).records
    assert (one.line, two.line) == (2, 1)
    assert all(
        getattr(one, name) == getattr(two, name)
        for name in CaseRecord.__slots__
        if name != "line"
    )


@pytest.mark.parametrize("systems", [[], ["a"], ["a", "a"], ["a", ""], ["a", " b"]])
def test_bad_lists_of_systems_are_refused(systems):
    with pytest.raises(ValueError):
        parse_cases(rows_of(CASE), systems)
