from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from judging.domain.costs import Price
from judging.domain.estimating import (
    METHOD,
    Work,
    estimate,
    estimate_pointwise,
    output_limit,
    prompt_tokens,
)
from judging.domain.pointwise import PointwiseCase
from judging.domain.ports import Message, Role
from judging.domain.prompts import Rendered
from tests.judging.domain.pointwise_specs import a_pointwise_spec
from tests.judging.domain.specs import a_spec

DAY = date(2025, 6, 1)
PRICES = [Price("local", "judge-1", date(2025, 1, 1), Decimal(2), Decimal(8))]
PAIR = Work("p" * 40, "one", "two")
STEP = {
    "system_template": "",
    "user_template": "{{prompt}}{{#context}}{{context}}{{/context}}"
    "{{#reference}}{{reference}}{{/reference}}{{rubric}}{{question}}",
    "params": {"max_tokens": 100},
    "max_chars": 4_000,
}


def test_tokens_are_characters_by_four_rounded_up_and_a_little_for_each_message():
    messages = (Message(Role.SYSTEM, "x" * 9), Message(Role.USER, "x" * 8))
    assert prompt_tokens(Rendered(messages, "f")) == (3 + 4) + (2 + 4)


def test_both_orders_and_all_repeats_are_counted():
    one = estimate(a_spec(), [PAIR], PRICES, DAY)
    many = estimate(a_spec(repeats=3), [PAIR, PAIR], PRICES, DAY)
    assert (one.calls, many.calls) == (2, 12)
    assert many.prompt_tokens == 6 * one.prompt_tokens
    assert one.completion_tokens_max == 2 * 512
    assert many.completion_tokens_max == 12 * 512
    assert one.method == METHOD
    # Prompts have some four characters a token: the whole prompt, twice.
    assert 2 * 100 < one.prompt_tokens < 2 * 1_000


def test_the_cost_is_by_the_price_of_the_day():
    got = estimate(a_spec(), [PAIR], PRICES, DAY)
    wanted = Decimal(2 * got.prompt_tokens + 8 * 1024) / 1_000_000
    assert (got.cost, got.currency) == (wanted, "USD")


@pytest.mark.parametrize(
    ("spec", "day"),
    [
        (a_spec(), date(2024, 12, 31)),
        (a_spec(model="other"), DAY),
        (a_spec(params={"temperature": 0}), DAY),
    ],
)
def test_an_unknown_price_or_limit_is_an_unknown_cost(spec, day):
    got = estimate(spec, [PAIR], PRICES, day)
    assert got.cost is None
    assert got.prompt_tokens > 0


def test_no_pairs_take_nothing():
    got = estimate(a_spec(), [], PRICES, DAY)
    assert (got.calls, got.prompt_tokens, got.completion_tokens_max) == (0, 0, 0)
    assert got.cost == 0
    assert estimate(a_spec(), [], [], DAY).cost is None


def test_what_does_not_fit_is_not_sent_and_not_paid():
    long = replace(PAIR, prompt="p" * 50_000)
    got = estimate(a_spec(input_limit=20_000), [PAIR, long], PRICES, DAY)
    alone = estimate(a_spec(input_limit=20_000), [PAIR], PRICES, DAY)
    assert (got.calls, got.too_long) == (2, 2)
    assert (got.cost, got.prompt_tokens) == (alone.cost, alone.prompt_tokens)


def test_a_rubric_is_written_once_for_each_case_and_lengthens_every_prompt():
    other = replace(PAIR, prompt="another")
    plain = a_spec(rubric="r")
    spec = a_spec(rubric="r", rubric_step=STEP)
    pairs = [PAIR, replace(PAIR, second="three"), other]
    got = estimate(spec, pairs, PRICES, DAY)
    assert got.calls == 3 * 2 + 2
    assert got.completion_tokens_max == 6 * 512 + 2 * 100
    without = estimate(plain, pairs, PRICES, DAY)
    assert got.prompt_tokens > without.prompt_tokens + 6 * 999


def test_a_pointwise_run_asks_about_every_response():
    spec = a_pointwise_spec(repeats=3)
    cases = [PointwiseCase("p", "one"), PointwiseCase("p", "two")]
    got = estimate_pointwise(spec, cases, PRICES, DAY)
    assert got.calls == 6
    assert got.completion_tokens_max == 6 * 512
    assert got.cost is not None


@pytest.mark.parametrize(
    ("params", "limit"),
    [
        ({"max_tokens": 9}, 9),
        ({"max_completion_tokens": 9}, 9),
        ({"max_tokens": 9, "max_completion_tokens": 5}, 5),
        ({"max_tokens": True}, None),
        ({}, None),
    ],
)
def test_the_output_limit(params, limit):
    assert output_limit(params) == limit
