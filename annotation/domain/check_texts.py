"""The checks of a gold set in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from annotation.domain.hygiene import Check

if TYPE_CHECKING:
    from collections.abc import Mapping


class CheckText(NamedTuple):
    """What a check is called, and why its findings matter."""

    title: str
    about: str


CHECK_TEXTS: Mapping[Check, CheckText] = {
    Check.EMPTY_RESPONSES: CheckText("Empty responses", "Nothing to compare."),
    Check.IDENTITY_LEAKS: CheckText(
        "Identity leaks",
        "A response names one of the systems, so its reader is not blind.",
    ),
    Check.SPLIT_LEAKS: CheckText(
        "Alike across splits",
        "What the judge is tuned on would be measured again. Assign the splits with "
        "near-duplicates kept together, or set one of the two aside.",
    ),
    Check.IDENTICAL_RESPONSES: CheckText(
        "Identical responses",
        "They can only be a tie. Pairs designed as ties are not listed.",
    ),
    Check.REPEATED_CASES: CheckText(
        "The same case twice",
        "The same prompt, context and reference under several ids count as several.",
    ),
    Check.NEAR_DUPLICATES: CheckText(
        "Nearly the same prompt",
        "In one split, or in none yet: the splits should keep them together.",
    ),
    Check.TRUNCATED_RESPONSES: CheckText(
        "Cut off, by their own record",
        "The response says that its length limit ended it.",
    ),
    Check.CUT_OFF_LOOKS: CheckText(
        "Cut off, by the look of it",
        "A guess from the end of the text; have a look.",
    ),
    Check.EVIDENCE_DIFFERS: CheckText(
        "Different evidence",
        "The two responses were not given the same to work from.",
    ),
    Check.ATTEMPTS_DIFFER: CheckText(
        "Different attempts",
        "One of the two responses was picked from more tries.",
    ),
    Check.LANGUAGES: CheckText(
        "Scripts that do not fit",
        "Prompt, response or language slice are in different scripts. Languages of one "
        "script can't be told apart here.",
    ),
    Check.LENGTHS: CheckText(
        "One system writes longer",
        "By a fifth or more and beyond chance: who likes length will prefer it.",
    ),
}
