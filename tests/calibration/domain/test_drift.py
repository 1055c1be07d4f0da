from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import SquareTable, mcnemar

from annotation.domain.estimates import Undefined
from calibration.domain.drift import (
    Change,
    Twice,
    by_group,
    compare_runs,
    count_changes,
    moves_of,
    stuart_maxwell,
)
from tests.calibration.factory import GOLD, JUDGED
from tests.shared import shared_data


def twice(old: str, new: str, gold: str, cluster: str = "", pair: str = "p") -> Twice:
    return Twice(pair, cluster or pair, JUDGED[old], JUDGED[new], GOLD[gold])


def twices(old: str, new: str, gold: str, clusters: str = "") -> list[Twice]:
    rows = zip(old, new, gold, clusters or range(len(old)), strict=True)
    return [twice(o, n, g, str(c), f"p{i}") for i, (o, n, g, c) in enumerate(rows)]


LETTERS = st.tuples(
    st.sampled_from("BCTAI"),
    st.sampled_from("BCTAI"),
    st.sampled_from("BCTAU"),
    st.sampled_from("xyz"),
)
ROWS = st.lists(LETTERS, max_size=40).map(
    lambda rows: [twice(*row, f"p{i}") for i, row in enumerate(rows)]
)


@pytest.mark.parametrize(
    ("letters", "change"),
    [
        ("BBB", Change.SAME),
        ("BCB", Change.WORSE),
        ("BCC", Change.BETTER),
        ("BCT", Change.NEUTRAL),
        ("BCU", Change.NEUTRAL),
        ("TAT", Change.WORSE),
        ("ATA", Change.WORSE),
        ("TAA", Change.BETTER),
        ("ABU", Change.NEUTRAL),
        ("ICC", Change.LEFT_OUT),
        ("CIC", Change.LEFT_OUT),
        ("IIB", Change.LEFT_OUT),
    ],
)
def test_a_change_is_named_by_what_it_did_to_gold(letters, change):
    assert twice(*letters).change is change


def test_the_published_counts():
    entry = _golden("drift/8")
    said = entry["inputs"]
    found = count_changes(twices(said["old"], said["new"], said["gold"]))
    assert {k: getattr(found, k) for k in entry["expected"]} == entry["expected"]
    assert found.left_out == 1


def test_stuart_maxwell_is_the_published_one():
    entry = _golden("drift/stuart-maxwell")
    test = stuart_maxwell(moves(entry["inputs"]["old_x_new"]))
    assert test.p_value == pytest.approx(entry["expected"][2], abs=1e-9)
    assert test.n == 36


def _golden(name):
    entries = json.loads(shared_data("golden.json").read_text())["entries"]
    return next(entry for entry in entries if entry["id"] == name)


def moves(table):
    """What a group of each changed pair lost, from reference by new verdict."""
    classes = range(len(table))
    return [
        [(k == i) - (k == j) for k in classes]
        for i in classes
        for j in classes
        for _ in range(table[i][j] if i != j else 0)
    ]


@given(
    st.lists(
        st.lists(st.integers(1, 40), min_size=3, max_size=3), min_size=3, max_size=3
    )
)
def test_stuart_maxwell_agrees_with_another_library(table):
    found = stuart_maxwell(moves(table))
    theirs = SquareTable(np.array(table), shift_zeros=False).homogeneity(
        method="stuart_maxwell"
    )
    assert found.p_value == pytest.approx(theirs.pvalue, abs=1e-8)


def test_stuart_maxwell_leaves_out_what_never_differs():
    three = [[50, 4, 9], [10, 60, 8], [3, 2, 30]]
    four = [[*row, 0] for row in three] + [[0, 0, 0, 7]]
    one, other = stuart_maxwell(moves(four)), stuart_maxwell(moves(three))
    assert one.p_value == pytest.approx(other.p_value)
    assert stuart_maxwell([]).undefined == "no pair changed"
    assert stuart_maxwell([]).p_value is None


def test_two_classes_that_only_trade_are_mcnemar():
    table = [[20, 12], [3, 20]]
    theirs = mcnemar(table, exact=False, correction=False).pvalue
    assert stuart_maxwell(moves(table)).p_value == pytest.approx(theirs)


def test_shares_of_a_group_are_one_observation():
    """Six pairs of one case that turned the same way say no more than one."""
    six = compare_runs(twices("BBBBBB", "CCCCCC", "UUUUUU", "xxxxxx"))
    one = compare_runs(twices("B", "C", "U"))
    assert six.shares.n == one.shares.n == 1
    assert six.shares.p_value == pytest.approx(one.shares.p_value)
    assert moves_of(twices("BB", "CC", "UU", "xx")) == [[2, -2, 0, 0]]
    # A group whose pairs only trade places moves no share.
    assert compare_runs(twices("BC", "CB", "UU", "xx")).shares.p_value == 1.0


def test_shares_of_groups_are_not_found_to_move_by_chance():
    """Groups of four that share their fate, without drift: at most 5 % are found."""
    rng, found = np.random.default_rng(3), 0
    for _ in range(400):
        signs = rng.choice([-4, 4], 40)
        test = stuart_maxwell([[int(s), -int(s), 0, 0] for s in signs])
        found += test.p_value is not None and test.p_value < 0.05
    assert found / 400 <= 0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5


@pytest.mark.parametrize(
    ("old", "new", "clusters", "lost", "regained"),
    [
        ("BBCT", "IIIT", "wxyz", 3, 0),
        ("IIBB", "BBIB", "wxyz", 1, 2),
        ("BBBB", "IIIB", "xxxx", 1, 0),
        ("BI", "IB", "xx", 0, 0),
        ("II", "II", "xy", 0, 0),
    ],
)
def test_verdicts_that_became_invalid(old, new, clusters, lost, regained):
    found = compare_runs(twices(old, new, "B" * len(old), clusters))
    assert (found.lost_groups, found.regained_groups) == (lost, regained)


def test_the_paired_test_is_exact_mcnemar():
    pairs = twices("B" * 19 + "C" * 5, "C" * 15 + "B" * 4 + "C" * 5, "B" * 24)
    pairs += twices("C" * 4, "B" * 4, "B" * 4)
    pairs = [Twice(str(i), str(i), *_said(p)) for i, p in enumerate(pairs)]
    found = compare_runs(pairs)
    assert (found.counts.worse, found.counts.better) == (15, 4)
    theirs = mcnemar([[0, 15], [4, 0]], exact=True).pvalue
    assert found.test.p_value == pytest.approx(theirs)
    assert found.test.method == "mcnemar, exact"
    assert (found.change_rate.numerator, found.change_rate.denominator) == (19, 28)


def _said(pair):
    return pair.reference, pair.verdict, pair.gold


def test_pairs_of_a_group_count_once():
    """Six pairs of one case that all turned are one observation, not six."""
    alone = compare_runs(twices("BBBBBB", "CCCCCC", "BBBBBB"))
    together = compare_runs(twices("BBBBBB", "CCCCCC", "BBBBBB", "xxxxxx"))
    assert (alone.worse_groups, together.worse_groups) == (6, 1)
    assert (alone.test.p_value, together.test.p_value) == (2 / 2**6, 1.0)
    assert by_group(twices("BBC", "CCB", "BBB", "xxx")) == (1, 0)
    assert by_group(twices("BC", "CB", "BB", "xx")) == (0, 0)


def test_nothing_at_all_and_nothing_usable():
    for pairs in ([], twices("II", "BC", "BB")):
        found = compare_runs(pairs)
        assert found.counts.n == 0
        assert isinstance(found.change_rate, Undefined)
        assert found.test.p_value is None
        assert found.shares.p_value is None


def test_no_gold_still_tells_that_shares_moved():
    found = compare_runs(twices("B" * 30, "C" * 20 + "B" * 10, "U" * 30))
    assert found.counts.neutral == 20
    assert found.test.p_value is None
    assert found.shares.p_value is not None
    assert found.shares.p_value < 1e-4


def test_a_pair_may_come_once_only():
    with pytest.raises(ValueError, match="twice"):
        compare_runs([twice("B", "B", "B"), twice("B", "C", "B")])


@given(ROWS)
def test_turning_the_runs_round_turns_every_sign(pairs):
    back = [Twice(p.pair, p.cluster, p.verdict, p.reference, p.gold) for p in pairs]
    there, other = compare_runs(pairs), compare_runs(back)
    assert there.worse_groups == other.better_groups
    assert there.counts.worse == other.counts.better
    assert there.test.p_value == other.test.p_value
    assert there.counts.changed == other.counts.changed


@given(ROWS)
def test_every_pair_is_counted_once(pairs):
    found = compare_runs(pairs)
    counts = found.counts
    assert counts.n + counts.left_out == len(pairs)
    assert counts.changed == counts.worse + counts.better + counts.neutral
    assert counts.left_out == Counter(p.change for p in pairs)[Change.LEFT_OUT]
    assert found.worse_groups + found.better_groups <= len({p.cluster for p in pairs})
