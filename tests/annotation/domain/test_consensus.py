from __future__ import annotations

import json
from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.consensus import (
    ConsensusRule,
    Open,
    OpenReason,
    Settled,
    consensus,
)
from annotation.domain.outcomes import Outcome
from tests.shared import shared_data

B, C, T, A = Outcome.BASELINE, Outcome.CANDIDATE, Outcome.TIE, Outcome.ABSTAIN
MAJORITY = ConsensusRule.MAJORITY_ELSE_ADJUDICATE
UNANIMOUS = ConsensusRule.UNANIMOUS_ELSE_ADJUDICATE
MODE = ConsensusRule.MODE_OR_TIE

outcomes = st.lists(st.sampled_from(Outcome), max_size=7)


@pytest.mark.parametrize(
    ("rule", "given", "wanted", "expected"),
    [
        (MAJORITY, [B, B, C], 3, Settled(B, 2, 3)),
        (MAJORITY, [A, A, C], 3, Settled(A, 2, 3)),
        (MAJORITY, [T], 1, Settled(T, 1, 1)),
        (MAJORITY, [B, C], 2, Open(OpenReason.DISPUTED, 2, 0.0)),
        (MAJORITY, [B, B, C, C], 4, Open(OpenReason.DISPUTED, 4, 1 / 3)),
        (MAJORITY, [B, B, C, T], 4, Open(OpenReason.DISPUTED, 4, 1 / 6)),
        (MAJORITY, [B, C, T], 3, Open(OpenReason.DISPUTED, 3, 0.0)),
        (MAJORITY, [B, B], 3, Open(OpenReason.TOO_FEW_LABELS, 2, 1.0)),
        (MAJORITY, [B], 2, Open(OpenReason.TOO_FEW_LABELS, 1, None)),
        (MAJORITY, [B, B, B], 2, Settled(B, 3, 3)),
        (UNANIMOUS, [B, B, B], 3, Settled(B, 3, 3)),
        (UNANIMOUS, [B, B, T], 3, Open(OpenReason.DISPUTED, 3, 1 / 3)),
        (UNANIMOUS, [B], 2, Open(OpenReason.TOO_FEW_LABELS, 1, None)),
        (MODE, [B, B, C], 3, Settled(B, 2, 3)),
        (MODE, [C], 3, Settled(C, 1, 1)),
        (MODE, [B, C], 2, Settled(T, 0, 2)),
        (MODE, [B, C, T], 3, Settled(T, 1, 3)),
        (MODE, [B, B, A, A, C], 3, Settled(T, 0, 5)),
    ],
)
def test_rules(rule, given, wanted, expected):
    result = consensus(given, rule, wanted)
    if isinstance(expected, Open) and expected.agreement is not None:
        assert result.agreement == pytest.approx(expected.agreement)
        result = Open(result.reason, result.of, expected.agreement)
    assert result == expected


@pytest.mark.parametrize("rule", ConsensusRule)
def test_no_labels_is_no_gold_under_every_rule(rule):
    assert consensus([], rule, 3) == Open(OpenReason.NO_LABELS, 0, None)


def test_nonsense_is_refused():
    with pytest.raises(ValueError):
        consensus([B], MAJORITY, 0)
    with pytest.raises(ValueError):
        consensus(["invalid"], MAJORITY, 1)
    with pytest.raises(ValueError):
        consensus([B], "first_voter", 1)


def test_stored_strings_work_as_members():
    assert consensus(["baseline"], "mode_or_tie", 1) == Settled(B, 1, 1)


@given(outcomes, st.integers(1, 5), st.sampled_from(ConsensusRule), st.randoms())
def test_who_labelled_first_is_irrelevant(given, wanted, rule, random):
    shuffled = random.sample(given, len(given))
    assert consensus(given, rule, wanted) == consensus(shuffled, rule, wanted)


@given(outcomes, st.integers(1, 5))
def test_disagreement_becomes_a_tie_only_under_mode_or_tie(given, wanted):
    for rule in (MAJORITY, UNANIMOUS):
        result = consensus(given, rule, wanted)
        if isinstance(result, Settled):
            assert 2 * given.count(result.outcome) > len(given) >= wanted
            assert result.support == given.count(result.outcome)


@given(outcomes, st.integers(1, 5))
def test_what_is_unanimous_is_a_majority_too(given, wanted):
    unanimous = consensus(given, UNANIMOUS, wanted)
    if isinstance(unanimous, Settled):
        assert consensus(given, MAJORITY, wanted) == unanimous


def test_mode_or_tie_reproduces_a_published_set():
    lines = shared_data("prd/labels.jsonl").read_text("utf-8").splitlines()
    votes = defaultdict(list)
    for row in map(json.loads, lines):
        votes[row["case_id"], *row["systems"]].append(row["outcome"])
    gold = Counter(consensus(given, MODE, 3).outcome for given in votes.values())
    expected = json.loads(shared_data("prd/expected.json").read_text("utf-8"))
    assert gold == expected["gpt4"]["gold_counts"]
