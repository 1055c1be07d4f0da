"""A panel of frozen judges (PoLL) and its vote (METHODS 3.11, arXiv 2404.18796).

The members vote within each order, on their outcomes of that order. The panel then has
two order outcomes like any judge, so that consistency classes exist and its combining
rule decides (DESIGN rule 4). Voting on the members' case verdicts instead would hide
that a whole panel follows the slot.

Too few votes: METHODS makes it an abstain, which is the default here. A panel may
declare ``invalid`` instead: then the order is invalid when the members that answered at
all, abstains among them, are below the quorum, so that errors never pass for abstains.
Either way the counts are kept beside the outcome.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from statistics import correlation, fmean
from typing import TYPE_CHECKING

from annotation.domain.digests import digest_of
from annotation.domain.estimates import Undefined
from annotation.domain.outcomes import Order, Outcome, choice_for
from judging.domain.terms import (
    CombiningRule,
    InvalidReason,
    JudgeOutcome,
    RepeatRule,
)
from judging.domain.verdicts import CallReading, Invalid, Verdict, combine

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judging.domain.verdicts import CaseVerdict, Reading

SCHEMA = "evenhand.panel/1"
FEWEST_MEMBERS = 2


class VoteRule(StrEnum):
    """How votes are counted: most votes wins (no absolute majority is needed)."""

    MAJORITY = "majority"


class TopTie(StrEnum):
    """What it is when two outcomes share the most votes."""

    TIE = "tie"
    ABSTAIN = "abstain"


class AbstainRule(StrEnum):
    """Whether a member's abstain is no vote, or a vote like any other."""

    LEFT_OUT = "left_out"
    COUNTED = "counted"


class NoQuorum(StrEnum):
    """What too few votes come to."""

    ABSTAIN = "abstain"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class PanelVote:
    """The outcome of one vote, and the seats behind it.

    ``votes`` counts the votes by outcome; ``abstained`` and ``invalid`` count members.
    """

    outcome: JudgeOutcome
    votes: Mapping[JudgeOutcome, int]
    abstained: int
    invalid: int
    quorum: int
    quorum_met: bool


@dataclass(frozen=True, slots=True)
class PanelVerdict:
    """A panel's verdict on one pair, with the vote of each order."""

    verdict: CaseVerdict
    baseline_first: PanelVote
    candidate_first: PanelVote


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelSpec:
    """Everything that determines a panel's verdict, given its members' calls.

    ``members`` are digests of frozen judges, kept sorted: seats have no order.
    ``quorum`` is the fewest votes that decide, ``None`` for floor(K/2)+1. Raises
    ``ValueError`` for fewer than two members, a member twice, a quorum out of range, or
    ``mean_strength``: votes have no strength.
    """

    members: tuple[str, ...]
    combining_rule: CombiningRule = CombiningRule.AGREE_ELSE_TIE
    rule: VoteRule = VoteRule.MAJORITY
    top_tie: TopTie = TopTie.TIE
    abstain_rule: AbstainRule = AbstainRule.LEFT_OUT
    no_quorum: NoQuorum = NoQuorum.ABSTAIN
    quorum: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "members", tuple(sorted(self.members)))
        if len(self.members) < FEWEST_MEMBERS:
            raise ValueError("a panel needs at least two members")
        if len(set(self.members)) < len(self.members):
            raise ValueError("a judge can sit on a panel once only")
        if self.combining_rule is CombiningRule.MEAN_STRENGTH:
            raise ValueError("votes have no strength: mean_strength can't be used")
        if self.quorum is not None and not 1 <= self.quorum <= len(self.members):
            raise ValueError(f"the quorum must be 1 to {len(self.members)}")

    @property
    def needed(self) -> int:
        """The fewest votes that decide."""
        return self.quorum or default_quorum(len(self.members))


def panel_digest(spec: PanelSpec) -> str:
    """SHA-256 of the canonical JSON of a panel, as 64 hexadecimal digits."""
    return digest_of(panel_to_json(spec))


def panel_to_json(spec: PanelSpec) -> dict[str, object]:
    """Give the JSON form that is stored, exported and digested."""
    return {
        "schema": SCHEMA,
        "members": list(spec.members),
        "combining_rule": spec.combining_rule,
        "rule": spec.rule,
        "top_tie": spec.top_tie,
        "abstain_rule": spec.abstain_rule,
        "no_quorum": spec.no_quorum,
        "quorum": spec.needed,
    }


def default_quorum(members: int) -> int:
    """More than half of the members (METHODS 3.11)."""
    return members // 2 + 1


def panel_vote(
    outcomes: Sequence[JudgeOutcome],
    *,
    top_tie: TopTie = TopTie.TIE,
    abstain_rule: AbstainRule = AbstainRule.LEFT_OUT,
    no_quorum: NoQuorum = NoQuorum.ABSTAIN,
    quorum: int | None = None,
) -> PanelVote:
    """Take the vote of all members, one outcome each (METHODS 3.11).

    Invalid is never a vote. Most votes wins; two outcomes that share the most come to
    ``top_tie``. Fewer votes than the quorum come to ``no_quorum``, see the module. An
    empty panel has no quorum.
    """
    needed = default_quorum(len(outcomes)) if quorum is None else quorum
    counts = Counter(JudgeOutcome(outcome) for outcome in outcomes)
    invalid = counts.pop(JudgeOutcome.INVALID, 0)
    abstained = counts[JudgeOutcome.ABSTAIN]
    if abstain_rule is AbstainRule.LEFT_OUT:
        del counts[JudgeOutcome.ABSTAIN]
    votes = {outcome: counts[outcome] for outcome in JudgeOutcome if counts[outcome]}
    met = sum(votes.values()) >= max(needed, 1)
    answered = len(outcomes) - invalid
    outcome = (
        _winner(votes, top_tie)
        if met
        else _without_quorum(no_quorum, too_few_answered=answered < max(needed, 1))
    )
    return PanelVote(outcome, votes, abstained, invalid, needed, met)


def panel_verdict(
    members: Sequence[tuple[JudgeOutcome, JudgeOutcome]], *, spec: PanelSpec
) -> PanelVerdict:
    """Combine the members' two order outcomes each into the panel's verdict on a pair.

    ``members`` holds (baseline first, candidate first) of every member; one whose
    calls are missing is (invalid, invalid). Raises ``ValueError`` if a member's
    outcomes are not there at all: a panel with a seat missing is another panel.
    """
    if len(members) != len(spec.members):
        msg = f"{len(members)} members voted, the panel has {len(spec.members)}"
        raise ValueError(msg)
    votes = [
        panel_vote(
            side,
            top_tie=spec.top_tie,
            abstain_rule=spec.abstain_rule,
            no_quorum=spec.no_quorum,
            quorum=spec.needed,
        )
        for side in zip(*members, strict=True)
    ]
    orders = (Order.BASELINE_FIRST, Order.CANDIDATE_FIRST)
    calls = [
        CallReading(order, 1, _as_reading(vote, order))
        for order, vote in zip(orders, votes, strict=True)
    ]
    verdict = combine(
        calls, rule=spec.combining_rule, repeat_rule=RepeatRule.MAJORITY, repeats=1
    )
    return PanelVerdict(verdict, votes[0], votes[1])


@dataclass(frozen=True, slots=True)
class EffectiveVotes:
    """How many independent votes a panel is worth (Kish), by its members' errors.

    ``rho`` is the mean pairwise correlation of the error indicators.
    """

    value: float
    rho: float
    members: int
    cases: int


def effective_votes(errors: Sequence[Sequence[int]]) -> EffectiveVotes | Undefined:
    """K / (1 + (K-1) rho) from one row of error indicators (0 or 1) per member.

    All rows are over the same cases. Undefined for fewer than two members or cases, for
    a member that errs always or never (it correlates with nothing), and where the mean
    correlation is so far below zero that the formula has no meaning. Raises
    ``ValueError`` for rows of unequal length.
    """
    if len({len(row) for row in errors}) > 1:
        raise ValueError("the members' rows must be over the same cases")
    members, cases = len(errors), len(errors[0]) if errors else 0
    if members < FEWEST_MEMBERS or cases < FEWEST_MEMBERS:
        return Undefined("fewer than two members or cases", None, cases)
    if any(len(set(row)) == 1 for row in errors):
        return Undefined("a member errs always or never", None, cases)
    rho = fmean(correlation(one, other) for one, other in combinations(errors, 2))
    design = 1 + (members - 1) * rho
    if design < 1 / members:
        return Undefined("the errors exclude one another", None, cases)
    return EffectiveVotes(members / design, rho, members, cases)


def _winner(votes: Mapping[JudgeOutcome, int], top_tie: TopTie) -> JudgeOutcome:
    most = max(votes.values())
    leaders = [outcome for outcome, count in votes.items() if count == most]
    return leaders[0] if len(leaders) == 1 else JudgeOutcome(top_tie.value)


def _without_quorum(rule: NoQuorum, *, too_few_answered: bool) -> JudgeOutcome:
    if rule is NoQuorum.INVALID and too_few_answered:
        return JudgeOutcome.INVALID
    return JudgeOutcome.ABSTAIN


def _as_reading(vote: PanelVote, order: Order) -> Reading:
    if vote.outcome is JudgeOutcome.INVALID:
        return Invalid(InvalidReason.NO_QUORUM, "no quorum")
    return Verdict(choice_for(Outcome(vote.outcome.value), order))
