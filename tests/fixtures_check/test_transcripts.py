"""The judge transcripts are well formed and cover every kind of ending."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotation.domain.outcomes import SlotChoice
from judging.domain.terms import InvalidReason

FOLDER = Path(__file__).parents[2] / "fixtures" / "transcripts"
FORMATS = ("five_token", "json_winner", "choice_123")
FROM_TEXT = ("unparsed", "off_menu", "conflicting")


def rows(name):
    text = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_there_is_one_file_for_each_format():
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_rows_are_well_formed(name):
    found = rows(name)
    assert 12 <= len(found) <= 20
    assert len({row["raw"] for row in found}) == len(found)
    for row in found:
        assert set(row) == {"format", "raw", "expected", "note"}
        assert row["format"] == name
        kind, _, reason = row["expected"].partition(":")
        assert InvalidReason(reason) if kind == "invalid" else SlotChoice(kind)


@pytest.mark.parametrize("name", FORMATS)
def test_each_choice_and_each_textual_failure_occurs(name):
    expected = {row["expected"] for row in rows(name)}
    assert expected >= set(SlotChoice)
    assert expected >= {f"invalid:{reason}" for reason in FROM_TEXT}
