from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.estimates import Undefined
from annotation.domain.outcomes import Order
from annotation.domain.quality import Rating
from annotation.domain.team import human_ipi
from calibration.domain.human_orders import human_orders
from calibration.domain.rates import Rates
from calibration.domain.samples import Sample
from tests.calibration.factory import GOLD, SYSTEMS, block_of, row

THERE, BACK = Order


def told(there: str, back: str, **changes: Any):
    """A pair with people's labels as letters, by the order that they saw."""
    letters = [(letter, THERE) for letter in there] + [(x, BACK) for x in back]
    return row(
        "U",
        "B",
        reviewers={f"R{i}": GOLD[letter] for i, (letter, _) in enumerate(letters)},
        reviewer_orders={f"R{i}": order for i, (_, order) in enumerate(letters)},
        **changes,
    )


def built(pairs, clusters=None):
    made = [
        told(*one, pair=f"p{i}", case=f"c{i}", cluster=clusters[i] if clusters else i)
        for i, one in enumerate(pairs)
    ]
    return Sample.build(made, SYSTEMS)


def found_of(sample):
    return human_orders(sample, Rates.of(sample, 0.95), np.random.default_rng(3))


def ratings_of(sample):
    return {
        i: [
            Rating(i, name, outcome, one.reviewer_orders[name], one.cluster)
            for name, outcome in one.reviewers.items()
        ]
        for i, one in enumerate(sample.rows)
    }


def test_by_hand():
    found = found_of(built([("BB", "C"), ("T", "T"), ("BC", ""), ("A", "B")]))
    ipi = found.ipi
    assert (ipi.pairs, ipi.abstains) == (4, 1)
    assert (ipi.differing, ipi.comparisons) == (2, 3)
    assert ipi.instability.value == pytest.approx((1 + 0) / 2)
    assert ipi.flips.value == pytest.approx(0.5)
    assert (ipi.same_order_differing, ipi.same_order_comparisons) == (1, 2)
    assert ipi.same_order_disagreement.value == pytest.approx((0 + 1) / 2)
    assert (found.coherence.cases, found.coherence.incomplete) == (2, 2)
    assert found.coherence.ipi.value == found.coherence.tov.value == 0.5


letters = st.text("BCTA", max_size=4)


@given(st.lists(st.tuples(letters, letters, st.integers(0, 3)), max_size=12))
def test_matches_the_quality_page(pairs):
    sample = built([one[:2] for one in pairs], [f"g{one[2]}" for one in pairs])
    ours, theirs = found_of(sample).ipi, human_ipi(ratings_of(sample))
    for name in ("pairs", "abstains", "differing", "comparisons"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert ours.same_order_differing == theirs.same_order_differing
    assert ours.same_order_comparisons == theirs.same_order_comparisons
    for name in ("instability", "flips", "same_order_disagreement"):
        mine, other = getattr(ours, name), getattr(theirs, name)
        if isinstance(other, Undefined):
            assert mine == other
            continue
        assert mine.value == pytest.approx(other.value)
        assert mine.denominator == other.denominator


@given(st.lists(st.tuples(letters, letters), min_size=1, max_size=12))
def test_the_two_orders_are_alike(pairs):
    turned = found_of(built([(back, there) for there, back in pairs]))
    assert turned.ipi == found_of(built(pairs)).ipi


def test_always_left_people_have_the_tov_of_an_always_first_judge():
    said = {"ab": "BC", "bc": "BC", "ac": "BC"}
    rows = [
        told(*letters, pair=pair, case="one", systems=tuple(pair))
        for pair, letters in said.items()
    ]
    sample = Sample.build(rows, tuple("abc"))
    found = found_of(sample).coherence
    assert (found.cases, found.ipi.value, found.tov.value) == (1, 1.0, 3.0)
    assert found.excess.value == 0


def test_two_leading_outcomes_are_no_tie():
    found = found_of(built([("BC", "BB"), ("BBC", "BB")])).coherence
    assert (found.cases, found.incomplete) == (1, 1)
    assert found.ipi.value == 0


def test_labels_without_a_known_order_say_nothing():
    sample = Sample.build([row("B", "B", reviewers={"R1": GOLD["B"]})], SYSTEMS)
    found = found_of(sample)
    assert (found.ipi.pairs, found.ipi.comparisons) == (0, 0)
    assert found.ipi.instability.denominator == 0
    assert (found.coherence.cases, found.coherence.incomplete) == (0, 1)
    assert found.coherence.tov == Undefined("0 cases", None, 0)


def test_nothing_at_all():
    found = found_of(Sample.build([], SYSTEMS))
    assert isinstance(found.ipi.flips, Undefined)
    assert found.coherence.incomplete == 0


def test_an_order_of_somebody_who_said_nothing_is_refused():
    with pytest.raises(ValueError, match="'R9', who said nothing"):
        Sample.build([row("B", "B", reviewer_orders={"R9": THERE})], SYSTEMS)


def test_it_stands_in_the_block():
    assert block_of(built([("B", "C")])).human_orders.ipi.comparisons == 1
