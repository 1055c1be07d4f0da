"""Which rows of a table are alike, without sorting whole rows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_MOST = 2**62

Codes = npt.NDArray[np.int64]
Table = npt.NDArray[np.float64] | npt.NDArray[np.int64]


def closed(codes: Codes) -> Codes:
    """Number what occurs among ``codes``, from 0 on, from 0 without gaps, in order.

    As ``numpy.unique`` does by sorting; counting is enough for numbers of this kind.
    """
    present = np.zeros(int(codes.max(initial=-1)) + 1, bool)
    present[codes] = True
    found: Codes = (np.cumsum(present) - 1)[codes]
    return found


def kinds_of(table: Table) -> tuple[Codes, Codes]:
    """Where each distinct row stands first, in the order of rows, and how often it is.

    A row is packed into one whole number, a digit a column, as far as that goes; what
    is packed so far is closed up where the next column would not fit.
    """
    key, size = np.zeros(len(table), np.int64), 1
    for column in table.T:
        digits, base = _digits(column)
        if size * base > _MOST:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            size = int(key.max(initial=0)) + 1
        key, size = key * base + digits, size * base
    _, first, times = np.unique(key, return_index=True, return_counts=True)
    return first.astype(np.int64), times.astype(np.int64)


def _digits(column: npt.NDArray[np.float64] | Codes) -> tuple[Codes, int]:
    """Whole numbers from 0 on in the order of a column's values, and how many."""
    if not len(column):
        return np.zeros(0, np.int64), 1
    least, most = column.min(), column.max()
    if most - least < len(column):
        whole = (column - least).astype(np.int64)
        if (whole + least == column).all():
            return whole, int(whole.max()) + 1
    found, codes = np.unique(column, return_inverse=True)
    return codes.astype(np.int64), len(found)
