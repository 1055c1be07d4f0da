from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.agreement import ONE_LABEL
from annotation.domain.estimates import Estimate, Undefined
from annotation.domain.kappa import cohen_kappa, kappa_and_se

TABLE = [[40, 5, 3], [8, 30, 4], [2, 3, 15]]
B_T_C = [[40, 3, 5], [2, 15, 3], [8, 4, 30]]

tables = st.integers(1, 4).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(0, 12), min_size=size, max_size=size),
        min_size=size,
        max_size=size,
    )
)


def test_reference_values():
    assert kappa_and_se(TABLE) == pytest.approx(
        (0.6411795407098121, 0.06275194298185192), abs=1e-10
    )
    assert cohen_kappa(B_T_C, linear=True).value == pytest.approx(
        0.639282015878495, abs=1e-10
    )


def test_the_interval_is_normal():
    figure = cohen_kappa(TABLE)
    assert figure.low == pytest.approx(0.64117954 - 1.959964 * 0.06275194, abs=1e-6)
    assert figure.denominator == 110
    assert figure.method == "fleiss-cohen-everitt"
    assert cohen_kappa(TABLE, level=0.5).low > figure.low


@pytest.mark.parametrize("linear", [False, True])
def test_the_weighted_se_agrees_with_statsmodels(linear):
    rater = pytest.importorskip("statsmodels.stats.inter_rater")
    kind = "linear" if linear else None
    expected = rater.cohens_kappa(B_T_C, wt=kind)
    assert kappa_and_se(B_T_C, linear=linear) == pytest.approx(
        (expected.kappa, expected.std_kappa), rel=1e-9
    )


def test_one_label_is_undefined_whatever_the_agreement():
    table = [[0, 0, 0], [0, 10, 0], [0, 0, 0]]
    assert cohen_kappa(table) == Undefined(ONE_LABEL, None, 10)
    assert cohen_kappa([[4]]) == Undefined(ONE_LABEL, None, 4)


def test_no_cases_is_undefined():
    assert cohen_kappa([[0, 0], [0, 0]]) == Undefined("0 cases", None, 0)


def test_each_side_stuck_on_its_own_label_is_chance_not_undefined():
    figure = cohen_kappa([[0, 10], [0, 0]])
    assert figure.value == 0
    assert figure.low is None


def test_one_side_stuck_on_one_label_is_zero_without_interval():
    figure = cohen_kappa([[10, 0], [5, 0]])
    assert figure.value == pytest.approx(0)
    assert figure.low is None


@pytest.mark.parametrize("bad", [[], [[1, 2]], [[1, 2], [3]], [[1, -1], [0, 2]]])
def test_bad_tables_are_refused(bad):
    with pytest.raises(ValueError):
        cohen_kappa(bad)


@given(tables, st.booleans())
def test_kappa_is_symmetric_and_in_range(table, linear):
    figure = cohen_kappa(table, linear=linear)
    turned = cohen_kappa([list(row) for row in zip(*table, strict=True)], linear=linear)
    assert type(figure) is type(turned)
    if isinstance(figure, Estimate):
        assert figure.value == pytest.approx(turned.value, abs=1e-9)
        assert -1 - 1e-9 <= figure.value <= 1 + 1e-9


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("cases", [30, 40, 49, 97, 6281])
@pytest.mark.parametrize("others", [1, 7, 13, 29])
def test_one_that_always_says_the_same_has_no_interval_of_zero_width(
    cases, others, linear
):
    """Its kappa is 0 with a variance of 0, to the last digit (METHODS 3.5)."""
    for place in range(3):
        table = [[0] * 3 for _ in range(3)]
        table[place][place] = cases - others
        table[place - 1][place] = others
        figure = cohen_kappa(table, linear=linear)
        assert figure == Estimate(0.0, None, cases, None, None, None, None)


def test_one_case_of_a_million_is_no_dust():
    table = [[999_997, 1], [1, 1]]
    found = kappa_and_se(table)
    assert found is not None
    assert found[0] == pytest.approx(0.5, abs=1e-5)
    assert found[1] == pytest.approx(0.3062, abs=1e-4)


@given(tables)
def test_an_interval_is_never_of_zero_width(table):
    figure = cohen_kappa(table)
    if isinstance(figure, Estimate) and figure.low is not None:
        assert figure.high - figure.low > 1e-4
