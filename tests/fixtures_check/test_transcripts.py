"""The judge transcripts are well formed and cover every kind of ending."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotation.domain.outcomes import SlotChoice
from judging.domain.formats.registry import get_format
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid

FOLDER = Path(__file__).parents[2] / "fixtures" / "transcripts"
FORMATS = ("five_token", "json_winner", "choice_123", "ab_bracket", "output_ab")
FROM_TEXT = ("unparsed", "off_menu", "conflicting")


def rows(name: str) -> list[dict[str, str]]:
    text = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


ALL_ROWS = [row for name in FORMATS for row in rows(name)]


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


@pytest.mark.parametrize(
    "row", ALL_ROWS, ids=[f"{row['format']}: {row['note']}" for row in ALL_ROWS]
)
def test_the_format_reads_what_is_expected(row):
    reading = get_format(row["format"]).read(row["raw"], offers_abstain=True)
    if isinstance(reading, Invalid):
        assert f"invalid:{reading.reason}" == row["expected"]
    else:
        assert reading.choice == row["expected"]
