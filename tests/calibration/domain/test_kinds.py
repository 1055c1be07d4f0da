"""Distinct rows and closed codes, against numpy's own way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from calibration.domain.kinds import Table, closed, kinds_of

SHAPES = array_shapes(min_dims=2, max_dims=2, max_side=12)
TABLES = st.one_of(
    arrays(np.int64, SHAPES, elements=st.integers(-3, 3)),
    arrays(np.int64, SHAPES, elements=st.integers(-(2**40), 2**40)),
    arrays(np.float64, SHAPES, elements=st.sampled_from([0, 0.25, 1, 2, -1.5, 1e12])),
)


@given(TABLES)
def test_rows_are_those_that_sorting_whole_rows_finds(table: Table) -> None:
    rows, where, times = np.unique(table, axis=0, return_index=True, return_counts=True)
    first, found = kinds_of(table)
    assert (table[first] == rows).all()
    assert first.tolist() == where.tolist()
    assert found.tolist() == times.tolist()


def test_many_columns_of_many_values_do_not_run_over() -> None:
    table = np.random.default_rng(5).integers(0, 1000, (1000, 40))
    table[500:] = table[:500]
    first, times = kinds_of(table)
    assert (len(first), set(times.tolist())) == (500, {2})
    assert (table[first] == np.unique(table, axis=0)).all()


@pytest.mark.parametrize("columns", [0, 3])
def test_no_row_is_of_no_kind(columns: int) -> None:
    first, times = kinds_of(np.zeros((0, columns)))
    assert len(first) == len(times) == 0


@given(st.lists(st.integers(0, 30)))
def test_closed_codes_are_the_places_among_those_that_occur(codes: list[int]) -> None:
    given = np.array(codes, np.int64)
    assert closed(given).tolist() == np.unique(given, return_inverse=True)[1].tolist()
