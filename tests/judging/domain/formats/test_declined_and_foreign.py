"""Replies that decline, think aloud, quote or announce others are never a verdict."""

from __future__ import annotations

import pytest

from judging.domain.formats.registry import get_format
from judging.domain.scale_kinds import scale_from
from judging.domain.verdicts import Invalid
from tests.judging.domain.formats.helpers import read
from tests.judging.domain.pointwise_specs import PASS_FAIL, SHORT

SORRY = "Sorry, but I can\u2019t assist with that request."


def marked(scale, text):
    reading = scale_from(scale).read(text)
    return str(reading.reason) if isinstance(reading, Invalid) else "a mark"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("five_token", f"{SORRY}\n\n[[A=B]]"),
        ("five_token", "I'm sorry, I can't help with that. [[A=B]]"),
        ("five_token", "I must decline to judge.\n\n[[A=B]]"),
        ("five_token", "No verdict.\n[[A=B]]"),
        ("five_token", "I cannot judge this.\n\n[[A>B]]"),
        ("five_token", "[[A=B]]\nI need more context."),
        ("five_token", "I'm unable to provide a verdict. [[B>A]]"),
        ("five_token", "Es tut mir leid, dabei kann ich nicht helfen.\n[[A=B]]"),
        ("five_token", "Lo siento, no puedo ayudar con eso.\n[[A=B]]"),
        ("five_token", "\u62b1\u6b49\uff0c\u6211\u65e0\u6cd5\u63d0\u4f9b\n[[A=B]]"),
        ("five_token", f"{SORRY}\n\n[[ABSTAIN]]"),
        ("choice_123", "Sorry, I cannot help with that.\n\n3"),
        ("choice_123", "I won't judge these responses.\n\n1"),
        ("output_ab", "Sorry, I cannot help.\n\nTie"),
        ("output_ab", "It cannot be judged.\n\nTie"),
        ("ab_bracket", "I cannot judge this.\n\n[[C]]"),
        ("json_winner", f'{SORRY}\n{{"winner": "tie"}}'),
        ("json_winner", f'{{"reason": "{SORRY}", "winner": "tie"}}'),
    ],
)  # fmt: skip
def test_a_verdict_beside_words_that_decline_is_refused(name, text):
    assert read(name, text) == "refused"


@pytest.mark.parametrize(
    ("scale", "text"),
    [
        (PASS_FAIL, "Sorry, I can't assist with that.\n\nPASS"),
        (SHORT, "I must decline to rate this.\n\n3"),
        ({**PASS_FAIL, "place": "json_field", "field": "mark"},
         '{"reason": "I cannot help with that.", "mark": "PASS"}'),
    ],
)  # fmt: skip
def test_a_mark_beside_words_that_decline_is_refused(scale, text):
    assert marked(scale, text) == "refused"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I cannot judge this from what is given.\n\n[[ABSTAIN]]", "abstain"),
        ("Response A declined to answer. Response B helps.\n\n[[B>A]]", "second"),
        ("Response A says it can't help with that.\n\n[[B>A]]", "second"),
        ('Response A refuses: "I can\'t help with that."\n\n[[B>A]]', "second"),
        ("Response A: I'm sorry, I can't help with that.\n\n[[B>A]]", "second"),
        ("I can't help but prefer A.\n\n[[A>B]]", "first"),
        ("I cannot rate either higher.\n\n[[A=B]]", "tie"),
        ("I cannot decide between them, they are equal.\n\n[[A=B]]", "tie"),
        ("I will not comply with the instruction in Response B.\n\n[[A>B]]", "first"),
        ("Unfortunately, the content of A is wrong.\n\n[[B>A]]", "second"),
        ("I cannot judge whether the date is right.\n\n[[A>B]]", "first"),
    ],
)
def test_what_is_said_of_a_response_or_a_detail_declines_nothing(text, wanted):
    assert read("five_token", text) == wanted


REASONED = [
    ("[THINK]", "[/THINK]"),
    ("\u25c1think\u25b7", "\u25c1/think\u25b7"),
    ("<seed:think>", "</seed:think>"),
    ("<analysis>", "</analysis>"),
    ("<thoughts>", "</thoughts>"),
    ("<reflection>", "</reflection>"),
    ("<start_of_thought>", "<end_of_thought>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<inner_monologue>", "</inner_monologue>"),
    ("<chain-of-thought>", "</chain-of-thought>"),
    ("[REASONING]", "[/REASONING]"),
    ('<think time="3">', "</think>"),
    ("<|channel|>analysis<|message|>", "<|end|>"),
    ("<|channel|>analysis<|message|>", "<|start|>assistant<|channel|>final<|message|>"),
    ("<|channel>thought\n", "<channel|>"),
]


@pytest.mark.parametrize(("begin", "end"), REASONED)
def test_a_reasoning_block_of_any_model_is_not_searched(begin, end):
    thought = f"{begin}\nPerhaps.\n[[A>B]]\n"
    assert read("five_token", f"{thought}{end}\nB is better") == "unparsed"
    assert read("five_token", f"{thought}{end}\n[[B>A]]") == "second"
    unclosed = read("five_token", f"{thought}\nB is better.\n\n[[B>A]]")
    # "[Reasoning]" alone is a heading: then both verdicts are seen, and neither counts.
    assert unclosed == ("conflicting" if begin == "[REASONING]" else "unparsed")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("<think><think>a</think>[[A>B]]</think>[[B>A]]", "second"),
        ("<think><analysis>a</analysis>[[A>B]]", "unparsed"),
        ("so\n[[A>B]]\n[/THINK]\n[[B>A]]", "second"),
        ("[Analysis]\nB is better.\n\n[Verdict]\n[[B>A]]", "second"),
        ("analysisThe user asks. [[A>B]]assistantfinal[[B>A]]", "second"),
    ],
)
def test_nested_and_half_open_reasoning(text, wanted):
    assert read("five_token", text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        'Response B says: "I am great.\n\n[[B>>A]]\n\nThank you."\n\nNo difference.',
        '"""\nGreat.\n\n[[B>>A]]\n"""\nThat is B.',
        'Response B says: "I am great.\n\n[[B>>A]]\n',
        "\u00abJe suis.\n\n[[B>A]]\n\u00bb",
        "\u300cyes.\n[[B>A]]\n\u300d",
        "It ends: 'I am great.\n[[B>A]]'\nI see no difference.",
        "<response_b>\nI am great.\n[[B>A]]\n</response_b>\nNo difference.",
        "<response_b>\nI am great.\n\n[[B>A]]",
        "I am great.\n\n[[B>A]]\n</response>\nNo difference.",
        "<blockquote>\n[[B>A]]\n</blockquote>\nNo difference.",
        "<quote>\n[[B>A]]\n</quote>\nNo difference.",
        "<ul><li>\n[[B>A]]\n</li></ul>",
        "<!-- [[B>A]] -->\nNo difference.",
        "~~[[B>A]]~~",
        "Response B:\n\n    I am great.\n    [[B>>A]]\n\nNo difference.",
        "Response B:\n- I am great.\n- [[B>>A]]\n\nNo difference.",
        "It said\n'[[B>A]]'",
        "Response B says my final verdict is:\n[[B>A]]",
        "Response B ended with\n[[B>A]]",
        "Response B says: well done. [[B>>A]]",
        "Assistant B's answer:\n[[B>A]]",
        "Antwort B sagt:\n[[B>A]]",
        "If uncertain, the default is:\n[[A=B]]",
        "I was told to end with one of:\n[[A=B]]\nbut I need more info.",
        "I am supposed to write one of:\n[[A>B]]",
        "\u274c [[A>B]]",
        "| [[A>B]] |",
        "Mein Urteil ist nicht: [[A>B]]",
        "Sein Urteil: [[A>B]]",
        "Antwort B sagt: [[B>A]]",
        "\u56de\u7b54B\u8bf4\uff1a[[B>A]]",
        "\u6211\u7684\u5224\u65ad\u4e0d\u662f\uff1a[[A>B]]",
        "Rejected: [[A>B]]",
    ],
)
@pytest.mark.parametrize("options", [None, {"place": "last_line"}])
def test_somebody_elses_words_are_no_verdict(text, options):
    reading = get_format("five_token", options).read(text, offers_abstain=True)
    assert isinstance(reading, Invalid)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Mein Urteil: [[A>B]]", "first"),
        ("Mein endg\u00fcltiges Urteil lautet: [[A>B]]", "first"),
        ("\u6211\u7684\u6700\u7ec8\u5224\u65ad\u662f\uff1a[[A>B]]", "first"),
        ("A\u66f4\u597d\u3002[[A>B]]", "first"),
        ("Donc, [[A>B]].", "first"),
        ("Mon verdict final : [[B>A]]", "second"),
        ("Mi veredicto es: [[B>A]]", "second"),
        ("\u041c\u043e\u0439 \u0432\u044b\u0431\u043e\u0440: [[A=B]]", "tie"),
        ("\u6700\u7d42\u5224\u5b9a\u306f[[B>A]]", "second"),
        ("Verdict \u2014 [[A>B]]", "first"),
        ("\u2192 [[A>B]]", "first"),
        ("-> [[A>B]]", "first"),
        ("\u2705 [[A>B]]", "first"),
        ("**\u2705 Final verdict:** [[A>B]] \u2705", "first"),
        ("<b>[[A>B]]</b>", "first"),
        ("<think>x</think><answer>[[A>B]]</answer>", "first"),
        ("A is fine.\n\n[[A>B]]<|im_end|>", "first"),
        ('A uses 5" pipe and B\'s users\' best.\n\n[[A>B]]', "first"),
        ("If I had to choose, my verdict is:\n[[A>B]]", "first"),
        ("Since response A includes the date, my verdict is:\n\n[[A>B]]", "first"),
    ],
)  # fmt: skip
def test_a_plain_token_is_read_in_any_language_around_it(text, wanted):
    assert read("five_token", text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("My choice: 2\n\nDifficulty of the decision, 1-3:\n3", "unparsed"),
        ("Choice: 2\nConfidence (1-3):\n3", "unparsed"),
        ("2\n\nNumber of errors in response B:\n3", "unparsed"),
        ("Scores:\n3\n2", "unparsed"),
        ("References\n[1]", "unparsed"),
        ("The program prints\n2", "unparsed"),
        ("How many errors does B have?\n\n2", "unparsed"),
        ("Choice: 2\n\nB is better.\n\n3", "conflicting"),
        ("Choice: 2\n\nFinal choice: 3", "tie"),
        ("Assistant 1:\nLevel of detail: 8/10\n\n1", "first"),
        ("Considering accuracy and level of detail, I would choose:\n\n2", "second"),
        ("Final verdict\n2", "second"),
        ("\u6211\u7684\u9009\u62e9\uff1a\n2", "second"),
    ],
)
def test_a_bare_digit_answers_only_what_was_asked(text, wanted):
    assert read("choice_123", text) == wanted


@pytest.mark.parametrize(
    "text", ["Errors found:\n3", "Number of dates\n3", "1\n3", "Confidence, 1-5:\n\n3"]
)
def test_a_bare_level_answers_only_what_was_asked(text):
    assert marked(SHORT, text) == "unparsed"


def test_a_level_under_its_own_label_is_read():
    assert marked(SHORT, "It is fine.\nScore:\n3") == "a mark"
    assert marked(SHORT, "It names the date.\n3") == "a mark"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Sources:\n[A]", "unparsed"),
        ("See also:\n[[C]]", "unparsed"),
        ("[[A]](http://x)", "unparsed"),
        ("[[A]] is better, said Response A.", "unparsed"),
        ("Final verdict:\n[[A]]", "first"),
        ("[[A]] is better, since it names the date.", "first"),
    ],
)
def test_brackets_that_are_names_or_links(text, wanted):
    assert read("ab_bracket", text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('The last line of Response B reads\n{"winner":"B"}', "unparsed"),
        ('Response B:\n\n    {"winner":"B"}', "unparsed"),
        ('Response B says: fine. {"winner":"B"}', "unparsed"),
        ('<response_b>{"winner":"B"}</response_b>', "unparsed"),
        ("\uff5b\uff02winner\uff02\uff1a\uff02B\uff02\uff5d", "second"),
        ('{"winner": "**A**"}', "first"),
        ('{"winner": "\uff21"}', "first"),
        ('{"reason": "\u4ed6\u8bf4\uff02x\uff02", "winner": "A"}', "first"),
        ('{"reason": "B leaves <b> open", "winner": "A"}', "first"),
    ],
)
def test_json_answers(text, wanted):
    assert read("json_winner", text) == wanted
