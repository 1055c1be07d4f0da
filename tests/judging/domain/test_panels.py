from __future__ import annotations

import json
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.estimates import Undefined
from judging.domain.panels import (
    AbstainRule,
    EffectiveVotes,
    NoQuorum,
    PanelSpec,
    TopTie,
    effective_votes,
    panel_digest,
    panel_to_json,
    panel_verdict,
    panel_vote,
)
from judging.domain.terms import CombiningRule, Consistency, JudgeOutcome, TieSource
from tests.shared import shared_data

LETTERS = {
    "B": JudgeOutcome.BASELINE,
    "C": JudgeOutcome.CANDIDATE,
    "T": JudgeOutcome.TIE,
    "A": JudgeOutcome.ABSTAIN,
    "I": JudgeOutcome.INVALID,
}
SHORT = {outcome: letter for letter, outcome in LETTERS.items()}


def vote(votes: str, **rules) -> str:
    return SHORT[panel_vote([LETTERS[v] for v in votes], **rules).outcome]


def verdict(orders: str, **rules):
    """``"CC CB BB"``: each member's outcome, baseline first then candidate first."""
    members = [
        (LETTERS[one], LETTERS[other]) for one, other in map(tuple, orders.split())
    ]
    names = tuple(str(n) for n in range(len(members)))
    return panel_verdict(members, spec=PanelSpec(members=names, **rules))


def golden(prefix: str):
    entries = json.loads(shared_data("golden.json").read_text())["entries"]
    return [entry for entry in entries if entry["id"].startswith(prefix)]


def test_the_golden_votes():
    entries = [e for e in golden("panel/") if "votes" in e["inputs"]]
    assert len(entries) == 7
    for entry in entries:
        assert [vote(entry["inputs"]["votes"])] == entry["expected"], entry["id"]


def test_the_golden_effective_votes():
    (entry,) = golden("panel/effective votes")
    got = effective_votes(entry["inputs"]["errors"])
    assert isinstance(got, EffectiveVotes)
    assert [got.value, got.rho] == pytest.approx(entry["expected"], abs=1e-12)
    assert (got.members, got.cases) == (3, 10)


@pytest.mark.parametrize(
    ("votes", "rules", "wanted"),
    [
        ("CCC", {}, "C"),
        ("CCB", {}, "C"),
        ("CCBTT", {}, "T"),
        ("CCBBT", {}, "T"),
        ("CCBBT", {"top_tie": TopTie.ABSTAIN}, "A"),
        ("CBT", {"top_tie": TopTie.ABSTAIN}, "A"),
        ("TTC", {"top_tie": TopTie.ABSTAIN}, "T"),
        ("CAA", {}, "A"),
        ("CAA", {"abstain_rule": AbstainRule.COUNTED}, "A"),
        ("CCA", {}, "C"),
        ("CCAAA", {}, "A"),
        ("CCAAT", {"abstain_rule": AbstainRule.COUNTED}, "T"),
        ("CAI", {"abstain_rule": AbstainRule.COUNTED}, "T"),
        ("CII", {}, "A"),
        ("CII", {"no_quorum": NoQuorum.INVALID}, "I"),
        ("CAI", {"no_quorum": NoQuorum.INVALID}, "A"),
        ("AAI", {"no_quorum": NoQuorum.INVALID}, "A"),
        ("III", {}, "A"),
        ("III", {"no_quorum": NoQuorum.INVALID}, "I"),
        ("CII", {"quorum": 1}, "C"),
        ("CCB", {"quorum": 4}, "A"),
        ("", {}, "A"),
        ("", {"no_quorum": NoQuorum.INVALID}, "I"),
        ("", {"quorum": 0, "no_quorum": NoQuorum.INVALID}, "I"),
    ],
)
def test_votes_by_every_rule(votes, rules, wanted):
    assert vote(votes, **rules) == wanted


def test_the_lone_survivor_never_decides_and_the_seats_are_kept():
    got = panel_vote([LETTERS[v] for v in "CIIA"])
    assert got.outcome is JudgeOutcome.ABSTAIN
    assert got.votes == {JudgeOutcome.CANDIDATE: 1}
    assert (got.abstained, got.invalid, got.quorum, got.quorum_met) == (1, 2, 3, False)


@given(st.lists(st.sampled_from("BCTAI"), max_size=7), st.randoms())
def test_seats_don_t_matter_and_nothing_comes_from_nothing(votes, rng):
    shuffled = list(votes)
    rng.shuffle(shuffled)
    outcome = vote("".join(votes))
    assert vote("".join(shuffled)) == outcome
    if outcome in "BC":
        assert 2 * sum(v in "BCT" for v in votes) > len(votes)
        assert all(votes.count(outcome) > votes.count(x) for x in "BCT" if x != outcome)


@given(st.lists(st.sampled_from("BCTAI"), max_size=7))
def test_the_systems_are_treated_alike(votes):
    swap = str.maketrans("BC", "CB")
    text = "".join(votes)
    assert vote(text.translate(swap)) == vote(text).translate(swap)


@pytest.mark.parametrize(
    ("orders", "rules", "outcome", "consistency", "source"),
    [
        ("CC CC BB", {}, "C", "consistent", None),
        ("CB CB CC", {}, "T", "flip", "flip"),
        ("BC BC CC", {}, "T", "flip", "flip"),
        (
            "BC BC CC",
            {"combining_rule": CombiningRule.AGREE_ELSE_ABSTAIN},
            "A",
            "flip",
            None,
        ),
        ("CT CT BB", {}, "T", "tie_transition", "transition"),
        ("TT TT CC", {}, "T", "consistent", "stated"),
        ("CA CA CC", {}, "A", "abstain_transition", None),
        ("CI CI CC", {}, "A", "abstain_transition", None),
        ("CI CI CC", {"no_quorum": NoQuorum.INVALID}, "I", "invalid", None),
        ("CI CC CC", {"no_quorum": NoQuorum.INVALID}, "C", "consistent", None),
    ],
)
def test_each_order_votes_and_then_the_combining_rule_decides(
    orders, rules, outcome, consistency, source
):
    got = verdict(orders, **rules).verdict
    assert SHORT[got.outcome] == outcome
    assert got.consistency is Consistency(consistency)
    assert got.tie_source is (source and TieSource(source))


def test_a_panel_of_slot_followers_flips_as_a_whole():
    # All prefer what stands first; each member alone comes to a tie by its flip.
    got = verdict("BC BC BC")
    assert got.verdict.consistency is Consistency.FLIP
    assert got.baseline_first.outcome is JudgeOutcome.BASELINE
    assert got.candidate_first.outcome is JudgeOutcome.CANDIDATE


def test_one_member_s_order_outcome_never_moves_to_another_system():
    for one, other in product("BCTA", repeat=2):
        got = verdict(f"{one}{other} {one}{other} {one}{other}")
        assert SHORT[got.baseline_first.outcome] == one
        assert SHORT[got.verdict.baseline_first] == one
        assert SHORT[got.verdict.candidate_first] == other


def test_a_missing_seat_is_an_error():
    spec = PanelSpec(members=("a", "b", "c"))
    with pytest.raises(ValueError, match="2 members voted, the panel has 3"):
        panel_verdict([(LETTERS["C"], LETTERS["C"])] * 2, spec=spec)


def test_the_digest_knows_members_and_rules_and_no_order_of_seats():
    base = PanelSpec(members=("a", "b", "c"))
    for seats in permutations("abc"):
        assert panel_digest(PanelSpec(members=seats)) == panel_digest(base)
    others = [
        PanelSpec(members=("a", "b", "d")),
        PanelSpec(members=("a", "b", "c"), top_tie=TopTie.ABSTAIN),
        PanelSpec(members=("a", "b", "c"), abstain_rule=AbstainRule.COUNTED),
        PanelSpec(members=("a", "b", "c"), no_quorum=NoQuorum.INVALID),
        PanelSpec(members=("a", "b", "c"), quorum=3),
        PanelSpec(
            members=("a", "b", "c"), combining_rule=CombiningRule.AGREE_ELSE_ABSTAIN
        ),
    ]
    assert len({panel_digest(each) for each in [base, *others]}) == 7
    assert panel_digest(PanelSpec(members=("a", "b", "c"), quorum=2)) == (
        panel_digest(base)
    )
    assert panel_to_json(base)["schema"] == "evenhand.panel/1"


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"members": ("a",)}, "two members"),
        ({"members": ("a", "a")}, "once only"),
        ({"combining_rule": CombiningRule.MEAN_STRENGTH}, "no strength"),
        ({"quorum": 0}, "quorum"),
        ({"quorum": 4}, "quorum"),
    ],
)
def test_what_is_no_panel(values, reason):
    with pytest.raises(ValueError, match=reason):
        PanelSpec(**{"members": ("a", "b", "c"), **values})


@pytest.mark.parametrize(
    "errors",
    [[], [[1, 0]], [[1], [0]], [[0, 0, 0], [1, 0, 1]], [[1, 1], [0, 1]],
     [[1, 0], [0, 1]]],
)  # fmt: skip
def test_effective_votes_that_don_t_exist(errors):
    assert isinstance(effective_votes(errors), Undefined)


def test_members_that_err_together_are_one_vote_and_independent_ones_all():
    same = effective_votes([[1, 0, 0, 1]] * 4)
    apart = effective_votes([[1, 1, 0, 0], [1, 0, 1, 0]])
    assert isinstance(same, EffectiveVotes)
    assert isinstance(apart, EffectiveVotes)
    assert same.value == pytest.approx(1)
    assert apart.value == pytest.approx(2)
    with pytest.raises(ValueError, match="same cases"):
        effective_votes([[1, 0], [1]])
