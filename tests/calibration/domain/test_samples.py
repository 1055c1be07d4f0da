from __future__ import annotations

import re
from dataclasses import replace

import pytest

from annotation.domain.outcomes import Order, Outcome, Split
from calibration.domain.samples import CallOutcome, Sample
from judging.domain.terms import Consistency, InvalidReason, JudgeOutcome, TieSource
from tests.calibration.factory import SYSTEMS, call, row, rows


def test_sorts_rows_by_pair():
    """So that the order in which a database gives rows changes no byte."""
    built = Sample.build(reversed(rows(["BB", "CC", "TB"])), SYSTEMS)
    assert len(built) == 3
    assert [r.pair for r in built.rows] == ["p0", "p1", "p2"]
    assert built.systems == SYSTEMS


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"systems": ("old", "other")}, "unknown system 'other'"),
        ({"systems": ("new", "old")}, "not in the set's order"),
        ({"systems": ("old", "old")}, "not in the set's order"),
        ({"gold": "tie"}, "'tie' is not in the vocabulary"),
        ({"gold": JudgeOutcome.INVALID}, "not in the vocabulary"),
        ({"split": "dev"}, "'dev' is not in the vocabulary"),
        ({"labels": ("tie",)}, "'tie' is not in the vocabulary"),
        ({"verdict": "baseline"}, "'baseline' is not in the vocabulary"),
        ({"consistency": Consistency.FLIP}, "are consistent, not flip"),
        ({"verdict": JudgeOutcome.INVALID}, "invalid exactly when an order is"),
        ({"verdict": JudgeOutcome.CANDIDATE}, "no order said candidate"),
        (
            {"verdict": JudgeOutcome.TIE, "tie_source": TieSource.STATED},
            "both orders said baseline, yet the verdict is tie",
        ),
        ({"tie_source": TieSource.STATED}, "only a tie has a tie source"),
    ],
)
def test_refuses_a_row_that_contradicts_itself(changes, problem):
    bad = replace(row("B", "B", pair="the-pair"), **changes)
    said = f"pair 'the-pair': .*{re.escape(problem)}"
    with pytest.raises(ValueError, match=said):
        Sample.build([bad], SYSTEMS)
    # What others said that are fine is not checked again: not so what only equals it.
    good = row("B", "B", pair="a-pair", case="another", cluster="another")
    with pytest.raises(ValueError, match=said):
        Sample.build([good, bad], SYSTEMS)


@pytest.mark.parametrize(
    ("letters", "changes", "problem"),
    [
        ("BBC", {"tie_source": TieSource.STATED}, "comes from flip, not from stated"),
        ("BBT", {"tie_source": None}, "comes from transition, not from None"),
        ("BBI", {"verdict": JudgeOutcome.TIE}, "invalid exactly when an order is"),
        ("BBA", {"verdict": JudgeOutcome.BASELINE}, "an order abstained"),
    ],
)
def test_refuses_a_verdict_that_does_not_follow(letters, changes, problem):
    with pytest.raises(ValueError, match=problem):
        Sample.build([row(*letters, **changes)], SYSTEMS)


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (
            CallOutcome(Order.BASELINE_FIRST, 1, JudgeOutcome.INVALID),
            "has a reason and no choice",
        ),
        (
            CallOutcome(Order.BASELINE_FIRST, 1, JudgeOutcome.TIE),
            "has a choice and no reason",
        ),
        (
            CallOutcome(
                Order.CANDIDATE_FIRST,
                1,
                JudgeOutcome.BASELINE,
                call("B", Order.BASELINE_FIRST).choice,
            ),
            "first does not mean baseline in this order",
        ),
        (
            CallOutcome(
                Order.BASELINE_FIRST,
                1,
                JudgeOutcome.TIE,
                call("T", Order.BASELINE_FIRST).choice,
                InvalidReason.EMPTY,
            ),
            "has a choice and no reason",
        ),
    ],
)
def test_refuses_a_call_that_contradicts_itself(bad, problem):
    with pytest.raises(ValueError, match=problem):
        Sample.build([row("B", "B", calls=(bad,))], SYSTEMS)


def test_refuses_two_calls_with_one_number():
    twice = (call("B", Order.BASELINE_FIRST), call("B", Order.BASELINE_FIRST))
    with pytest.raises(ValueError, match="same order and repeat"):
        Sample.build([row("B", "B", calls=twice)], SYSTEMS)


def test_refuses_repeated_pairs():
    with pytest.raises(ValueError, match="pair 'p' occurs twice"):
        Sample.build([row("B", "B"), row("C", "B", case="d")], SYSTEMS)
    with pytest.raises(ValueError, match="pair 'q' has the same case and systems"):
        Sample.build([row("B", "B"), row("C", "B", pair="q")], SYSTEMS)


def test_refuses_a_case_in_two_clusters():
    two = [
        row("B", "B", cluster="g"),
        row("B", "B", pair="q", cluster="h", systems=("old", "newer")),
    ]
    with pytest.raises(ValueError, match="pair 'q': case 'c' is in two clusters"):
        Sample.build(two, (*SYSTEMS, "newer"))


def test_refuses_repeated_systems():
    with pytest.raises(ValueError, match="systems repeat"):
        Sample.build([], ("old", "old"))


def test_mean_strength_may_decide_a_flip():
    decided = row("B", "B", "C", verdict=JudgeOutcome.CANDIDATE, tie_source=None)
    assert len(Sample.build([decided], SYSTEMS)) == 1


def test_agree_else_abstain_may_abstain_on_a_flip():
    given = row("B", "B", "C", verdict=JudgeOutcome.ABSTAIN, tie_source=None)
    assert len(Sample.build([given], SYSTEMS)) == 1


def test_where_keeps_one_split_with_its_calls():
    mixed = [
        *rows(["BB", "CI"], split=Split.DEV),
        row("T", "T", pair="x", case="x", split=Split.HELD_OUT),
        row("T", "T", pair="y", case="y"),
    ]
    dev = Sample.build(mixed, SYSTEMS).where(split=Split.DEV)
    assert [r.pair for r in dev.rows] == ["p0", "p1"]
    assert dev.columns.calls.row.tolist() == [0, 0, 1, 1]
    assert (dev.columns.calls.reason >= 0).sum() == 2


def test_a_selection_counts_like_a_sample_of_its_own():
    mixed = rows(["BB", "CC", "TBC"], split=Split.DEV)
    mixed += [row("T", "A", pair="x", case="x", split=Split.HELD_OUT)]
    chosen = Sample.build(mixed, SYSTEMS).where(split=Split.HELD_OUT)
    alone = Sample.build(mixed[3:], SYSTEMS)
    for name in ("gold", "verdict", "cluster", "case", "consistency"):
        ours = getattr(chosen.columns, name)
        assert ours.tolist() == getattr(alone.columns, name).tolist()
    assert chosen.columns.calls.row.tolist() == [0, 0]


def test_by_slice_sorts_and_leaves_out_pairs_without_the_key():
    mixed = rows(["BB", "CC"], slices={"lang": "fr"})
    mixed += [row("T", "T", pair="x", case="x", slices={"lang": "en", "kind": "z"})]
    mixed += [row("T", "T", pair="y", case="y")]
    parts = Sample.build(mixed, SYSTEMS).by_slice()
    sizes = {key: {v: len(s) for v, s in vs.items()} for key, vs in parts.items()}
    assert sizes == {"kind": {"z": 1}, "lang": {"en": 1, "fr": 2}}
    assert list(sizes) == ["kind", "lang"]
    assert list(sizes["lang"]) == ["en", "fr"]


def test_critical_pairs():
    mixed = [row("B", "B", critical=True), row("B", "C", pair="q", case="d")]
    assert [r.pair for r in Sample.build(mixed, SYSTEMS).critical().rows] == ["p"]


def test_labels_are_counted_by_outcome():
    labels = (Outcome.TIE, Outcome.TIE, Outcome.ABSTAIN)
    built = Sample.build([row("T", "T", labels=labels)], SYSTEMS)
    assert built.columns.label_counts.tolist() == [[0, 0, 2, 1]]
