from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.outcomes import Split
from annotation.domain.splits import SplitItem, StratumCount, assign_splits

rows = st.lists(
    st.tuples(
        st.sampled_from(["x", "y", "z", None]),
        st.one_of(st.none(), st.integers(0, 6).map(str)),
    ),
    max_size=60,
)
shares = st.sampled_from([0.1, 0.25, 1 / 3, 0.5, 0.7, 0.9])


def items_of(rows):
    return [SplitItem(key, stratum, group) for key, (stratum, group) in enumerate(rows)]


@given(rows, shares, st.text(min_size=1))
def test_without_groups_each_stratum_is_within_one_case(rows, share, seed):
    items = [SplitItem(key, stratum) for key, (stratum, _) in enumerate(rows)]
    plan = assign_splits(items, seed, share)
    for stratum in plan.strata:
        size = stratum.dev + stratum.held_out
        assert abs(stratum.held_out - share * size) < 1.01


@given(rows, shares, st.text(min_size=1))
def test_groups_stay_whole_and_everything_is_counted(rows, share, seed):
    items = items_of(rows)
    plan = assign_splits(items, seed, share)
    assert set(plan.assigned) == {item.key for item in items}
    splits = {}
    for item in items:
        if item.group is not None:
            splits.setdefault(item.group, set()).add(plan.assigned[item.key])
    assert all(len(found) == 1 for found in splits.values())
    assert plan.groups == len(splits)
    counted = Counter(plan.assigned.values())
    assert (plan.dev, plan.held_out) == (counted[Split.DEV], counted[Split.HELD_OUT])
    assert sum(s.held_out for s in plan.strata) == plan.held_out


@given(rows, shares, st.text(min_size=1), st.randoms(use_true_random=False))
def test_the_seed_and_the_set_of_items_decide_alone(rows, share, seed, random):
    items = items_of(rows)
    shuffled = random.sample(items, len(items))
    assert assign_splits(items, seed, share) == assign_splits(shuffled, seed, share)


@given(rows, st.text(min_size=1), st.integers(0, 59), st.sampled_from(Split))
def test_a_fixed_case_stays_and_takes_its_group_along(rows, seed, place, split):
    items = items_of(rows)
    if place >= len(items):
        return
    items[place] = items[place]._replace(fixed=split)
    plan = assign_splits(items, seed, 0.5)
    assert plan.kept == 1
    group = items[place].group
    for item in items:
        if item.key == place or (group is not None and item.group == group):
            assert plan.assigned[item.key] is split


def test_many_small_strata_still_reach_the_share_overall():
    items = [SplitItem(n, f"stratum {n}") for n in range(40)]
    assert assign_splits(items, "s", 0.5).held_out == 20
    assert assign_splits(items, "s", 0.25).held_out == 10


def test_fixed_cases_count_towards_the_share():
    items = [SplitItem(n, "x", fixed=Split.HELD_OUT) for n in range(4)]
    items += [SplitItem(n, "x") for n in range(4, 10)]
    plan = assign_splits(items, "s", 0.4)
    assert (plan.dev, plan.held_out, plan.kept) == (6, 4, 4)


def test_the_report_names_the_strata_in_order():
    items = [SplitItem(n, "ba"[n % 2]) for n in range(8)] + [SplitItem(9), SplitItem(8)]
    assert assign_splits(items, "s", 0.5).strata == (
        StratumCount("a", 2, 2),
        StratumCount("b", 2, 2),
        StratumCount(None, 1, 1),
    )


def test_different_seeds_give_different_splits():
    items = [SplitItem(n) for n in range(64)]
    drawn = {
        tuple(assign_splits(items, f"{n}", 0.5).assigned.items()) for n in range(9)
    }
    assert len(drawn) == 9


def test_each_case_is_held_out_as_often_as_the_share_says():
    items = [SplitItem(n, "xy"[n % 2]) for n in range(9)]
    held = Counter()
    for n in range(600):
        plan = assign_splits(items, f"seed {n}", 0.25)
        held.update(key for key, s in plan.assigned.items() if s is Split.HELD_OUT)
    # 25 % of 600 is 150; 5 standard deviations are 53.
    assert all(97 <= held[item.key] <= 203 for item in items)


def test_nothing_to_split():
    plan = assign_splits([], "s", 0.5)
    assert (plan.assigned, plan.strata, plan.dev, plan.held_out) == ({}, (), 0, 0)


@pytest.mark.parametrize("share", [0, 1, -0.1, 1.5, float("nan")])
def test_a_share_lies_between_0_and_1(share):
    with pytest.raises(ValueError, match="share"):
        assign_splits([SplitItem(1)], "s", share)


def test_contradictions_are_refused():
    with pytest.raises(ValueError, match="twice"):
        assign_splits([SplitItem(1), SplitItem(1)], "s", 0.5)
    with pytest.raises(ValueError, match="seed"):
        assign_splits([SplitItem(1)], "", 0.5)
    torn = [
        SplitItem(1, group="g", fixed=Split.DEV),
        SplitItem(2, group="g", fixed=Split.HELD_OUT),
    ]
    with pytest.raises(ValueError, match="'g'"):
        assign_splits(torn, "s", 0.5)
