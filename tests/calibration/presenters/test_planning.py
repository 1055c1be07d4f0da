"""A plan's sentences: no number so rounded that the sentence is false."""

from __future__ import annotations

import pytest

from calibration.presenters.planning import asked_number, plan_sentences


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((5.0, "5.0"), (0.05, "0.05"), (0.14, "0.14"), (0.0004, "0.0004")),
        *((0, "0.0"), (100 * 0.07, "7.0"), (12.345, "12.345")),
    ],
)
def test_what_was_asked_for_keeps_its_decimals(value: float, text: str) -> None:
    assert asked_number(value) == text


@pytest.mark.parametrize(
    ("limit", "true", "said"),
    [
        (0.05, 0.02, "A true rate of 2.0 % is too near to 5.0 %"),
        (0.05, 0.0499, "A true rate of 4.99 % is too near to 5.0 %"),
        (0.05, 0.04999, "A true rate of 4.999 % is too near to 5.0 %"),
        (0.0004, 0.0, "A true rate of 0.0 % is too near to 0.04 %"),
        (0.01, 0.0001, "A true rate of 0.01 % is too near to 1.0 %"),
    ],
)
def test_rates_that_differ_are_told_apart(limit: float, true: float, said: str) -> None:
    gate = {"limit": limit, "true": true, "spotless": 59, "pairs": None}
    plan = {"half_width": None, "gate": gate, "sign": None}
    assert list(plan_sentences(plan))[1] == f"{said}: over 200,000 pairs."


def test_a_narrow_interval_says_how_narrow() -> None:
    width = {"rate": 0.5, "half_width": 0.0004, "pairs": 6_000_000}
    plan = {"half_width": width, "gate": None, "sign": None}
    (said,) = plan_sentences(plan)
    assert said.startswith("A rate of 50.0 % to within 0.04 points either way:")
