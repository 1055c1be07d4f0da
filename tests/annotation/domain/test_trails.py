from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.trails import oriented_edges

graphs = st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=70)


@given(graphs, st.integers(0, 1000))
def test_directions_differ_by_at_most_one_everywhere(graph, seed):
    directed = oriented_edges(sorted(graph), Random(seed))
    assert set(directed) == graph
    surplus = Counter()
    for (left, right), forward in directed.items():
        step = 1 if forward else -1
        surplus.update({("left", left): step, ("right", right): step, "all": step})
    assert all(abs(value) <= 1 for value in surplus.values())


def test_even_graphs_are_balanced_exactly():
    square = [(0, 0), (0, 1), (1, 0), (1, 1)]
    directed = oriented_edges(square, Random(1))
    assert sum(directed.values()) == 2
    assert directed[0, 0] is not directed[0, 1]


def test_both_directions_of_a_lone_edge_occur():
    drawn = Counter(oriented_edges([(0, 0)], Random(n))[0, 0] for n in range(200))
    assert 60 <= drawn[True] <= 140
