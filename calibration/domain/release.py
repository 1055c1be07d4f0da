"""A release run: what a frozen judge said of candidate and baseline on many cases.

The pairs come as plain data, the rows of an evidence document, so that whoever has only
an export can count them again. One pair is an object with

- ``pair``, ``case``, ``cluster``: ids; pairs of one cluster are not independent
- ``copy_of``: the case whose texts it repeats, or null
- ``systems``: baseline and candidate
- ``slices``, ``critical``, ``lengths`` (characters of baseline and candidate)
- ``baseline_first``, ``candidate_first``, ``verdict``, ``consistency``, ``tie_source``
- ``calls``: how many there were with the baseline first and with the candidate first
- ``human``: what people settled on, or null
- ``only_candidate_fails``: whether marks of single responses fail the candidate alone,
  null where nothing is known
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np

from calibration.domain.columns import BASELINE, TIE
from calibration.domain.position import flip_rate, flips, usable
from calibration.domain.preference import preference
from calibration.domain.rates import Rates
from calibration.domain.samples import Row, Sample
from judging.domain.comparisons import comparisons_text
from judging.domain.terms import Consistency, JudgeOutcome, TieSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from annotation.domain.estimates import Figure
    from calibration.domain.results import Preference

    Pairs = Sequence[Mapping[str, Any]]

LEVEL = 0.95
SIMILAR = log(1.2)
SMALL_SLICE = 20


@dataclass(frozen=True, slots=True)
class SlicePreference:
    """One slice's pairs and cases; small ones can't be told from chance."""

    n: int
    cases: int
    small: bool
    preference: Preference
    flip_rate: Figure
    invalid_rate: Figure


@dataclass(frozen=True, slots=True)
class LengthMatched:
    """Pairs of similar length alone: |log of the ratio| at most log 1.2.

    ``kept`` is their share of the pairs whose lengths are known.
    """

    kept: Figure
    unknown: int
    preference: Preference


@dataclass(frozen=True, slots=True)
class ReleaseSummary:
    """Counts first; nothing is pooled that was not said. ``usable`` in both orders.

    ``copies`` are cases with the texts of another, which are not among ``cases``.
    """

    n: int
    cases: int
    copies: int
    answered_cases: int
    usable: int
    flips: int
    preference: Preference
    flip_rate: Figure
    invalid_rate: Figure
    critical: SlicePreference
    length_matched: LengthMatched
    slices: Mapping[str, Mapping[str, SlicePreference]]


def sample_of(pairs: Pairs, systems: Sequence[str]) -> Sample:
    """Check the rows of an evidence document against each other.

    Raises ``ValueError``, naming the pair, for what contradicts itself or is no
    outcome, and for pairs of more than one candidate or baseline: wins of one over
    another say nothing of a third.
    """
    compared = {tuple(pair["systems"]) for pair in pairs}
    if len(compared) > 1:
        raise ValueError(f"its pairs compare {comparisons_text(compared)}")
    return Sample.build((_row(pair) for pair in pairs), systems)


def _row(pair: Mapping[str, Any]) -> Row:
    baseline, candidate = pair["systems"]
    source, lengths = pair["tie_source"], pair["lengths"]
    return Row(
        pair=str(pair["pair"]),
        case=pair["case"],
        cluster=pair["cluster"],
        systems=(baseline, candidate),
        split=None,
        slices=dict(pair["slices"]),
        critical=pair["critical"] is True,
        gold=None,
        gold_source="none",
        baseline_first=JudgeOutcome(pair["baseline_first"]),
        candidate_first=JudgeOutcome(pair["candidate_first"]),
        verdict=JudgeOutcome(pair["verdict"]),
        consistency=Consistency(pair["consistency"]),
        tie_source=TieSource(source) if source else None,
        calls=(),
        lengths=(lengths[0], lengths[1]) if lengths else None,
        copy_of=pair["copy_of"],
    )


def summarise(sample: Sample, level: float = LEVEL) -> ReleaseSummary:
    """Count a release run; intervals are two-sided at ``level``."""
    rates = Rates.of(sample, level)
    return ReleaseSummary(
        n=len(sample),
        cases=cases_in(sample.rows),
        copies=len({row.case for row in sample.rows if row.copy_of}),
        answered_cases=answered_cases(sample),
        usable=int(usable(sample).sum()),
        flips=int(flips(sample).sum()),
        preference=preference(sample, rates).judge,
        flip_rate=flip_rate(sample, rates),
        invalid_rate=_invalid_rate(sample, rates),
        critical=_slice(sample.critical(), level),
        length_matched=_length_matched(sample, level),
        slices={
            name: {value: _slice(part, level) for value, part in values.items()}
            for name, values in sample.by_slice().items()
        },
    )


def cases_in(rows: Iterable[Row]) -> int:
    """How many different cases rows are about; a copy is none of its own."""
    return len({row.copy_of or row.case for row in rows})


def answered_cases(sample: Sample) -> int:
    """Cases with a pair that the judge gave to a system or called a tie."""
    answered = (sample.columns.verdict <= TIE).tolist()
    return cases_in(
        row for row, kept in zip(sample.rows, answered, strict=True) if kept
    )


def verdict_counts(sample: Sample) -> tuple[int, ...]:
    """Baseline, candidate, tie, abstain, invalid."""
    return tuple(map(int, np.bincount(sample.columns.verdict, minlength=5)))


def invalid_pairs(sample: Sample) -> Any:
    """Mask of the pairs without a verdict."""
    return sample.columns.verdict > TIE + 1


def decided_for_baseline(row: Row) -> bool:
    """Whether the judge preferred the baseline."""
    return row.verdict is tuple(JudgeOutcome)[BASELINE]


def _invalid_rate(sample: Sample, rates: Rates) -> Figure:
    every = np.ones(len(sample), bool)
    return rates.share(invalid_pairs(sample), every)


def _slice(part: Sample, level: float) -> SlicePreference:
    rates = Rates.of(part, level)
    return SlicePreference(
        n=len(part),
        cases=cases_in(part.rows),
        small=len(part) < SMALL_SLICE,
        preference=preference(part, rates).judge,
        flip_rate=flip_rate(part, rates),
        invalid_rate=_invalid_rate(part, rates),
    )


def _length_matched(sample: Sample, level: float) -> LengthMatched:
    known = np.array([row.lengths is not None for row in sample.rows], bool)
    near = np.array([_similar(row.lengths) for row in sample.rows], bool)
    kept = Rates.of(sample, level).share(near, known)
    part = sample.keep(near)
    matched = preference(part, Rates.of(part, level)).judge
    return LengthMatched(kept, int((~known).sum()), matched)


def _similar(lengths: tuple[int, int] | None) -> bool:
    """Both empty is similar; one empty beside one that is not, is not."""
    if lengths is None:
        return False
    baseline, candidate = lengths
    if min(lengths) <= 0:
        return baseline == candidate
    return abs(log(candidate / baseline)) <= SIMILAR + 1e-12
