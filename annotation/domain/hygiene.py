"""What is looked for in a gold set before a round opens, and how much it matters."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from statistics import median
from typing import TYPE_CHECKING

from annotation.domain.clusters import cluster_counts
from annotation.domain.estimates import Figure, Undefined
from annotation.domain.intervals import SignTest, share, sign_test

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence


class Severity(StrEnum):
    """What a finding asks for.

    None keeps a round from being opened: it is a lead's to decide, and the round keeps
    what was not settled.
    """

    SETTLE_FIRST = "settle_first"
    WARNS = "warns"
    NOTES = "notes"


class Check(StrEnum):
    """One thing that is looked for."""

    EMPTY_RESPONSES = "empty-responses"
    IDENTITY_LEAKS = "identity-leaks"
    SPLIT_LEAKS = "split-leaks"
    IDENTICAL_RESPONSES = "identical-responses"
    REPEATED_CASES = "repeated-cases"
    NEAR_DUPLICATES = "near-duplicates"
    TRUNCATED_RESPONSES = "truncated-responses"
    CUT_OFF_LOOKS = "cut-off-looks"
    EVIDENCE_DIFFERS = "evidence-differs"
    ATTEMPTS_DIFFER = "attempts-differ"
    LANGUAGES = "languages"
    LENGTHS = "lengths"

    @property
    def severity(self) -> Severity:
        """How much findings of this check matter."""
        return _SEVERITY[self]

    @property
    def tells_systems(self) -> bool:
        """Whether a finding says which system wrote what."""
        return self in _TELLING


_SEVERITY = {
    Check.EMPTY_RESPONSES: Severity.SETTLE_FIRST,
    Check.IDENTITY_LEAKS: Severity.SETTLE_FIRST,
    Check.SPLIT_LEAKS: Severity.SETTLE_FIRST,
    Check.IDENTICAL_RESPONSES: Severity.WARNS,
    Check.REPEATED_CASES: Severity.WARNS,
    Check.NEAR_DUPLICATES: Severity.NOTES,
    Check.TRUNCATED_RESPONSES: Severity.WARNS,
    Check.CUT_OFF_LOOKS: Severity.NOTES,
    Check.EVIDENCE_DIFFERS: Severity.WARNS,
    Check.ATTEMPTS_DIFFER: Severity.WARNS,
    Check.LANGUAGES: Severity.NOTES,
    Check.LENGTHS: Severity.WARNS,
}

_TELLING = frozenset(
    {
        Check.EMPTY_RESPONSES,
        Check.IDENTITY_LEAKS,
        Check.TRUNCATED_RESPONSES,
        Check.CUT_OFF_LOOKS,
        Check.LANGUAGES,
    }
)
LENGTH_ALPHA = 0.01
LENGTH_RATIO = 1.2


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: the cases it names by id, the pairs it touches, and what it is."""

    check: Check
    cases: tuple[str, ...]
    pairs: tuple[int, ...]
    detail: str


@dataclass(frozen=True, slots=True)
class LengthBalance:
    """Which of two systems writes longer, over the pairs of both.

    ``ratio`` is the median of candidate length over baseline length, in characters;
    pairs with an empty response are left out of it. ``test`` is the exact sign test of
    longer candidate against longer baseline.
    """

    baseline: str
    candidate: str
    pairs: int
    candidate_longer: int
    baseline_longer: int
    equal: int
    longer_share: Figure
    test: SignTest | Undefined
    ratio: float | None

    @property
    def is_unbalanced(self) -> bool:
        """Whether one system is longer beyond chance (1 %) and by a fifth or more.

        A reviewer who likes length then prefers that system for it.
        """
        if isinstance(self.test, Undefined) or self.ratio is None:
            return False
        apart = not 1 / LENGTH_RATIO < self.ratio < LENGTH_RATIO
        return apart and self.test.p_value < LENGTH_ALPHA


def length_balance(
    systems: tuple[str, str],
    lengths: Sequence[tuple[int, int]],
    clusters: Sequence[Hashable],
) -> LengthBalance:
    """Compare (baseline, candidate) lengths of each pair; ``clusters`` is its prompt.

    ``longer_share`` is candidate longer among pairs of unequal length. Source: METHODS
    3.9, the design check. Raises ``ValueError`` when the two are not equally long.
    """
    signs = [
        (float(candidate > baseline), cluster)
        for (baseline, candidate), cluster in zip(lengths, clusters, strict=True)
        if baseline != candidate
    ]
    longer = sum(int(hit) for hit, _ in signs)
    counts = cluster_counts(*zip(*signs, strict=True)) if signs else None
    ratios = [candidate / baseline for baseline, candidate in lengths if baseline > 0]
    return LengthBalance(
        baseline=systems[0],
        candidate=systems[1],
        pairs=len(lengths),
        candidate_longer=longer,
        baseline_longer=len(signs) - longer,
        equal=len(lengths) - len(signs),
        longer_share=share(
            longer,
            len(signs),
            hits_by_cluster=counts,
            reason="no pair of unequal length",
        ),
        test=sign_test(longer, len(signs) - longer),
        ratio=median(ratios) if ratios else None,
    )
