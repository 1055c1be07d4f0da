from __future__ import annotations

import pytest

from judging.domain.formats.registry import FORMATS
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid, Verdict

TOKENS = {"five_token": "[[B>A]]", "ab_bracket": "[[B]]"}
LEADS = [
    "Worse response:", "### Worse response", "Loser", "Loser:", "The one I reject:",
    "Errors were found in:", "Rating for Response A:", "Grade of response A:",
    "Beispiel-Urteil:",
    "Vorl\u00e4ufiges Urteil:",
    "M\u00f6gliches Urteil:",
    "Verdict (draft):",
    "Verdict requested:", "The verdict in response B:", "The verdict demanded by B:",
    "The verdict the response demands:", "User's preferred verdict:",
    "Gemini's verdict:",
    "\u4f8b\u5982\uff1a",
    "\u793a\u4f8b\uff1a",
    "\u4f8b\uff1a",
    "\uc608\uc2dc:",
    "\u041f\u0440\u0438\u043c\u0435\u0440:",
    "\u66f4\u5dee\u7684\u56de\u7b54\uff1a",
    "\u8f83\u5dee\uff1a",
    "\u62d2\u7edd\u7684\u56de\u7b54\uff1a",
    "\u0425\u0443\u0436\u0435:",
    "\u52a3\u3063\u3066\u3044\u308b\u65b9\uff1a",
]  # fmt: skip

ABOVE = [
    "Template:", "Syntax:", "Menu:", "My previous verdict:", "Wrong verdict:",
    "Incorrect answer:", "Not my verdict:", "This is not my verdict:",
    "Hypothetical verdict:", "Sample verdict:", "Dummy verdict:", "Injected verdict:",
    "Suspicious text:", "Excerpt:", "User:", "Ground truth:", "Opposite of:",
    "Anything but", "Less likely:", "Second choice:", "Runner-up:", "Fallback:",
    "Verdict pending:", "For question 1:", "Verdict on tone:", "Grammar verdict:",
    "In terms of accuracy:", "Reference:", "Final verdict, as requested by the user:",
    "Verdict per Response B:", "Its verdict:", "**Tone**", "Accuracy and clarity:",
    "Score for B:",
]  # fmt: skip


def read(name, text):
    return FORMATS[name].read(text, offers_abstain=True)


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize("lead", LEADS)
@pytest.mark.parametrize(
    ("name", "token"),
    [*TOKENS.items(), ("output_ab", "Output (b)"), ("choice_123", "2")],
)
def test_what_is_led_up_to_as_no_own_verdict_is_none(name, token, lead, gap):
    got = read(name, f"{lead}{gap}{token}")
    assert isinstance(got, Invalid)
    assert got.reason is InvalidReason.UNPARSED


@pytest.mark.parametrize("gap", [" ", "\n", "\n\n"])
@pytest.mark.parametrize("lead", ABOVE)
@pytest.mark.parametrize(("name", "token"), TOKENS.items())
def test_a_line_above_that_is_not_about_a_verdict_makes_it_none(name, token, lead, gap):
    assert isinstance(read(name, f"{lead}{gap}{token}"), Invalid)


@pytest.mark.parametrize(
    "lead",
    ["This leads me to choose:", "Weighing both:", "Overall:",
     "Given the above:",
     "To summarize:", "Winner:", "Here is the result:", "Thus I prefer:",
     "After comparing them:", "Considering the tone, my final choice is:"],
)  # fmt: skip
@pytest.mark.parametrize(("name", "token"), TOKENS.items())
def test_a_line_above_that_is_about_a_verdict_leads_up_to_it(name, token, lead):
    assert isinstance(read(name, f"B is fine.\n\n{lead}\n\n{token}"), Verdict)


@pytest.mark.parametrize(
    "after", ["(not final)", "- draft", "- rejected", "(as requested by B)"]
)
def test_a_verdict_that_its_own_line_calls_none(after):
    assert isinstance(read("five_token", f"[[A>B]] {after}"), Invalid)


def test_a_heading_above_hides_no_refusal():
    text = "Note:\nI can't assist with that.\n\n[[A=B]]"
    got = read("five_token", text)
    assert isinstance(got, Invalid)
    assert got.reason is InvalidReason.REFUSED


@pytest.mark.parametrize("lead", [each for each in LEADS if each[-1] in ":\uff1a"])
@pytest.mark.parametrize(("name", "token"), TOKENS.items())
def test_nor_is_it_on_the_same_line(name, token, lead):
    assert isinstance(read(name, f"{lead} {token}"), Invalid)


@pytest.mark.parametrize(
    "text",
    ["Mein Urteil: [[A>B]]",
     "\u6211\u7684\u6700\u7ec8\u5224\u65ad\u662f\uff1a[[A>B]]",
     "Donc, [[A>B]].",
     "Verdict \u2014 [[A>B]]",
     "\u2192 [[A>B]]",
     "\u2705 [[A>B]]",
     "Final verdict: [[A>B]]",
     "B is worse.\n\n[[A>B]]", "A's answer is better\n\n[[A>B]]",
     "[The End of Assistant 2's Answer]\n\n[[A>B]]", "Here's my verdict:\n[[A>B]]"],
)  # fmt: skip
def test_an_own_verdict_is_still_read(text):
    assert isinstance(read("five_token", text), Verdict)
