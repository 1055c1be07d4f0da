"""Replies of careful judges are read, whichever response they are for."""

from __future__ import annotations

import pytest

from tests.judging.domain.formats import told_honestly_more as more
from tests.judging.domain.formats.both_ways import BRACKETS, LAST_LINES, reads
from tests.judging.domain.formats.told_honestly import (
    BY_NUMBER,
    BY_OUTPUT,
    EVERYWHERE,
    IN_BRACKETS,
)
from tests.judging.domain.formats.told_in_json import FOR

FORMATS_AND_TEXTS = [
    ((*BRACKETS, *LAST_LINES), EVERYWHERE),
    (BRACKETS, IN_BRACKETS),
    (("choice_123",), BY_NUMBER),
    (("output_ab",), BY_OUTPUT),
    (("json_winner",), FOR),
    ((*BRACKETS, *LAST_LINES), more.ANY_REPLIES),
    (BRACKETS, more.WHOLE_REPLIES),
    (("choice_123",), more.NUMBER_REPLIES),
    (("output_ab",), more.OUTPUT_REPLIES),
    (("json_winner",), more.JSON_REPLIES),
]


@pytest.mark.parametrize(
    ("names", "text"),
    [(names, text) for names, texts in FORMATS_AND_TEXTS for text in texts],
)
def test_an_honest_reply_is_read(names, text):
    for name in names:
        assert reads(name, text) == ["read"] * 2, name
