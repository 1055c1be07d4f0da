"""Cohen's kappa of a square table, with its standard error (METHODS 3.7)."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from scipy.special import ndtri

from annotation.domain.agreement import (
    ONE_LABEL,
    with_half_width,
    without_interval,
)
from annotation.domain.estimates import Figure, Undefined

if TYPE_CHECKING:
    from collections.abc import Sequence

    Table = Sequence[Sequence[int]]


def cohen_kappa(table: Table, *, linear: bool = False, level: float = 0.95) -> Figure:
    """Cohen's kappa of ``table[row label][column label]``, counts of cases.

    ``linear`` weighs disagreements by their distance, so rows and columns must then be
    in order (baseline, tie, candidate). Interval: normal, with the standard error of
    Fleiss, Cohen and Everitt (1969), none where that is 0. Undefined without cases or
    when both sides used one and the same label only. Raises ``ValueError`` for a table
    that is not square or has negative counts.
    """
    _check(table)
    cases = sum(map(sum, table))
    if cases == 0:
        return Undefined("0 cases", None, 0)
    result = kappa_and_se(table, linear=linear)
    if result is None:
        return Undefined(ONE_LABEL, None, cases)
    value, se = result
    if se == 0:
        return without_interval(value, cases)
    half = float(ndtri((1 + level) / 2)) * se
    return with_half_width(value, half, cases, level, "fleiss-cohen-everitt")


def kappa_and_se(table: Table, *, linear: bool = False) -> tuple[float, float] | None:
    """Kappa and its large-sample standard error, ``None`` where kappa is undefined.

    Needs a square table with at least one case.
    """
    size, n = range(len(table)), sum(map(sum, table))
    rows = [sum(row) for row in table]
    columns = [sum(row[j] for row in table) for j in size]
    # Whole numbers throughout: the variance of a judge that always says the same is 0,
    # and what floats would leave of it is no interval. ``top`` is the greatest weight.
    top = max(1, len(table) - 1) if linear else 1
    weights = [[_weight(i, j, top, linear=linear) for j in size] for i in size]
    observed = n * sum(weights[i][j] * table[i][j] for i in size for j in size)
    chance = sum(weights[i][j] * rows[i] * columns[j] for i in size for j in size)
    possible = top * n * n - chance
    if possible == 0:
        return None
    by_row = [sum(columns[j] * weights[i][j] for j in size) for i in size]
    by_column = [sum(rows[i] * weights[i][j] for i in size) for j in size]
    missed = top * n * n - observed
    spread = sum(
        table[i][j]
        * (weights[i][j] * n * possible - (by_row[i] + by_column[j]) * missed) ** 2
        for i in size
        for j in size
    )
    centre = (observed - chance) * top * n * n - chance * missed
    kappa = (observed - chance) / possible
    return kappa, sqrt((n * spread - centre**2) / (n * possible**4))


def _weight(row: int, column: int, top: int, *, linear: bool) -> int:
    return top - abs(row - column) if linear else int(row == column)


def _check(table: Table) -> None:
    if not table or any(len(row) != len(table) for row in table):
        raise ValueError("kappa needs a square table")
    if min(map(min, table)) < 0:
        raise ValueError("counts cannot be negative")
