"""Base rates beside kappa are those of the pairs that kappa is about."""

from __future__ import annotations

from calibration.presenters.base_rates import of_gold, of_judge
from calibration.presenters.text_specs import SECTIONS

VERDICTS = ("baseline", "candidate", "tie", "abstain", "invalid")
TOLD = {
    "baseline": (8, 1, 1, 5, 0),
    "candidate": (4, 6, 1, 0, 7),
    "tie": (1, 0, 3, 0, 0),
    "abstain": (9, 9, 9, 9, 9),
}
TABLE = {gold: dict(zip(VERDICTS, row, strict=True)) for gold, row in TOLD.items()}


def test_answered_pairs_with_scored_gold_count() -> None:
    gold, judge = of_gold(TABLE), of_judge(TABLE)
    assert (gold.value, gold.detail) == (
        "40.0 / 44.0 / 16.0 %",
        "10 + 11 + 4 of 25 pairs",
    )
    assert (judge.value, judge.detail) == (
        "52.0 / 28.0 / 20.0 %",
        "13 + 7 + 5 of 25 pairs",
    )


def test_without_such_pairs_there_are_none() -> None:
    nothing = {gold: dict.fromkeys(VERDICTS, 0) for gold in TOLD}
    assert of_gold(nothing).undefined
    assert of_judge(nothing).value == "n/a"


def test_the_text_has_them_below_kappa() -> None:
    rows = dict(SECTIONS)["Agreement"]
    labels = [label.strip() for label, _ in rows]
    place = labels.index("kappa")
    assert labels[place + 1 : place + 3] == [
        "gold: base./cand./tie",
        "verdicts: the same",
    ]
    assert rows[place + 1][1]({"confusion": TABLE}) == "40.0 / 44.0 / 16.0 %"
