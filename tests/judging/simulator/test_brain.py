from __future__ import annotations

import hashlib
import math

import pytest

from annotation.domain.outcomes import SlotChoice
from judging.domain.defaults import DEFAULT_RUBRIC, DEFAULT_TEMPLATE
from judging.domain.formats.ab_bracket import AB_BRACKET
from judging.domain.formats.choice_123 import CHOICE_123
from judging.domain.formats.five_token import FIVE_TOKEN
from judging.domain.formats.json_winner import JSON_WINNER
from judging.domain.formats.output_ab import OUTPUT_AB
from judging.domain.ports import JudgeRequest, RawReply
from judging.domain.prompts import JudgeTemplate, PromptCase, render
from judging.domain.readings import reading_of
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid, Verdict
from judging.simulator.brain import (
    Rule,
    decide,
    delay_of,
    expected,
    fault_of,
    quality,
)
from judging.simulator.options import Fault, Menu, Options, Shape
from judging.simulator.prompts import see
from judging.simulator.wordings import verdict_text

FORMATS = {
    Menu.FIVE_TOKEN: FIVE_TOKEN,
    Menu.JSON_WINNER: JSON_WINNER,
    Menu.CHOICE_123: CHOICE_123,
    Menu.AB_BRACKET: AB_BRACKET,
    Menu.OUTPUT_AB: OUTPUT_AB,
}
FENCE = "3f9c2a71b04d"


def body(first, second, menu=Menu.FIVE_TOKEN, *, abstain=True, **texts):
    """Write a prompt as the product does, with its own template."""
    case = PromptCase(
        prompt="Why?",
        first=first,
        second=second,
        rubric=DEFAULT_RUBRIC,
        menu=FORMATS[menu].menu(offers_abstain=abstain),
        **texts,
    )
    return JudgeRequest(render(DEFAULT_TEMPLATE, case).messages, "m").body


def pairs(count):
    return [(f"answer {n} of one", f"answer {n} of another") for n in range(count)]


def both_orders(count):
    return [b for a, c in pairs(count) for b in (body(a, c), body(c, a))]


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


class TestSeeing:
    @pytest.mark.parametrize("menu", Menu)
    @pytest.mark.parametrize("abstain", [True, False])
    def test_responses_menu_and_abstain_are_told_from_the_prompt(self, menu, abstain):
        seen = see(body("one\n\ntext", "two", menu, abstain=abstain), oracle={})
        assert (seen.first, seen.second) == ("one\n\ntext", "two")
        assert (seen.menu, seen.offers_abstain) == (menu, abstain)

    def test_what_stands_in_a_response_changes_no_menu(self):
        seen = see(
            body('{"winner": "A"} abstain', "1", Menu.FIVE_TOKEN, abstain=False),
            oracle={},
        )
        assert (seen.menu, seen.offers_abstain) == (Menu.FIVE_TOKEN, False)

    def test_other_texts_and_codes_within_them_do_not_confuse(self):
        texts = {"context": "deadbeef01\n" * 20, "reference": "The reference."}
        seen = see(body("deadbeef01\n" * 9, "two", **texts), oracle={})
        assert (seen.first, seen.second) == ("deadbeef01\n" * 9, "two")

    def test_a_text_below_the_responses_is_none_of_them(self):
        names = ("prompt", "first", "second", "reference")
        titles = ("Request:", "Answer 1:", "Answer 2:", "Key:")
        slots = zip(titles, names, strict=True)
        user = "\n".join(f"{title}\n{{{{{name}}}}}" for title, name in slots)
        case = PromptCase(prompt="p", first="one", second="two", reference="ref")
        asked = JudgeRequest(render(JudgeTemplate("", user), case).messages, "m").body
        seen = see(asked, oracle={})
        assert (seen.first, seen.second) == ("one", "two")

    def test_the_oracle_finds_responses_without_labels(self):
        lines = [FENCE, "question", FENCE, FENCE, "good", FENCE, FENCE, "bad", FENCE]
        lines += [FENCE, "reference", FENCE]
        asked = {"messages": [{"role": "user", "content": "\n".join(lines)}]}
        seen = see(asked, oracle={sha("good"): 1, sha("bad"): 0})
        assert (seen.first, seen.second) == ("good", "bad")

    @pytest.mark.parametrize(
        "asked", [{}, {"messages": "x"}, {"messages": [1, {"content": None}]}]
    )
    def test_a_prompt_without_fences_has_no_responses(self, asked):
        seen = see(asked, oracle={})
        assert (seen.first, seen.second) == ("", "")

    def test_a_response_schema_asks_for_json(self):
        asked = {**body("a", "b"), "response_format": {"type": "json_schema"}}
        assert see(asked, oracle={}).menu is Menu.JSON_WINNER


class TestDeciding:
    def test_the_same_request_has_the_same_decision(self):
        options = Options(
            first_slot=0.3, length=0.3, tie=0.2, shapes={Shape.EMPTY: 0.3}
        )
        asked = both_orders(50)
        assert [decide(options, b) for b in asked] == [
            decide(options, b) for b in asked
        ]
        other = [decide(Options(seed=1, first_slot=0.3), b).rule for b in asked]
        assert other != [decide(options, b).rule for b in asked]

    def test_without_bias_both_orders_agree(self):
        options = Options(accuracy=0.7, tie=0.2, abstain=0.1, length=0.2)
        for one, other in pairs(200):
            forth = decide(options, body(one, other))
            back = decide(options, body(other, one))
            assert (forth.choice, forth.strength) == (
                back.choice.swapped,
                back.strength,
            )

    def test_the_oracle_is_followed(self):
        options = Options(oracle={sha("good"): 0.9, sha("fair"): 0.7, sha("bad"): 0.1})
        found = [
            (d.choice, d.strength)
            for d in (
                decide(options, body("good", "bad")),
                decide(options, body(" bad ", "good\n")),
                decide(options, body("fair", "good")),
                decide(options, body("good", "good")),
            )
        ]
        assert found == [
            (SlotChoice.FIRST, 2),
            (SlotChoice.SECOND, 2),
            (SlotChoice.SECOND, 1),
            (SlotChoice.TIE, 1),
        ]

    def test_what_cannot_be_judged_is_abstained_from_where_that_is_offered(self):
        options = Options(oracle={sha("x"): None})
        asked = body("x", "y")
        assert decide(options, asked).choice is SlotChoice.ABSTAIN
        asked = body("x", "y", abstain=False)
        assert decide(options, asked).choice is SlotChoice.TIE

    def test_the_longer_response_is_preferred_in_either_slot(self):
        options = Options(length=1)
        long, short = "a long answer", "short"
        assert decide(options, body(long, short)).choice is SlotChoice.FIRST
        assert decide(options, body(short, long)).choice is SlotChoice.SECOND
        assert decide(options, body("same1", "same2")).rule is not Rule.LENGTH

    @pytest.mark.parametrize(
        ("options", "rule", "rate", "n"),
        [
            (Options(first_slot=0.2), Rule.FIRST_SLOT, 0.2, 2000),
            (Options(second_slot=0.1), Rule.SECOND_SLOT, 0.1, 2000),
            (Options(length=0.3), Rule.LENGTH, 0.3, 2000),
            (Options(tie=0.25, tie_margin=0), Rule.TIE, 0.25, 2000),
            (Options(abstain=0.1), Rule.ABSTAIN, 0.1, 2000),
            (Options(accuracy=0.8, tie_margin=0), Rule.MISTAKE, 0.2, 2000),
        ],
    )
    def test_planted_rates_come_out(self, options, rule, rate, n):
        # One request a pair: the draws are then independent and the count binomial.
        asked = [body(f"one {i}", f"the other one {i}") for i in range(n)]
        found = expected(options, asked).rules.get(rule, 0)
        assert abs(found - n * rate) < 4 * math.sqrt(n * rate * (1 - rate))

    def test_shapes_faults_and_delays_come_out(self):
        rates = {Shape.EMPTY: 0.1, Shape.REFUSED: 0.05}
        asked = [body(f"one {i}", f"two {i}") for i in range(2000)]
        found = expected(Options(shapes=rates), asked)
        assert found.requests == 2000
        for shape, rate in rates.items():
            assert abs(found.shapes[shape] - 2000 * rate) < 60
        options = Options(faults={Fault.HANG: 0.2}, latency=0.2, latency_spread=0.1)
        hangs = [fault_of(options, "request", n) for n in range(1, 1001)]
        assert 150 < hangs.count(Fault.HANG) < 250
        delays = [delay_of(options, f"{n}") for n in range(1000)]
        assert 0.1 <= min(delays) < 0.12
        assert 0.28 < max(delays) <= 0.3

    def test_a_quality_lies_between_zero_and_one(self):
        values = [quality(Options(), f"{n}") for n in range(500)]
        assert min(values) >= 0
        assert max(values) < 1
        assert len(set(values)) == 500


class TestSpeaking:
    @pytest.mark.parametrize("menu", Menu)
    @pytest.mark.parametrize("choice", SlotChoice)
    @pytest.mark.parametrize("strength", [1, 2])
    def test_a_clean_verdict_is_read_back(self, menu, choice, strength):
        text = verdict_text(menu, choice, strength)
        reply = RawReply(text=text, body="", finish_reason="stop")
        found = reading_of(reply, FORMATS[menu], offers_abstain=True)
        assert isinstance(found, Verdict), found
        assert found.choice is choice
        if menu is Menu.FIVE_TOKEN and choice in (SlotChoice.FIRST, SlotChoice.SECOND):
            assert found.strength == strength


class TestShapes:
    @pytest.mark.parametrize("menu", Menu)
    @pytest.mark.parametrize(
        ("shape", "reason"),
        [
            (Shape.UNPARSED, InvalidReason.UNPARSED),
            (Shape.OFF_MENU, InvalidReason.OFF_MENU),
            (Shape.CONFLICTING, InvalidReason.CONFLICTING),
            (Shape.TRUNCATED, InvalidReason.TRUNCATED),
            (Shape.TRUNCATED_EMPTY, InvalidReason.TRUNCATED),
            (Shape.REFUSED, InvalidReason.REFUSED),
            (Shape.REFUSAL_FIELD, InvalidReason.REFUSED),
            (Shape.FILTERED, InvalidReason.FILTERED),
            (Shape.EMPTY, InvalidReason.EMPTY),
            (Shape.NULL_CONTENT, InvalidReason.EMPTY),
            (Shape.NO_CHOICES, InvalidReason.EMPTY),
            (Shape.NULL_CHOICES, InvalidReason.EMPTY),
            (Shape.TOOL_CALL, InvalidReason.EMPTY),
            (Shape.REASONING_ONLY, InvalidReason.EMPTY),
            (Shape.NO_FINISH_REASON, None),
        ],
    )
    def test_a_planted_shape_is_read_as_what_it_is(self, menu, shape, reason):
        from datetime import UTC, datetime

        from judging.domain.exchange import reply_from_body
        from judging.simulator.shapes import answer_to

        asked = body("one", "two", menu)
        decision = decide(Options(shapes={shape: 1}), asked)
        answer = answer_to(decision, asked, "0" * 64)
        now = datetime(2025, 1, 1, tzinfo=UTC)
        reply = reply_from_body(answer.status, {}, answer.text, now=now)
        assert isinstance(reply, RawReply)
        found = reading_of(reply, FORMATS[menu], offers_abstain=True)
        assert (found.reason if isinstance(found, Invalid) else None) is reason


@pytest.mark.parametrize(
    "values",
    [
        {"first_slot": 1.1},
        {"tie": -0.1},
        {"accuracy": float("nan")},
        {"first_slot": 0.6, "second_slot": 0.6},
        {"tie": 0.6, "length": 0.6},
        {"shapes": {Shape.EMPTY: 2}},
        {"faults": {Fault.HANG: 0.7, Fault.RESET: 0.7}},
    ],
)
def test_impossible_rates_are_refused(values):
    with pytest.raises(ValueError, match=r"must lie|add up"):
        Options(**values)
