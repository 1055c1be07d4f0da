"""The corrected preference in words: what the judge adds to gold alone, if anything."""

from __future__ import annotations

from typing import Any

import numpy as np

from calibration.domain.correction import correct
from calibration.domain.jsonable import jsonable
from calibration.presenters.releases import correction_rows
from tests.calibration.domain.test_correction import GOOD, SHARES

ADDS = "What the judge adds to that gold"


def rows(table: Any, said: Any) -> dict[str, str]:
    found = jsonable(correct(table, said))
    assert isinstance(found, dict)
    return dict(correction_rows({"undefined": None, **found}))


def test_a_good_judge_narrows_the_interval() -> None:
    found = rows(200 * SHARES[:, None] * GOOD, 2000 * SHARES @ GOOD)
    assert found["Net preference by gold and verdicts (PPI++)"] == (
        "0.100 (2,000 cases; 95 % 0.014\N{EN DASH}0.186, PPI++, optimal weight)"
    )
    assert found["Net preference by held-out gold alone"] == (
        "0.100 (200 cases; 95 % -0.023 to 0.223, gold alone, normal)"
    )
    assert found[ADDS] == "an interval 30.4 % narrower; the verdicts weigh 0.72"


def test_a_judge_that_adds_nothing_is_said_to() -> None:
    table = np.zeros((3, 5))
    table[:, 1] = [30, 50, 20]
    found = rows(table, np.array([0, 500.0, 0, 0, 0]))
    assert found[ADDS] == (
        "nothing: with the verdicts the interval is as wide as without"
    )


def test_without_figures_there_is_a_reason() -> None:
    found = rows(np.ones((3, 5)), np.array([1.0, 2, 3, 0, 0]))
    assert found[ADDS] == "n/a (fewer than 20 held-out pairs with gold)"


def test_a_decision_of_older_rules_has_no_such_rows() -> None:
    found = jsonable(correct(200 * GOOD, 2000 * SHARES @ GOOD))
    assert isinstance(found, dict)
    for name in ("powered", "gold_only", "weight"):
        del found[name]
    shown = dict(correction_rows({"undefined": None, **found}))
    assert "Post-stratified net preference" in shown
    assert ADDS not in shown


def test_verdicts_that_few_held_out_pairs_tell_of_are_named() -> None:
    name = "Verdicts that few held-out pairs tell of"
    table = np.array([[9, 1, 1, 1, 0], [1, 9, 1, 0, 0], [1, 1, 9, 0, 0]], np.float64)
    found = rows(table, np.array([30.0, 40, 20, 6, 4]))
    assert found[name] == "abstain (1 pair); invalid (none: the mean of all)"
    assert name not in rows(table, np.array([30.0, 40, 20, 0, 0]))


def test_where_nothing_varies_what_the_judge_adds_is_not_known() -> None:
    found = rows(20 * np.eye(3, 5), np.array([0, 500.0, 0, 0, 0]))
    assert found["Net preference by gold and verdicts (PPI++)"] == (
        "1.000 (500 cases; no interval: nothing varies)"
    )
    assert found[ADDS] == "n/a (nothing varies)"
