"""A plan's sentences: no number so rounded that the sentence is false."""

from __future__ import annotations

import pytest

from calibration.presenters.planning import (
    asked_number,
    clustering_text,
    plan_sentences,
)

NOTHING = dict.fromkeys(
    ("half_width", "gate", "sign", "preference", "judges", "gap", "clustering")
)


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
    plan = NOTHING | {"gate": gate}
    assert list(plan_sentences(plan))[1] == f"{said}: over 200,000 pairs."


def test_a_narrow_interval_says_how_narrow() -> None:
    sizes = dict.fromkeys(("pairs", "cases", "independent"), 6_000_000)
    plan = NOTHING | {"half_width": {"rate": 0.5, "half_width": 0.0004, **sizes}}
    (said,) = plan_sentences(plan)
    assert said.startswith("A rate of 50.0 % to within 0.04 points either way:")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("assumed", "taken as 1, since every pair is thought of as standing alone."),
        ("single", "every prompt of the set has one pair."),
        ("asked", "as asked, correlation 0.25; a prompt has 3 pairs."),
        (
            "report",
            (
                "that of exact agreement in report 7, without its held-out pairs and "
                "over 40 prompts of several; pairs of one prompt correlate by 0.25, "
                "and a prompt has 3 pairs."
            ),
        ),
        (
            "worst",
            (
                "the worst case, pairs of one prompt fully alike, since no report over "
                "20 prompts of several pairs tells how alike they are; a prompt has 3 "
                "pairs."
            ),
        ),
    ],
)
def test_the_design_effect_says_where_it_comes_from(source: str, said: str) -> None:
    found = {
        "design_effect": 1.5, "source": source, "pairs_per_prompt": 3.0,
        "correlation": 0.25, "report": 7, "prompts": 40,
    }  # fmt: skip
    assert clustering_text(found) == f"Design effect 1.50: {said}"
    assert "3.5 pairs" in clustering_text(found | {"pairs_per_prompt": 3.5}) or (
        source in {"assumed", "single"}
    )


def test_numbers_say_pairs_cases_and_what_they_are_worth() -> None:
    sizes = {"pairs": 572, "cases": 96, "independent": 381}
    plan = NOTHING | {
        "half_width": {"rate": 0.5, "half_width": 0.05, **sizes},
        "sign": {"decisive": 90, "independent": 60, "smallest_share": None},
        "preference": {"share": 0.6, "power": 0.8, **sizes},
    }
    width, sign, share = plan_sentences(plan)
    assert width.endswith(
        "572 pairs with gold of 96 cases (worth 381 that stand alone)."
    )
    assert sign == "90 decisive pairs (worth 60 that stand alone) find no share."
    assert share == (
        "A true share of 60.0 % of wins is found in 80.0 % of cases with 572 decisive "
        "pairs of 96 cases (worth 381 that stand alone)."
    )


def test_a_share_too_near_to_half_is_said() -> None:
    wanted = {"share": 0.5001, "pairs": None}
    (said,) = plan_sentences(NOTHING | {"preference": wanted})
    assert said == (
        "A share of 50.01 % is too near to half: over 200,000 decisive pairs."
    )


def test_a_difference_of_judges_and_a_gap_say_what_they_need() -> None:
    sizes = {"power": 0.8, "pairs": 1316, "cases": 658, "independent": 658}
    judges = {"difference": 0.05, "discordant": 0.2, **sizes}
    gap = {"gap": 0.07, "dev_rate": 0.9, "dev": 816, "held_out": 500, **sizes}
    between, apart = plan_sentences(NOTHING | {"judges": judges, "gap": gap})
    assert between == (
        "A difference of 5.0 points between two judges, where one alone has 20.0 % of "
        "pairs right, is found in 80.0 % of cases with 1,316 pairs with gold of 658 "
        "cases (worth 658 that stand alone)."
    )
    assert apart == (
        "A rate of 90.0 % on dev and 83.0 % on held-out are told apart in 80.0 % of "
        "cases with 816 dev pairs and 500 held-out pairs with gold of 658 cases (worth "
        "658 that stand alone)."
    )


def test_what_is_too_small_to_find_is_said() -> None:
    judges = {"difference": 0.0001, "discordant": 0.2, "pairs": None}
    gap = {"gap": 0.0001, "dev_rate": 0.9, "pairs": None}
    between, apart = plan_sentences(NOTHING | {"judges": judges, "gap": gap})
    assert between.endswith("20.0 % of pairs right, is too small: over 200,000 pairs.")
    assert "A rate of 90.0 % on dev and 89.99 % on held-out are too near" in apart
