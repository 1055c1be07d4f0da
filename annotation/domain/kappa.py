"""Cohen's kappa of a square table, with its standard error (METHODS 3.7)."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from scipy.special import ndtri

from annotation.domain.agreement import (
    ONE_LABEL,
    rounded_se,
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
    size = range(len(table))
    n = sum(map(sum, table))
    rows = [sum(row) / n for row in table]
    columns = [sum(row[j] for row in table) / n for j in size]
    weights = [[_weight(i, j, len(table), linear=linear) for j in size] for i in size]
    observed = sum(weights[i][j] * table[i][j] / n for i in size for j in size)
    chance = sum(weights[i][j] * rows[i] * columns[j] for i in size for j in size)
    if any(row == column == 1 for row, column in zip(rows, columns, strict=True)):
        return None
    kappa = (observed - chance) / (1 - chance)
    by_row = [sum(columns[j] * weights[i][j] for j in size) for i in size]
    by_column = [sum(rows[i] * weights[i][j] for i in size) for j in size]
    spread = sum(
        table[i][j]
        / n
        * (weights[i][j] - (by_row[i] + by_column[j]) * (1 - kappa)) ** 2
        for i in size
        for j in size
    )
    variance = (spread - (kappa - chance * (1 - kappa)) ** 2) / n
    return kappa, rounded_se(sqrt(max(0.0, variance)) / (1 - chance))


def _weight(row: int, column: int, size: int, *, linear: bool) -> float:
    if linear:
        return 1 - abs(row - column) / (size - 1) if size > 1 else 1.0
    return float(row == column)


def _check(table: Table) -> None:
    if not table or any(len(row) != len(table) for row in table):
        raise ValueError("kappa needs a square table")
    if min(map(min, table)) < 0:
        raise ValueError("counts cannot be negative")
