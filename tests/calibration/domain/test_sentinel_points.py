from __future__ import annotations

from fractions import Fraction

import pytest

from annotation.domain.estimates import Estimate, Undefined
from calibration.domain.sentinel_points import (
    Given,
    Judged,
    Marked,
    compare_marks,
    mark_block,
    system_blocks,
    verdict_block,
)
from judging.domain.marks import MarkState
from tests.calibration.factory import GOLD, JUDGED


def judged(letters: str, clusters: str = "") -> list[Judged]:
    """Gold and verdict of each pair: "BB BC"."""
    pairs = letters.split()
    return [
        Judged(str(i), f"c{i}", str(c), GOLD[pair[0]], JUDGED[pair[1]])
        for i, (pair, c) in enumerate(
            zip(pairs, clusters or range(len(pairs)), strict=True)
        )
    ]


def marked(system: str, scores: str, cluster: str = "") -> list[Marked]:
    """Scores as digits, A for abstain and I for invalid."""
    states = {"A": MarkState.ABSTAIN, "I": MarkState.INVALID}
    return [
        Marked(
            f"{system}{i}",
            system,
            f"c{i}",
            cluster or f"c{i}",
            states.get(one, MarkState.MARKED),
            None if one in states else Fraction(int(one)),
            None if one in states else int(one) > 0,
        )
        for i, one in enumerate(scores)
    ]


def test_abstain_and_invalid_are_wrong_and_other_gold_is_left_out():
    found = verdict_block(judged("BB CC TT BA CI AB UB AA"))
    assert found.pairs == 8
    assert isinstance(found.agreement, Estimate)
    assert (found.agreement.numerator, found.agreement.denominator) == (3, 5)
    assert found.verdicts == {
        "baseline": 3, "candidate": 1, "tie": 1, "abstain": 2, "invalid": 1,
    }  # fmt: skip
    assert (found.wrong_groups, found.groups) == (2, 5)
    assert (found.invalid_groups, found.judged_groups) == (1, 8)


def test_groups_give_their_share_of_wrong_pairs():
    found = verdict_block(judged("BB BC BC BB", "xxyz"))
    assert (found.wrong_groups, found.groups) == (pytest.approx(1.5), 3)


def test_nothing_at_all():
    found = verdict_block([])
    assert isinstance(found.agreement, Undefined)
    assert isinstance(found.invalid_rate, Undefined)
    assert (found.wrong_groups, found.groups) == (0, 0)
    assert (found.invalid_groups, found.judged_groups) == (0, 0)
    assert (mark_block([]).invalid_groups, mark_block([]).judged_groups) == (0, 0)


def test_marks_by_system():
    one, two = system_blocks([*marked("a", "1101A"), *marked("b", "I")])
    assert (one.responses, one.marked, one.abstained, one.invalid) == (5, 4, 1, 0)
    assert isinstance(one.pass_rate, Estimate)
    assert (one.pass_rate.numerator, one.pass_rate.denominator) == (3, 4)
    assert isinstance(one.mean, Estimate)
    assert one.mean.value == 0.75
    assert two.pass_rate is None
    assert isinstance(two.mean, Undefined)
    assert system_blocks([]) == ()


def given(scores: str) -> dict[str, Given]:
    return {one.response: Given(one.state, one.score) for one in marked("a", scores)}


@pytest.mark.parametrize(
    ("before", "now", "cluster", "lost", "regained"),
    [
        ("5555", "III5", "", 3, 0),
        ("I5AI", "5I5I", "", 1, 1),
        ("5555", "IIII", "g", 1, 0),
        ("AAAA", "IIAA", "", 2, 0),
    ],
)
def test_marks_that_became_invalid(before, now, cluster, lost, regained):
    found = compare_marks(given(before), marked("a", now, cluster))
    assert (found.lost_groups, found.regained_groups) == (lost, regained)


def test_invalid_marks_are_counted_by_group():
    found = mark_block([*marked("a", "I5I5", "g"), *marked("b", "IA")])
    assert (found.invalid_groups, found.judged_groups) == (1.5, 3)


def test_marks_beside_reference_marks():
    reference = given("551A5")
    found = compare_marks(reference, marked("a", "45345"))
    assert (found.n, found.left_out) == (4, 1)
    assert (found.lower, found.higher) == (1, 1)
    assert (found.lower_groups, found.higher_groups) == (1, 1)
    assert found.test.p_value == 1.0
    assert isinstance(found.change_rate, Estimate)
    assert found.change_rate.value == 0.5


def test_marks_of_one_group_count_once_and_unknown_responses_not():
    reference = given("555")
    found = compare_marks(reference, marked("a", "4444", "g"))
    assert (found.lower, found.lower_groups) == (3, 1)
    nothing = compare_marks({}, marked("a", "4"))
    assert nothing.n == 0
    assert nothing.test.p_value is None
