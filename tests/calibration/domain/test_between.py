"""Every two reviewers: agreement and kappa on the pairs that both labelled."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from annotation.domain.estimates import Estimate, Undefined
from annotation.domain.kappa import cohen_kappa
from calibration.domain.between import between_reviewers
from calibration.domain.rates import Rates
from calibration.domain.samples import Sample
from tests.calibration.factory import GOLD, SYSTEMS, block_of, row


def built(told, size=1):
    """Each pair's labels by reviewer, "-" where one said nothing."""
    made = [
        row(
            "B",
            "B",
            pair=f"p{i:04}",
            case=f"c{i:04}",
            cluster=f"g{i // size}",
            reviewers={f"R{k}": GOLD[x] for k, x in enumerate(said, 1) if x != "-"},
        )
        for i, said in enumerate(told)
    ]
    return Sample.build(made, SYSTEMS)


def found_of(told, size=1):
    sample = built(told, size)
    return between_reviewers(sample, Rates.of(sample, 0.95))


def test_by_hand():
    """Agreement 15 of 20; chance .5 * .55 + .5 * .45 = .5; kappa (.75 - .5) / .5."""
    (found,) = found_of(["BB"] * 8 + ["BC"] * 2 + ["CB"] * 3 + ["CC"] * 7)
    assert (found.one, found.other, found.shared, found.needed) == ("R1", "R2", 20, 0)
    assert (found.agreement.numerator, found.agreement.denominator) == (15, 20)
    assert found.kappa.value == pytest.approx(0.5)
    assert found.kappa.low < 0.5 < found.kappa.high


def test_only_pairs_that_both_labelled_count():
    found = found_of(["BB-", "B-B", "CC-", "--T", "BC-"])
    assert [(one.one, one.other, one.shared) for one in found] == [
        ("R1", "R2", 3),
        ("R1", "R3", 1),
    ]


def test_few_pairs_have_no_interval_and_say_how_many_they_lack():
    (found,) = found_of(["BB", "CC", "BC"] * 4)
    assert (found.shared, found.needed) == (12, 8)
    assert isinstance(found.kappa, Estimate)
    assert (found.kappa.low, found.kappa.high) == (None, None)
    assert found.kappa.method == "fewer than 20 cases"
    assert found.agreement.low is not None


def test_one_label_only():
    (found,) = found_of(["AA"] * 25)
    assert found.kappa == Undefined("only one label used", None, 25)
    assert found.agreement.value == 1


def test_nobody_and_alone():
    assert found_of([]) == found_of(["B", "C"]) == found_of(["B-", "-C"]) == ()


def test_clusters_widen_it():
    told = ["BB", "BB", "CC", "CC", "BC", "BC", "TB", "TB"] * 6
    (alone,), (pooled,) = found_of(told), found_of(told, size=2)
    assert alone.kappa.value == pooled.kappa.value
    wide = pooled.kappa.high - pooled.kappa.low
    assert wide > 1.3 * (alone.kappa.high - alone.kappa.low)
    assert pooled.kappa.method.endswith("clustered")


two = st.sampled_from([a + b for a in "BCTA" for b in "BCTA"])


@given(st.lists(two, min_size=20, max_size=40))
def test_is_that_of_the_quality_page_and_of_sklearn(told):
    (found,) = found_of(told)
    table = np.zeros((4, 4), int)
    for one in told:
        table["BCTA".index(one[0]), "BCTA".index(one[1])] += 1
    assert found.kappa == cohen_kappa(table.tolist())
    if isinstance(found.kappa, Estimate):
        theirs = cohen_kappa_score([t[0] for t in told], [t[1] for t in told])
        assert found.kappa.value == pytest.approx(theirs, abs=1e-12)


@given(st.lists(two, min_size=1, max_size=30))
def test_turning_the_two_round_changes_nothing(told):
    (one,), (other,) = found_of(told), found_of([t[::-1] for t in told])
    assert one.agreement == other.agreement
    if isinstance(one.kappa, Estimate):
        assert one.kappa.value == pytest.approx(other.kappa.value, abs=1e-12)


def test_it_stands_in_the_block():
    (found,) = block_of(built(["BB"])).between_reviewers
    assert found.shared == 1
