"""What disagreements of judge and gold were found to be, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calibration.presenters.figures import count_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calibration.presenters.columns import Payload

PARTS = (("dev", "dev"), ("held_out", "held-out"), ("unsplit", "in no split"))
FINDINGS = (
    ("judge_failed", "the judge failed"),
    ("gold_wrong", "the gold is wrong"),
    ("rubric_ambiguous", "the rubric leaves it open"),
    ("case_bad", "the case is bad"),
)


def review_facts(payload: Payload) -> Iterator[tuple[str, str]]:
    """How far the review of each part is; nothing for parts without disagreements."""
    found = payload.get("disagreements") or {}
    for key, name in PARTS:
        counts = found.get(key)
        if counts and counts["n"]:
            yield f"Disagreements, {name}", review_text(counts)


def review_text(counts: Payload) -> str:
    """The findings of one part: "2 of 9 reviewed: the judge failed 1, ..."."""
    said = [f"{words} {counts[key]:,}" for key, words in FINDINGS if counts[key]]
    text = f"{counts['reviewed']:,} of {count_text(counts['n'], 'pair')} reviewed"
    return f"{text}: {', '.join(said)}" if said else text
