"""The demo's cases are as its README says, and nothing in them breaks blindness."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from statistics import median

import pytest

from tests.fixtures_check.demo import (
    BASELINE,
    CANDIDATE,
    CASES,
    DECISIVE,
    FRESH,
    GOLD_SET,
    LABELLED,
    LABELS,
    OUTCOMES,
    OUTCOMES_BY_CASE,
    PAIR,
    RULED,
    as_text,
    gold,
    of_loser,
    of_winner,
    read_cases,
    texts,
)

CASE_KEYS = {
    "case_id", "prompt", "responses", "context", "reference", "slices", "critical",
    "group", "split", "designed", "response_meta",
}  # fmt: skip


# The cases


def test_there_are_72_labelled_and_12_fresh_cases():
    assert len(read_cases()) == len(CASES) == 84
    assert len(FRESH) == len(GOLD_SET["unlabelled"]) == 12
    assert set(CASES) >= FRESH
    assert set(OUTCOMES_BY_CASE) == set(LABELLED)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_case_keeps_the_pairs_file_contract(case):
    assert set(case) <= CASE_KEYS
    assert set(case["responses"]) == {BASELINE, CANDIDATE}
    assert all(text.strip() == text and text for text in case["responses"].values())
    assert as_text(case["prompt"]).strip()
    assert case["slices"]["category"] in {"refund", "howto", "policy"}
    assert case["slices"]["language"] in {"en", "de"}
    assert case["slices"]["risk"] in {"normal", "high"}
    assert case["split"] in {"dev", "held_out"}
    assert not case["critical"] or case["slices"]["risk"] == "high"
    assert set(case.get("designed", {PAIR: "tie"})) == {PAIR}


def test_categories_are_balanced_and_about_a_third_is_german():
    categories = Counter(case["slices"]["category"] for case in CASES.values())
    german = sum(case["slices"]["language"] == "de" for case in CASES.values())
    assert categories == {"refund": 28, "howto": 28, "policy": 28}
    assert 0.25 <= german / len(CASES) <= 0.35


def test_all_texts_differ():
    prompts = [as_text(case["prompt"]) for case in CASES.values()]
    responses = [text for case in CASES.values() for text in case["responses"].values()]
    assert len(set(prompts)) == len(prompts)
    assert len(set(responses)) == len(responses)


def test_lengths_are_those_of_real_answers():
    lengths = [len(r) for case in CASES.values() for r in case["responses"].values()]
    assert 150 <= median(lengths) <= 700
    assert sum(150 <= length <= 700 for length in lengths) / len(lengths) >= 0.75
    assert sum(length >= 1200 for length in lengths) >= 3


def test_length_does_not_give_the_winner_away():
    decided = [case for key, case in LABELLED.items() if gold(key) in DECISIVE]
    longer = sum(len(of_winner(case)) > len(of_loser(case)) for case in decided)
    assert 0.35 <= longer / len(decided) <= 0.65


# Splits and groups


def test_splits_are_40_to_32_and_fresh_cases_are_for_tuning():
    assert Counter(case["split"] for case in LABELLED.values()) == {
        "dev": 40,
        "held_out": 32,
    }
    assert {CASES[case_id]["split"] for case_id in FRESH} == {"dev"}


@pytest.mark.parametrize("split", ["dev", "held_out"])
def test_each_split_has_each_category_with_each_outcome_and_both_languages(split):
    seen = {
        (case["slices"]["category"], gold(key))
        for key, case in LABELLED.items()
        if case["split"] == split
    }
    languages = {
        case["slices"]["language"]
        for case in LABELLED.values()
        if case["split"] == split
    }
    assert len(seen) == 3 * len(OUTCOMES)
    assert languages == {"en", "de"}


def test_groups_never_straddle_the_splits():
    splits: dict[str, set[str]] = defaultdict(set)
    sizes: Counter[str] = Counter()
    for case in CASES.values():
        if "group" in case:
            splits[case["group"]].add(case["split"])
            sizes[case["group"]] += 1
    assert len(splits) >= 4
    assert min(sizes.values()) >= 2
    assert all(len(found) == 1 for found in splits.values())


# Blindness


def test_only_the_identity_leak_names_a_system():
    names = [s["name"] for s in GOLD_SET["systems"]]
    names += [alias for s in GOLD_SET["systems"] for alias in s["aliases"]]
    assert [s["name"] for s in GOLD_SET["systems"]] == [BASELINE, CANDIDATE]
    leaking = {
        key
        for key, case in CASES.items()
        for text in texts(case)
        if any(name.casefold() in text.casefold() for name in [*names, "heron"])
    }
    assert leaking == set(GOLD_SET["ingredients"]["identity_leak"])
    assert len(leaking) == 1


def test_notes_speak_of_no_system_and_no_judge():
    notes = [label.get("note", "") for label in LABELS["labels"]]
    notes += [ruling["note"] for ruling in RULED.values()]
    telling = re.compile(r"heron|baseline|candidate|\bjudge's", re.IGNORECASE)
    assert not [note for note in notes if telling.search(note)]


def test_case_ids_tell_nothing():
    assert all(re.fullmatch(r"support-\d{3}", case_id) for case_id in CASES)
