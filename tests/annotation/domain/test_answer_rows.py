from __future__ import annotations

import pytest

from annotation.domain.files import read_rows
from annotation.domain.outcomes import Order, Outcome
from annotation.domain.records import (
    LabelRecord,
    VerdictRecord,
    parse_labels,
    parse_verdicts,
)
from tests.annotation.domain.written_rows import (
    AB,
    ABC,
    LABEL,
    VERDICT,
    changed,
    complaints,
    rows_of,
)


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

    def test_planned_repeats_are_left_out_and_counted(self):
        rows = [LABEL, LABEL | {"outcome": "tie", "retest": True}]
        rows += [LABEL | {"reviewer": "bob", "retest": False}, rows[1]]
        found = parse_labels(rows_of(*rows), ABC)
        assert [r.reviewer for r in found.records] == ["ann", "bob"]
        assert [str(n) for n in found.notices] == [
            (
                "line 2: left out: it is a planned repeat, which never counts, and so "
                "is 1 more"
            )
        ]
        asked = parse_labels(rows_of(LABEL | {"retest": "perhaps"}), ABC)
        assert "must be true or false" in complaints(asked)[0]

    @pytest.mark.parametrize("turned", [False, True])
    def test_the_newest_of_two_rounds_or_revisions_counts(self, turned):
        told = {"created_at": "2030-05-06T09:00:00+00:00", "round": "one"}
        later = {"created_at": "2030-05-06T09:00:00.5+00:00", "outcome": "tie"}
        for other in ({"round": "two"}, {"revision": 2}):
            rows = [LABEL | told, LABEL | told | later | other]
            found = parse_labels(rows_of(*(rows[::-1] if turned else rows)), ABC)
            assert [r.outcome for r in found.records] == [Outcome.TIE]
            assert [str(n) for n in found.notices] == [
                (
                    f"line {1 + turned}: left out: it is older than another label of "
                    "its reviewer"
                )
            ]
        # Without a time, or in one round and revision, neither is the newer one.
        for rest in ({"round": "two"}, told | {"note": "other"}):
            assert not parse_labels(rows_of(LABEL | told, LABEL | rest), ABC).ok

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
            ({"case_id": "c9"}, "case_id", "the gold set has no case 'c9'"),
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
            ({"case_id": "c9"}, "case_id", "the gold set has no case 'c9'"),
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
