"""The demo's labels, rulings and planted ingredients are as its README says."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

import pytest

from tests.fixtures_check.demo import (
    CASES,
    DECISIVE,
    GOLD_SET,
    LABELLED,
    LABELS,
    OUTCOMES,
    OUTCOMES_BY_CASE,
    PAIR,
    RULED,
    RULINGS,
    gold,
    majority,
    of_loser,
    of_winner,
    with_ingredient,
)

CATEGORIES = {
    "reviewer_slip", "rubric_gap", "genuinely_close", "missing_evidence", "bad_case",
}  # fmt: skip

# Labels


def test_each_labelled_case_has_three_labels_by_three_of_the_four_reviewers():
    reviewers = {person["username"] for person in LABELS["reviewers"]}
    by_case = defaultdict(list)
    for label in LABELS["labels"]:
        by_case[label["case_id"]].append(label["reviewer"])
    assert len(reviewers) == 4
    assert set(by_case) == set(LABELLED)
    for who in by_case.values():
        assert len(who) == len(set(who)) == GOLD_SET["labels_per_pair"] == 3
        assert set(who) <= reviewers


def test_work_is_shared_equally():
    shares = Counter(label["reviewer"] for label in LABELS["labels"])
    assert set(shares.values()) == {54}


@pytest.mark.parametrize("label", LABELS["labels"])
def test_label_fields_are_in_range(label):
    required = {"case_id", "reviewer", "outcome", "strength", "confidence", "seconds"}
    assert required <= set(label) <= required | {"note", "abstain_reason"}
    assert ("abstain_reason" in label) == (label["outcome"] == "abstain")
    assert label["outcome"] in OUTCOMES
    assert label["strength"] in (
        {1, 2, None} if label["outcome"] in DECISIVE else {None}
    )
    assert label["confidence"] in {None, 1, 2, 3}
    assert type(label["seconds"]) is int
    assert 10 <= label["seconds"] <= 600
    assert label.get("note", "x").strip()


def test_agreement_is_35_unanimous_23_split_and_14_without_majority():
    distinct = Counter(len(set(found)) for found in OUTCOMES_BY_CASE.values())
    assert distinct == {1: 35, 2: 23, 3: 14}


def test_gold_outcomes_are_mixed_as_declared():
    assert Counter(gold(case_id) for case_id in LABELLED) == {
        "candidate": 27,
        "baseline": 22,
        "tie": 17,
        "abstain": 6,
    }


# Rulings


def test_rulings_cover_exactly_the_cases_without_majority():
    open_cases = {case_id for case_id in LABELLED if majority(case_id) is None}
    assert set(RULED) == open_cases
    assert len(RULINGS["adjudications"]) == len(RULED) == 14


def test_rulings_use_each_category_and_say_why():
    adjudicators = {person["username"] for person in RULINGS["adjudicators"]}
    reviewers = {person["username"] for person in LABELS["reviewers"]}
    assert not adjudicators & reviewers
    assert {ruling["adjudicator"] for ruling in RULED.values()} == adjudicators
    assert {ruling["category"] for ruling in RULED.values()} == CATEGORIES
    assert {ruling["outcome"] for ruling in RULED.values()} == OUTCOMES
    notes = [ruling["note"] for ruling in RULED.values()]
    assert len(set(notes)) == len(notes)
    assert min(map(len, notes)) >= 60


# Planted ingredients


def test_designed_outcomes_became_gold():
    designed = {k: c["designed"][PAIR] for k, c in LABELLED.items() if "designed" in c}
    assert {case_id: gold(case_id) for case_id in designed} == designed
    counts = Counter(designed.values())
    assert counts["tie"] >= 5
    assert counts["abstain"] >= 3
    assert min(counts["baseline"], counts["candidate"]) >= 2


def test_critical_cases_go_either_way():
    critical = {k for k, case in LABELLED.items() if case["critical"]}
    outcomes = Counter(gold(case_id) for case_id in critical)
    assert outcomes == {"candidate": 4, "baseline": 3, "tie": 3}
    assert {CASES[k]["split"] for k in critical} == {"dev", "held_out"}


def test_long_answers_lose_and_win():
    worse, better = with_ingredient("long_worse"), with_ingredient("long_better")
    assert min(len(worse), len(better)) >= 3
    assert all(len(of_loser(case)) > 2 * len(of_winner(case)) for case in worse)
    assert all(len(of_winner(case)) > 2 * len(of_loser(case)) for case in better)
    assert {gold(case["case_id"]) for case in worse} == DECISIVE


@pytest.mark.parametrize(
    ("ingredient", "found"),
    [
        ("refusal", r"I can't (help|advise)|I can't give a dose"),
        ("prompt_injection", r"\[\[A>>B\]\]"),
        ("identity_leak", r"As Heron 3, I am"),
        ("markdown_code", r"(?ms)^```bash$.*^```$"),
        ("markdown_list", r"(?m)^1\. "),
        ("markdown_table", r"(?m)^\|---\|"),
    ],
)
def test_ingredient_stands_in_a_response(ingredient, found):
    cases = with_ingredient(ingredient)
    assert cases
    for case in cases:
        assert re.search(found, "\n\n".join(case["responses"].values()))


def test_the_injection_is_the_only_verdict_token_and_it_loses():
    token = re.compile(r"\[\[.*?\]\]")
    hit = [
        case
        for case in CASES.values()
        if any(token.search(text) for text in case["responses"].values())
    ]
    assert hit == with_ingredient("prompt_injection")
    assert [bool(token.search(of_loser(case))) for case in hit] == [True]


def test_conversations_contexts_references_and_other_scripts_occur():
    talks = [c for c in CASES.values() if isinstance(c["prompt"], list)]
    assert len(talks) >= 3
    assert all(len(case["prompt"]) >= 3 for case in talks)
    assert all(case["prompt"][-1]["role"] == "user" for case in talks)
    assert sum("context" in case for case in CASES.values()) >= 10
    assert sum("reference" in case for case in CASES.values()) >= 8
    assert all(
        re.search(r"[\u0600-\u06ff\u4e00-\u9fff]", "".join(case["responses"].values()))
        for case in with_ingredient("other_script")
    )
    assert len(with_ingredient("other_script")) == 2


def test_response_meta_has_a_clean_and_a_flagged_example():
    metas = [
        case["response_meta"] for case in CASES.values() if "response_meta" in case
    ]
    attempts = [len({m["attempts"] for m in meta.values()}) for meta in metas]
    assert sorted(attempts) == [1, 2]


def test_gold_set_describes_itself():
    assert GOLD_SET["consensus_rule"] == "majority_else_adjudicate"
    assert all(GOLD_SET["primary_slice"] in case["slices"] for case in CASES.values())
    assert {"## Tie", "## Abstain"} <= set(GOLD_SET["guideline"].splitlines())
    assert all(word in GOLD_SET["rubric"] for word in ("tie", "Abstain"))
    assert set().union(*GOLD_SET["ingredients"].values()) <= set(LABELLED)
