"""Reads the demo gold set strictly and says what its labels and rulings come to."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

DEMO = Path(__file__).parents[2] / "fixtures" / "demo"
BASELINE, CANDIDATE = "heron-2", "heron-3"
PAIR = f"{BASELINE}|{CANDIDATE}"
DECISIVE = {"baseline", "candidate"}
OUTCOMES = {"baseline", "candidate", "tie", "abstain"}


def refuse_constant(name: str) -> None:
    raise ValueError(name)


def refuse_repeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), keys
    return dict(pairs)


def strict_json(text: str) -> Any:
    return json.loads(
        text, parse_constant=refuse_constant, object_pairs_hook=refuse_repeated
    )


def read(name: str) -> Any:
    return strict_json((DEMO / name).read_text(encoding="utf-8"))


def read_cases() -> list[dict[str, Any]]:
    text = (DEMO / "pairs.jsonl").read_text(encoding="utf-8")
    return [strict_json(line) for line in text.splitlines()]


CASES = {case["case_id"]: case for case in read_cases()}
GOLD_SET = read("gold_set.json")
LABELS = read("labels.json")
RULINGS = read("adjudications.json")
RULED = {ruling["case_id"]: ruling for ruling in RULINGS["adjudications"]}
FRESH = set(GOLD_SET["unlabelled"])
LABELLED = {key: case for key, case in CASES.items() if key not in FRESH}


def outcomes_by_case() -> dict[str, list[str]]:
    outcomes: dict[str, list[str]] = defaultdict(list)
    for label in LABELS["labels"]:
        outcomes[label["case_id"]].append(label["outcome"])
    return outcomes


OUTCOMES_BY_CASE = outcomes_by_case()


def majority(case_id: str) -> str | None:
    """The outcome that two of the three labels share, or None."""
    ((outcome, count),) = Counter(OUTCOMES_BY_CASE[case_id]).most_common(1)
    return outcome if count > 1 else None


def gold(case_id: str) -> str:
    return majority(case_id) or str(RULED[case_id]["outcome"])


def as_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "\n".join(message["content"] for message in value)


def texts(case: dict[str, Any]) -> list[str]:
    given = [case["prompt"], case.get("context", ""), case.get("reference", "")]
    return [as_text(value) for value in [*given, *case["responses"].values()]]


def with_ingredient(name: str) -> list[dict[str, Any]]:
    return [CASES[case_id] for case_id in GOLD_SET["ingredients"][name]]


def of_winner(case: dict[str, Any]) -> str:
    """The response that gold prefers; only for decided cases."""
    return _response(case, {"candidate": CANDIDATE, "baseline": BASELINE})


def of_loser(case: dict[str, Any]) -> str:
    """The response that gold does not prefer; only for decided cases."""
    return _response(case, {"candidate": BASELINE, "baseline": CANDIDATE})


def _response(case: dict[str, Any], system: dict[str, str]) -> str:
    return str(case["responses"][system[gold(case["case_id"])]])
