"""Reads the demo gold set strictly and says what its labels and rulings come to."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path

DEMO = Path(__file__).parents[2] / "fixtures" / "demo"
BASELINE, CANDIDATE = "heron-2", "heron-3"
PAIR = f"{BASELINE}|{CANDIDATE}"
DECISIVE = {"baseline", "candidate"}
OUTCOMES = {"baseline", "candidate", "tie", "abstain"}


def refuse_constant(name):
    raise ValueError(name)


def refuse_repeated(pairs):
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), keys
    return dict(pairs)


def strict_json(text):
    return json.loads(
        text, parse_constant=refuse_constant, object_pairs_hook=refuse_repeated
    )


def read(name):
    return strict_json((DEMO / name).read_text(encoding="utf-8"))


def read_cases():
    text = (DEMO / "pairs.jsonl").read_text(encoding="utf-8")
    return [strict_json(line) for line in text.splitlines()]


CASES = {case["case_id"]: case for case in read_cases()}
GOLD_SET = read("gold_set.json")
LABELS = read("labels.json")
RULINGS = read("adjudications.json")
RULED = {ruling["case_id"]: ruling for ruling in RULINGS["adjudications"]}
FRESH = set(GOLD_SET["unlabelled"])
LABELLED = {key: case for key, case in CASES.items() if key not in FRESH}


def outcomes_by_case():
    outcomes = defaultdict(list)
    for label in LABELS["labels"]:
        outcomes[label["case_id"]].append(label["outcome"])
    return outcomes


OUTCOMES_BY_CASE = outcomes_by_case()


def majority(case_id):
    """The outcome that two of the three labels share, or None."""
    ((outcome, count),) = Counter(OUTCOMES_BY_CASE[case_id]).most_common(1)
    return outcome if count > 1 else None


def gold(case_id):
    return majority(case_id) or RULED[case_id]["outcome"]


def as_text(value):
    if isinstance(value, str):
        return value
    return "\n".join(message["content"] for message in value)


def texts(case):
    given = [case["prompt"], case.get("context", ""), case.get("reference", "")]
    return [as_text(value) for value in [*given, *case["responses"].values()]]


def with_ingredient(name):
    return [CASES[case_id] for case_id in GOLD_SET["ingredients"][name]]


def of_winner(case):
    return case["responses"][
        CANDIDATE if gold(case["case_id"]) == "candidate" else BASELINE
    ]


def of_loser(case):
    return case["responses"][
        BASELINE if gold(case["case_id"]) == "candidate" else CANDIDATE
    ]
