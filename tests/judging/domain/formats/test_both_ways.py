"""Whether a verdict is read does not depend on which response it is for."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.judging.domain.formats import told_against_more, told_honestly_more
from tests.judging.domain.formats.both_ways import BRACKETS, LAST_LINES, VERDICTS, reads
from tests.judging.domain.formats.told_after import COPIED, TAKEN_BACK
from tests.judging.domain.formats.told_before import DECLINED, NO_LEADS, OPPOSED
from tests.judging.domain.formats.told_honestly import EVERYWHERE, IN_BRACKETS

WHOLE = (
    *COPIED, *EVERYWHERE, *IN_BRACKETS, *told_against_more.WHOLE_REPLIES,
    *told_against_more.ANY_REPLIES, *told_honestly_more.WHOLE_REPLIES,
    *told_honestly_more.ANY_REPLIES,
)  # fmt: skip
# What stands around verdicts in all those replies, and a few turns of speech.
PIECES = [
    *TAKEN_BACK, *OPPOSED, *NO_LEADS, *DECLINED,
    *(each.strip() for reply in WHOLE for each in reply.split("{V}") if each.strip()),
    "However,", "But", "Still,", "So", "Then again:", "{X}", "{Y}", "Response {X}",
    "Response {Y} is", "is better", "wins", "because", "not", "if", "a", "the",
    "Antwort {X}", "ist besser", "\u66f4\u597d", "**", "#", "- ", "> ", '"', ":", "{V}",
]  # fmt: skip
around = st.lists(st.sampled_from(PIECES), max_size=3)
gaps = st.sampled_from([" ", "\n", "\n\n", ". "])


@given(st.sampled_from([*BRACKETS, *LAST_LINES]), around, gaps, around, gaps)
@settings(max_examples=500)
def test_a_verdict_is_read_whichever_it_is(name, before, gap, after, other):
    text = gap.join([*before, "{V}"]) + "".join(other + each for each in after)
    first, second = reads(name, text)
    assert first == second, text
    assert name not in BRACKETS or first != "WRONG", text


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4), gaps, st.booleans())
@settings(max_examples=200)
def test_an_answer_in_json_is_read_whichever_it_is(pieces, gap, comes_first):
    words = gap.join(pieces).replace("{V}", "it")
    reason = words.replace("\\", " ").replace('"', "'").replace("\n", "\\n")
    parts = [f'"reason": "{reason}"', '"winner": "{V}"']
    text = "{" + ", ".join(parts[::-1] if comes_first else parts) + "}"
    first, second = reads("json_winner", text)
    assert first == second, text


def test_each_format_has_a_verdict_for_either_response():
    assert all(set(verdicts) == {"A", "B"} for verdicts in VERDICTS.values())
