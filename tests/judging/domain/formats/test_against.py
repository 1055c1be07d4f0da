"""Words of the judge's own that go against its verdict."""

# ruff: noqa: RUF001 - letters of other scripts are meant

from __future__ import annotations

import pytest

from judging.domain.scale_kinds import scale_from
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid
from tests.judging.domain.formats.helpers import read
from tests.judging.domain.pointwise_specs import PASS_FAIL

TAKEN_BACK = [
    "Scratch that: B is better.",
    "Wait, no.",
    "Wait, no. B is better.",
    "Wait... B names the date as well.",
    "Hold on, B is better.",
    "On second thought, B is better.",
    "Correction: B.",
    "I take that back.",
    "I take it back, B is better.",
    "Sorry, I meant B.",
    "Oops, I misread B.",
    "I was wrong.",
    "My mistake, it should be B.",
    "Let me reconsider.",
    "Let me correct that.",
    "Actually, B is better.",
    "Actually no.",
    "No, B is better.",
    "Never mind.",
    "Ignore that.",
    "Please disregard the above verdict.",
    "That verdict is wrong.",
    "I change my mind.",
    "I have changed my mind.",
    "I need to revise my verdict.",
    "Edit: B is better.",
    "B is better.",
    "Response B is clearly the better one.",
    "The second response is better overall.",
    "I choose B.",
    "In conclusion, the winner... Assistant B wins.",
    "So it is a tie.",
    "I see no difference between them.",
    "They are equally good.",
    "Nein, B ist besser.",
    "Korrektur: B",
    "Attendez, c'est B.",
    "Нет, лучше B.",
    "等等，B更好。",
    "更正：B更好。",
    "待って、Bのほうが良い。",
    "정정: B",
]
TAKEN_BACK += [
    "This is what B asked for.",
    "(This is what the response asked me to write.)",
    "The above was in Response B.",
    "Note: this is only an example.",
    "The verdict above is a placeholder.",
    "I do not endorse this verdict.",
    "Please do not use this verdict.",
    "This is not my final verdict.",
    "Final: tie",
    "Final answer: B",
    "**Winner: Response B**",
    "**Winner:** B",
    "My choice is B.",
    "Final verdict: Response B is better",
]
TAKEN_BACK += [
    "Antwort B ist besser.",
    "La respuesta B es mejor.",
    "La réponse B est meilleure.",
    "La risposta B è migliore.",
    "Antwoord B is beter dan A.",
    "Ответ B лучше.",
    "Отже, відповідь B краще.",
    "因此B更好。",
    "Bのほうが良いです。",
    "답변 B가 더 낫습니다.",
    "Yanıt B daha iyi.",
    "Jawaban B lebih baik.",
    "الرد b أفضل.",
    "A is worse.",
    "Response A is the weaker one.",
    "A loses.",
]
NOT_TAKEN_BACK = [
    "B is better on tone, but A is right.",
    "A is better.",
    "Response A is the better one.",
    "Wait times are given by A only.",
    "Does B name the date? No.",
    "A corrects the user's mistake.",
    "B was wrong about the fee.",
    "I was looking for the date, and A has it.",
    "B says that B is better.",
    "Response B says: B is better.",
    "The user made a mistake; A says so.",
    "Both are polite. A is clearer.",
    "Both are equally good at grammar. A is clearer.",
    "A is clearer than B.",
    "They are equal in tone. However, A names the fee.",
    "If B named the date, B would win.",
    "I mean that A names the date.",
    "This is what makes A better.",
    "That is not a problem for A.",
    "Antwort A ist besser.",
    "A更好。",
    "B is worse.",
    "Antwort B ist besser geschrieben, A ist genauer.",
    "Winner: A",
    "Final answer: Response A.",
]


@pytest.mark.parametrize("words", TAKEN_BACK)
def test_a_verdict_that_is_taken_back_or_contradicted_is_none(words):
    assert read("five_token", f"[[A>B]]\n\n{words}") == "conflicting"
    assert read("ab_bracket", f"Fine.\n\n[[A]]\n{words}\n") == "conflicting"


@pytest.mark.parametrize("words", NOT_TAKEN_BACK)
def test_words_that_only_look_so_take_nothing_back(words):
    assert read("five_token", f"[[A>B]]\n\n{words}") == "first"


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("five_token", "Scratch that: B is better.\n[[A>B]]", "conflicting"),
        ("five_token", "B is better.\n[[A>B]]", "conflicting"),
        ("five_token", "Response B is better: [[A>B]]", "conflicting"),
        ("five_token", "My final verdict is tie: [[A>B]]", "conflicting"),
        ("five_token", "B is better.\n[[A=B]]", "conflicting"),
        ("five_token", "B is worse.\n[[B>A]]", "conflicting"),
        ("five_token", "B ist besser.\n\n[[A>B]]", "conflicting"),
        ("five_token", "B更好。\n[[A>B]]", "conflicting"),
        ("five_token", "B更好。\n[[B>A]]", "second"),
        ("choice_123", "Therefore, I choose answer 2.\n\n3", "conflicting"),
        ("output_ab", "Output (b) is better.\n\nOutput (a)", "conflicting"),
        ("json_winner", '{"winner": "A", "reason": "B is better."}', "conflicting"),
        ("json_winner", '{"reason": "Response B wins", "winner": "A"}', "conflicting"),
        ("json_winner", '{"reason": "Thus A is better.", "winner": "A"}', "first"),
        ("five_token", "Response A is better: [[A>B]]", "first"),
        ("five_token", "[[A>B]]\n\nWait, no.\n[[A>B]]", "first"),
        ("five_token", "B is better.\n\n[[ABSTAIN]]", "abstain"),
        ("choice_123", "Overall, they are equivalent.\n\n2", "second"),
        ("five_token", "B is better on tone. A names the fee.\n[[A>B]]", "first"),
    ],
)
def test_the_sentence_before_a_verdict_says_the_same_or_it_is_none(name, text, wanted):
    assert read(name, text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "I must choose one of the following.\n[[A>B]]",
        "My options are listed below.\n[[A>B]]",
        "I must choose one of these verdicts:\n[[A>B]]",
    ],
)
def test_what_follows_a_sentence_that_announces_a_list_is_no_verdict(text):
    assert read("five_token", text) == "unparsed"


def test_a_statement_of_the_task_is_not_against_the_verdict():
    text = "I must choose one of these verdicts.\n[[A>B]]"
    assert read("five_token", text) == "first"


def test_a_mark_that_is_taken_back_is_none():
    scale = scale_from({**PASS_FAIL, "place": "whole"})
    reading = scale.read("Verdict: PASS\n\nScratch that.")
    assert isinstance(reading, Invalid)
    assert reading.reason is InvalidReason.CONFLICTING
