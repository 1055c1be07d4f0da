"""One person has one vote on a pair, whoever counts."""

from __future__ import annotations

from annotation.domain.consensus import ConsensusRule, votes_among
from annotation.domain.estimates import Estimate
from annotation.domain.outcomes import Order, Outcome
from annotation.domain.quality import Rating, one_vote_each, reviewer_qualities

B, C, T = Outcome.BASELINE, Outcome.CANDIDATE, Outcome.TIE


def rate(pair: int, reviewer: str, outcome: Outcome, *, again: bool = False) -> Rating:
    order = Order.BASELINE_FIRST
    return Rating(pair, reviewer, outcome, order, pair, is_repeat=again)


def test_the_newest_word_is_the_vote_and_repeats_are_none() -> None:
    ratings = [
        rate(1, "ann", B),
        rate(1, "bob", C),
        rate(1, "ann", C),
        rate(1, "ann", T, again=True),
        rate(2, "ann", B),
    ]
    votes = one_vote_each(ratings)
    assert sorted((r.pair, r.reviewer, r.outcome) for r in votes) == [
        (1, "ann", C), (1, "bob", C), (2, "ann", B),
    ]  # fmt: skip


def test_two_labels_of_one_other_person_are_no_two_to_agree_with() -> None:
    ratings = [rate(1, "ann", B), rate(1, "bob", C), rate(1, "ann", C)]
    rule = ConsensusRule.UNANIMOUS_ELSE_ADJUDICATE
    found = {q.reviewer: q for q in reviewer_qualities(ratings, rule, 2)}
    agreed = found["bob"].consensus
    assert isinstance(agreed, Estimate)
    # Counted twice, ann would disagree with herself and leave bob without a measure.
    assert (agreed.numerator, agreed.denominator) == (1, 1)


def test_outside_labels_count_as_far_as_labels_are_wanted() -> None:
    ann, bob, cid = (None, "ann"), (None, "bob"), (None, "cid")
    said = [(ann, B), (bob, C), ((1, ""), T), (cid, C), (ann, T)]
    assert votes_among(said, 5) == [T, C, C, T]
    # Whoever said something else since came last.
    assert votes_among(said, 3) == [T, C, C]
    assert votes_among(said, 1) == [T]
    ours = [((number, ""), B) for number in range(4)]
    assert votes_among([*ours, *said], 2) == [B, B, B, T]
