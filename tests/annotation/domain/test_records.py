from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.files import read_rows
from annotation.domain.outcomes import Order, Outcome, Split
from annotation.domain.records import (
    CaseRecord,
    LabelRecord,
    Message,
    VerdictRecord,
    parse_cases,
    parse_labels,
    parse_verdicts,
)
from tests.shared import shared_data

AB = ("a", "b")
ABC = ("a", "b", "c")
CASE = {"case_id": "c1", "prompt": "Q?", "responses": {"a": "one", "b": "two"}}
LABEL = {"case_id": "c1", "reviewer": "ann", "outcome": "tie", "systems": ["a", "b"]}
VERDICT = {
    "case_id": "c1",
    "systems": ["a", "b"],
    "order": "baseline_first",
    "repeat": 1,
    "raw": "[[A]]",
}


def rows_of(*rows):
    return read_rows("\n".join(map(json.dumps, rows)).encode(), "x.jsonl")


def changed(row, **changes):
    merged = row | changes
    return {key: value for key, value in merged.items() if value is not ...}


def complaints(parsed):
    assert not parsed.ok
    return list(parsed.messages())


class TestCases:
    def test_a_full_case(self):
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

    def test_a_small_case_has_empty_rest(self):
        (record,) = parse_cases(rows_of(CASE), AB).records
        assert (record.context, record.group, record.split) == (None, None, None)
        assert (record.critical, record.slices, record.extra) == (False, {}, {})

    def test_null_and_empty_options_are_absent(self):
        options = {"context": "", "reference": None, "group": "", "split": None}
        assert parse_cases(rows_of(CASE | options), AB) == parse_cases(
            rows_of(CASE), AB
        )

    def test_responses_come_in_the_sets_order(self):
        row = changed(CASE, responses={"b": "two", "a": "one"})
        (record,) = parse_cases(rows_of(row), AB).records
        assert list(record.responses) == ["a", "b"]

    def test_the_shorthand(self):
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

    def test_a_plain_designed_outcome_of_the_only_pair(self):
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
            ({"responses": ["one", "two"]}, "responses", "not a list"),
            ({"responses": {"a": "one"}}, "responses.b", "missing"),
            ({"responses": {"a": "one", "b": None}}, "responses.b", "missing"),
            ({"responses": {"a": "one", "b": ""}}, "responses.b", "is empty"),
            ({"responses": {"a": "one", "b": 2}}, "responses.b", "not a number"),
            (
                {"responses": CASE["responses"] | {"z": "x"}},
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
    def test_each_fault_is_named_by_line_field_and_reason(self, changes, field, word):
        bad = changed(CASE, **({"case_id": "c2"} | changes))
        parsed = parse_cases(rows_of(CASE, bad), AB)
        (error,) = parsed.errors
        assert (error.line, error.field) == (2, field)
        assert word in error.reason
        assert [record.case_id for record in parsed.records] == ["c1"]

    def test_a_plain_designed_outcome_needs_a_single_pair(self):
        row = CASE | {"responses": dict.fromkeys(ABC, "x"), "designed": "tie"}
        assert complaints(parse_cases(rows_of(row), ABC)) == [
            "line 1, designed: must be an object, not text"
        ]

    def test_every_fault_of_a_row_is_named_at_once(self):
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

    def test_an_exact_duplicate_is_a_notice(self):
        parsed = parse_cases(rows_of(CASE, CASE), AB)
        assert parsed.ok
        assert len(parsed.records) == 1
        assert [str(notice) for notice in parsed.notices] == [
            "line 2: exact duplicate of line 1 ('c1'), left out"
        ]

    def test_the_same_id_with_other_content_is_an_error(self):
        other = changed(CASE, prompt="Q!", slices={"k": "v"})
        assert complaints(parse_cases(rows_of(CASE, other), AB)) == [
            "line 2, case_id: 'c1' is on line 1 with another prompt, slices"
        ]

    def test_errors_of_the_file_come_along(self):
        rows = read_rows(b'{"a": 1\n' + json.dumps(CASE | {"split": 1}).encode(), "x")
        parsed = parse_cases(rows, AB)
        assert [error.line for error in parsed.errors] == [1, 2]

    def test_csv_and_jsonl_give_the_same_records(self):
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
    def test_bad_lists_of_systems_are_refused(self, systems):
        with pytest.raises(ValueError):
            parse_cases(rows_of(CASE), systems)


class TestLabels:
    def test_a_full_label(self):
        row = LABEL | {"outcome": "candidate", "note": " \U0001f937 ", "strength": 2}
        row["origin"] = "vendor"
        assert parse_labels(rows_of(row), ABC).records == (
            LabelRecord(
                line=1,
                case_id="c1",
                reviewer="ann",
                outcome=Outcome.CANDIDATE,
                systems=("a", "b"),
                note=" \U0001f937 ",
                strength=2,
                extra={"origin": "vendor"},
            ),
        )

    def test_systems_may_be_left_out_with_exactly_two(self):
        row = changed(LABEL, systems=...)
        (record,) = parse_labels(rows_of(row), AB).records
        assert record.systems == ("a", "b")
        assert complaints(parse_labels(rows_of(row), ABC)) == [
            "line 1, systems: missing"
        ]

    @pytest.mark.parametrize(
        ("changes", "field", "word"),
        [
            ({"case_id": "c9"}, "case_id", "unknown case 'c9'"),
            ({"reviewer": ...}, "reviewer", "missing"),
            ({"reviewer": 3}, "reviewer", "a number"),
            ({"outcome": ...}, "outcome", "missing"),
            ({"outcome": "first"}, "outcome", "not 'first'"),
            ({"outcome": "invalid"}, "outcome", "not 'invalid'"),
            ({"outcome": ["tie"]}, "outcome", "['tie']"),
            ({"systems": ["b", "a"]}, "systems", "a before b"),
            ({"systems": ["c", "a"]}, "systems", "a before c"),
            ({"systems": ["a", "z"]}, "systems", "unknown system 'z'"),
            ({"systems": ["a", "a"]}, "systems", "two different"),
            ({"systems": ["a", "b", "c"]}, "systems", "two systems"),
            ({"systems": ["a", 1]}, "systems", "two systems"),
            ({"systems": "a|b"}, "systems", "two systems"),
            ({"note": 5}, "note", "a number"),
            ({"strength": 1}, "strength", "tie has no strength"),
            ({"outcome": "baseline", "strength": 3}, "strength", "between 1 and 2"),
            ({"outcome": "baseline", "strength": True}, "strength", "whole number"),
            ({"outcome": "baseline", "strength": 1.0}, "strength", "whole number"),
        ],
    )
    def test_each_fault_is_named(self, changes, field, word):
        bad = changed(LABEL, **({"reviewer": "bob"} | changes))
        parsed = parse_labels(rows_of(LABEL, bad), ABC, cases={"c1"})
        (error,) = parsed.errors
        assert (error.line, error.field) == (2, field)
        assert word in error.reason

    def test_two_labels_of_one_reviewer_on_one_pair(self):
        other = LABEL | {"outcome": "baseline"}
        elsewhere = LABEL | {"systems": ["a", "c"]}
        parsed = parse_labels(rows_of(LABEL, LABEL, other, elsewhere), ABC)
        assert complaints(parsed) == [
            "line 3: this reviewer's label is on line 1 with another outcome"
        ]
        assert [notice.line for notice in parsed.notices] == [2]
        assert len(parsed.records) == 2


class TestVerdicts:
    def test_a_full_verdict(self):
        row = VERDICT | {"choice": "first", "model": "m-1"}
        assert parse_verdicts(rows_of(row), AB).records == (
            VerdictRecord(
                line=1,
                case_id="c1",
                systems=("a", "b"),
                order=Order.BASELINE_FIRST,
                repeat=1,
                raw="[[A]]",
                choice="first",
                extra={"model": "m-1"},
            ),
        )

    def test_raw_or_choice_alone_and_an_empty_reply(self):
        (choice,) = parse_verdicts(
            rows_of(changed(VERDICT, raw=..., choice="invalid")), AB
        ).records
        assert (choice.raw, choice.choice) == (None, "invalid")
        (empty,) = parse_verdicts(rows_of(changed(VERDICT, raw="")), AB).records
        assert (empty.raw, empty.choice) == ("", None)

    def test_the_first_repeat_needs_no_number(self):
        (record,) = parse_verdicts(rows_of(changed(VERDICT, repeat=...)), AB).records
        assert record.repeat == 1

    @pytest.mark.parametrize(
        ("changes", "field", "word"),
        [
            ({"order": ...}, "order", "missing"),
            ({"order": "ab"}, "order", "baseline_first, candidate_first, not 'ab'"),
            ({"raw": ...}, "raw", "give raw or choice"),
            ({"raw": None, "choice": ""}, "raw", "give raw or choice"),
            ({"raw": {"text": "x"}}, "raw", "an object"),
            ({"choice": "baseline"}, "choice", "not 'baseline'"),
            ({"repeat": 0}, "repeat", "between 1"),
            ({"repeat": "1"}, "repeat", "whole number"),
            ({"systems": ["b", "a"]}, "systems", "a before b"),
            ({"case_id": "c9"}, "case_id", "unknown case"),
        ],
    )
    def test_each_fault_is_named(self, changes, field, word):
        bad = changed(VERDICT, **({"repeat": 2} | changes))
        parsed = parse_verdicts(rows_of(VERDICT, bad), AB, cases={"c1"})
        (error,) = parsed.errors
        assert (error.line, error.field) == (2, field)
        assert word in error.reason

    def test_two_verdicts_in_one_place(self):
        other = VERDICT | {"raw": "[[B]]"}
        swapped = VERDICT | {"order": "candidate_first"}
        parsed = parse_verdicts(rows_of(VERDICT, VERDICT, other, swapped), AB)
        assert complaints(parsed) == [
            "line 3: this order and repeat is on line 1 with another raw"
        ]
        assert [notice.line for notice in parsed.notices] == [2]

    def test_an_empty_csv_reply_is_kept(self):
        table = b"case_id,order,raw\nc1,candidate_first,\n"
        (record,) = parse_verdicts(read_rows(table, "x.csv"), AB).records
        assert (record.raw, record.order) == ("", Order.CANDIDATE_FIRST)


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
