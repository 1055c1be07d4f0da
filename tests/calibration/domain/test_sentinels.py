from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from calibration.domain.sentinels import (
    CheckKind,
    Step,
    cut,
    is_due,
    is_overdue,
    next_step,
)

NOW = datetime(2026, 5, 1, 9, tzinfo=UTC)
DAY = timedelta(days=1)
PAIRS = {f"p{i:02d}": f"g{i // 2}" for i in range(24)}


def test_each_pair_is_in_one_part_and_groups_stay_together():
    dealt = cut(PAIRS, 4, seed=7)
    assert set(dealt) == set(PAIRS)
    assert sorted(Counter(dealt.values()).values()) == [6, 6, 6, 6]
    for one, other in zip(sorted(PAIRS)[::2], sorted(PAIRS)[1::2], strict=True):
        assert dealt[one] == dealt[other]


def test_the_seed_decides_and_the_order_given_does_not():
    assert cut(PAIRS, 4, seed=7) == cut(dict(reversed(PAIRS.items())), 4, seed=7)
    assert cut(PAIRS, 4, seed=7) != cut(PAIRS, 4, seed=8)


@given(
    st.dictionaries(st.text(max_size=3), st.sampled_from("abcdef"), min_size=6),
    st.integers(1, 3),
    st.integers(0, 99),
)
def test_no_part_is_empty_or_much_larger(clusters, parts, seed):
    groups = Counter(clusters.values())
    assume(len(groups) >= parts)
    sizes = Counter(cut(clusters, parts, seed).values())
    assert set(sizes) == set(range(1, parts + 1))
    assert max(sizes.values()) - min(sizes.values()) <= max(groups.values())


@pytest.mark.parametrize("parts", [0, -1, 101])
def test_parts_that_cannot_be(parts):
    with pytest.raises(ValueError, match="parts must be"):
        cut(PAIRS, parts, seed=1)


def test_more_parts_than_groups():
    with pytest.raises(ValueError, match="12 groups of pairs can't be cut into 13"):
        cut(PAIRS, 13, seed=1)


def test_a_reference_then_each_part_then_a_fresh_reference():
    done: list[Step] = []
    for _ in range(8):
        done.append(next_step(done, 3))
    assert [(s.kind.value, s.cycle, s.part) for s in done] == [
        ("reference", 1, 0),
        ("part", 1, 1),
        ("part", 1, 2),
        ("part", 1, 3),
        ("reference", 2, 0),
        ("part", 2, 1),
        ("part", 2, 2),
        ("part", 2, 3),
    ]


def test_fresh_cases_do_not_move_the_parts_on():
    done = [Step(CheckKind.REFERENCE, 1, 0), Step(CheckKind.FRESH, 1, 0)]
    assert next_step(done, 2) == Step(CheckKind.PART, 1, 1)


def test_when_a_check_is_due_and_when_it_is_overdue():
    assert is_due(None, DAY, NOW)
    assert not is_due(NOW - timedelta(hours=23), DAY, NOW)
    assert is_due(NOW - DAY, DAY, NOW)
    assert not is_overdue(NOW - 1.5 * DAY, DAY, NOW)
    assert is_overdue(NOW - 1.6 * DAY, DAY, NOW)
