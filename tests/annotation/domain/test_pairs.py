from __future__ import annotations

import pytest

from annotation.domain.pairs import PairFlag, pair_digest, pair_flags
from annotation.domain.texts import Message

MATERIAL = {
    "case_id": "c1",
    "prompt": "Q",
    "context": None,
    "reference": None,
    "systems": ("a", "b"),
    "responses": ("00", "11"),
}


@pytest.mark.parametrize(
    "change",
    [
        {"case_id": "c2"},
        {"prompt": "Q "},
        {"prompt": (Message("user", "Q"),)},
        {"context": "C"},
        {"reference": "R"},
        {"systems": ("a", "c")},
        {"systems": ("b", "a")},
        {"responses": ("11", "00")},
        {"responses": ("00", "22")},
    ],
)
def test_everything_is_in_the_digest(change):
    assert pair_digest(**(MATERIAL | change)) != pair_digest(**MATERIAL)


def test_the_digest_is_the_same_for_lists_and_tuples():
    listed = {"systems": ["a", "b"], "responses": ["00", "11"]}
    assert pair_digest(**(MATERIAL | listed)) == pair_digest(**MATERIAL)


def test_context_and_reference_are_told_apart():
    one = pair_digest(**(MATERIAL | {"context": "x"}))
    assert one != pair_digest(**(MATERIAL | {"reference": "x"}))


@pytest.mark.parametrize(
    ("baseline", "candidate", "flags"),
    [
        ({}, {}, ()),
        ({"attempts": 1}, {"attempts": 1}, ()),
        ({"attempts": 1}, {"attempts": 2}, (PairFlag.ATTEMPTS_DIFFER,)),
        ({"evidence_sha256": "x"}, {}, (PairFlag.EVIDENCE_DIFFERS,)),
        ({"config": "x"}, {"config": "y"}, ()),
    ],
)
def test_flags(baseline, candidate, flags):
    assert pair_flags(("00", "11"), baseline, candidate) == flags


def test_identical_responses_are_flagged():
    assert pair_flags(("00", "00"), {}, {}) == (PairFlag.IDENTICAL_RESPONSES,)
