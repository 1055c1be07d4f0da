"""Balanced directions for the edges of a two-sided graph, by closed trails.

Used to give the leftover items of the slot schedule their orders: an item is an edge
between its split (left node) and its slice value (right node), and its direction is its
order. Source: RECIPES 3; the argument is Euler's: on a closed trail every node is left
as often as it is entered, and left-to-right steps alternate with right-to-left ones.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import random
    from collections.abc import Hashable, Sequence

L = TypeVar("L", bound="Hashable")
R = TypeVar("R", bound="Hashable")

_LEFT, _RIGHT = "left", "right"
_Node = tuple[str, object]
_HUBS: tuple[_Node, _Node] = ("left hub", None), ("right hub", None)


def oriented_edges(
    edges: Sequence[tuple[L, R]], rng: random.Random
) -> dict[tuple[L, R], bool]:
    """Direct each edge: ``True`` left to right, ``False`` right to left.

    At every node, and over all edges, the two directions differ by at most 1. Which of
    the balanced solutions comes out is random. Edges must be distinct.
    """
    real = [((_LEFT, left), (_RIGHT, right)) for left, right in edges]
    closed = real + _closing_edges(real)
    forward = _walk(closed, rng)
    return {edge: forward[number] for number, edge in enumerate(edges)}


def _closing_edges(edges: Sequence[tuple[_Node, _Node]]) -> list[tuple[_Node, _Node]]:
    """Edges to two hubs that make every node's degree even."""
    left_hub, right_hub = _HUBS
    degrees = Counter(node for edge in edges for node in edge)
    odd = [node for node, degree in degrees.items() if degree % 2]
    extra = [
        (node, right_hub) if node[0] == _LEFT else (left_hub, node) for node in odd
    ]
    # Both hubs have the parity of the number of edges, so one edge evens out both.
    if len(edges) % 2:
        extra.append(_HUBS)
    return extra


def _walk(edges: Sequence[tuple[_Node, _Node]], rng: random.Random) -> dict[int, bool]:
    """Walk closed trails until every edge is used; say which went left to right."""
    incident: defaultdict[_Node, list[int]] = defaultdict(list)
    for number, (left, right) in enumerate(edges):
        incident[left].append(number)
        incident[right].append(number)
    for numbers in incident.values():
        rng.shuffle(numbers)
    forward: dict[int, bool] = {}
    for start in rng.sample(list(incident), len(incident)):
        node: _Node | None = start
        while node is not None:
            node = _step(node, edges, incident, forward)
    return forward


def _step(
    node: _Node,
    edges: Sequence[tuple[_Node, _Node]],
    incident: dict[_Node, list[int]],
    forward: dict[int, bool],
) -> _Node | None:
    """Leave ``node`` by an unused edge; ``None`` where the trail has closed."""
    numbers = incident[node]
    while numbers:
        number = numbers.pop()
        if number not in forward:
            left, right = edges[number]
            forward[number] = node == left
            return right if node == left else left
    return None
