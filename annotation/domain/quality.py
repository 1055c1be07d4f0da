"""How one reviewer labels: against the others, against themselves, left and right.

Planned repeats (test-retest) are compared with the first label of the same person and
count nowhere else. External labels have no order: they say nothing of left and right.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from scipy.special import bdtr, bdtrik

from annotation.domain.clusters import cluster_counts
from annotation.domain.consensus import ConsensusRule, Settled, consensus
from annotation.domain.estimates import Estimate, Figure, Undefined
from annotation.domain.intervals import SignTest, share, sign_test
from annotation.domain.outcomes import Order, Outcome, SlotChoice, choice_for

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

NO_REFERENCE = "no pair whose other labels agree"
NO_DESIGNED = "no designed pair labelled"
NO_REPEATS = "no planned repeat yet"
NO_DECISIVE = "no decisive label with an order"
NOT_TIMED = "no times recorded"


class Rating(NamedTuple):
    """One person's current label on one pair.

    ``cluster`` is the pair's prompt, ``designed`` what the pair was built to be,
    ``is_repeat`` marks the planned second label of the same person. Times in seconds.
    """

    pair: int
    reviewer: str
    outcome: Outcome
    order: Order | None
    cluster: Hashable
    designed: Outcome | None = None
    is_repeat: bool = False
    active: float | None = None
    elapsed: float | None = None


@dataclass(frozen=True, slots=True)
class ReviewerQuality:
    """One reviewer's figures; every share carries k, n and its interval.

    ``consensus``: own label equals what the others' labels settle without it.
    ``without_reference``: labels whose pair the others leave open. ``designed``: equals
    what the pair was built to be. ``retest``: the planned repeat says the same again;
    ``retest_flips`` counts repeats that prefer the other system. ``left``: left among
    decisive labels, with the exact test that both sides are equally likely. ``ties``,
    ``abstains``: of all labels. ``active``, ``elapsed``: median seconds a label.
    """

    reviewer: str
    labels: int
    consensus: Figure
    without_reference: int
    designed: Figure
    retest: Figure
    retest_flips: int
    left: Figure
    left_test: SignTest | Undefined
    ties: Figure
    abstains: Figure
    active: Figure
    elapsed: Figure


def one_vote_each(ratings: Iterable[Rating]) -> tuple[Rating, ...]:
    """Each person's last label of each pair: they may have met it in two rounds.

    Planned repeats are no votes. ``ratings`` are in the order they were given in.
    """
    last = {(r.pair, r.reviewer): r for r in ratings if not r.is_repeat}
    return tuple(last.values())


def reviewer_qualities(
    ratings: Sequence[Rating], rule: ConsensusRule, wanted: int
) -> tuple[ReviewerQuality, ...]:
    """Figures of every reviewer, by name.

    The consensus without somebody's own label (leave-one-out) follows from the others'
    labels by the set's ``rule`` with one label fewer wanted, but at least one: with
    their own label counted, everybody would agree with themselves.
    """
    by_pair: defaultdict[int, list[Rating]] = defaultdict(list)
    for rating in one_vote_each(ratings):
        by_pair[rating.pair].append(rating)
    own: defaultdict[str, list[Rating]] = defaultdict(list)
    for rating in ratings:
        own[rating.reviewer].append(rating)
    needed = max(1, wanted - 1)
    return tuple(
        _quality(name, own[name], by_pair, rule, needed) for name in sorted(own)
    )


def _quality(
    name: str,
    ratings: Sequence[Rating],
    by_pair: Mapping[int, Sequence[Rating]],
    rule: ConsensusRule,
    needed: int,
) -> ReviewerQuality:
    counted = [rating for rating in ratings if not rating.is_repeat]
    references = [_reference(rating, by_pair, rule, needed) for rating in counted]
    against = [
        (rating.outcome is other, rating.cluster)
        for rating, other in zip(counted, references, strict=True)
        if other is not None
    ]
    retests = _retests(ratings)
    sides = [(_is_left(r), r.cluster) for r in counted if _has_side(r)]
    left = sum(is_left for is_left, _ in sides)
    return ReviewerQuality(
        reviewer=name,
        labels=len(counted),
        consensus=share_of(against, NO_REFERENCE),
        without_reference=len(counted) - len(against),
        designed=share_of(
            [(r.outcome is r.designed, r.cluster) for r in counted if r.designed],
            NO_DESIGNED,
        ),
        retest=share_of(
            [(one.outcome is two.outcome, one.cluster) for one, two in retests],
            NO_REPEATS,
        ),
        retest_flips=sum(_is_flip(one.outcome, two.outcome) for one, two in retests),
        left=share_of(sides, NO_DECISIVE),
        left_test=sign_test(left, len(sides) - left),
        ties=share_of([(r.outcome is Outcome.TIE, r.cluster) for r in counted]),
        abstains=share_of([(r.outcome is Outcome.ABSTAIN, r.cluster) for r in counted]),
        active=median_of(r.active for r in counted),
        elapsed=median_of(r.elapsed for r in counted),
    )


def _reference(
    rating: Rating,
    by_pair: Mapping[int, Sequence[Rating]],
    rule: ConsensusRule,
    needed: int,
) -> Outcome | None:
    others = [
        other.outcome
        for other in by_pair[rating.pair]
        if other.reviewer != rating.reviewer
    ]
    settled = consensus(others, rule, needed)
    return settled.outcome if isinstance(settled, Settled) else None


def _retests(ratings: Sequence[Rating]) -> list[tuple[Rating, Rating]]:
    """A person's first label of a pair with each planned repeat of it."""
    first = {rating.pair: rating for rating in ratings if not rating.is_repeat}
    return [
        (first[rating.pair], rating)
        for rating in ratings
        if rating.is_repeat and rating.pair in first
    ]


def _is_flip(one: Outcome, other: Outcome) -> bool:
    return one.is_decisive and other.is_decisive and one is not other


def _has_side(rating: Rating) -> bool:
    return rating.order is not None and rating.outcome.is_decisive


def _is_left(rating: Rating) -> bool:
    assert rating.order is not None  # noqa: S101 - asked before
    return choice_for(rating.outcome, rating.order) is SlotChoice.FIRST


def share_of(
    hits: Sequence[tuple[bool, Hashable]], reason: str = "no label yet"
) -> Figure:
    """Share of the hits, each with its prompt; undefined with ``reason`` for none."""
    if not hits:
        return Undefined(reason, 0, 0)
    counts = cluster_counts(*zip(*hits, strict=True))
    tally = Counter(hit for hit, _ in hits)
    return share(tally[True], len(hits), hits_by_cluster=counts)


def median_of(values: Iterable[float | None], *, level: float = 0.95) -> Figure:
    """Median of the values there are, with the exact interval by order statistics.

    The interval lies between the k-th smallest and k-th largest value, with the largest
    k whose binomial tail leaves out (1 - level)/2 on either side (Conover 1999, section
    3.2); below six values there is none. ``denominator`` is how many values there are.
    """
    known = sorted(value for value in values if value is not None)
    if not known:
        return Undefined(NOT_TIMED, None, 0)
    n, side = len(known), (1 - level) / 2
    cut = max(0, int(bdtrik(side, n, 0.5))) if bdtr(0, n, 0.5) <= side else -1
    if cut < 0:
        return Estimate(median(known), None, n, None, None, None, None)
    return Estimate(
        value=median(known),
        numerator=None,
        denominator=n,
        low=known[cut],
        high=known[n - 1 - cut],
        level=level,
        method="order statistics",
    )
