"""The plain way to the same figures, for comparison: slow, and measured on a part.

scikit-learn's scores inside ``scipy.stats.bootstrap``, and every weak order tried. Both
are measured on a few resamples or questions and multiplied: the whole would take hours.
"""

# ruff: noqa: INP001 - part of a script

from __future__ import annotations

from itertools import product
from time import process_time
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import bootstrap
from sklearn.metrics import accuracy_score, balanced_accuracy_score, cohen_kappa_score

if TYPE_CHECKING:
    from calibration.domain.columns import Codes
    from calibration.domain.orders import Matrices
    from calibration.domain.samples import Sample

RESAMPLES = 10_000
TRIED = 4  # resamples really drawn
QUESTIONS = 2  # questions really ranked


def bootstrap_seconds(sample: Sample) -> float:
    """CPU seconds of 10,000 resamples of three scores of all pairs and every slice."""
    parts = [sample, *sample.by_slice()["slice"].values()]
    start = process_time()
    for part in parts:
        for score in (accuracy_score, balanced_accuracy_score, cohen_kappa_score):
            bootstrap(
                (part.columns.gold, part.columns.verdict),
                score,
                n_resamples=TRIED,
                paired=True,
                vectorized=False,
                method="percentile",
                rng=np.random.default_rng(1),
            )
    return (process_time() - start) * RESAMPLES / TRIED


def weak_orders_seconds(y: Matrices) -> float:
    """CPU seconds to try every weak order of every question."""
    orders = _weak_orders(y.shape[1])
    start = process_time()
    for one in y[:QUESTIONS]:
        min(_wrong(one, order) for order in orders)
    return (process_time() - start) * len(y) / QUESTIONS


def _wrong(y: Matrices, order: Codes) -> int:
    says = np.sign(np.subtract.outer(order, order)).T
    return int(((y != says) & ~np.eye(len(y), dtype=bool)).sum())


def _weak_orders(n: int) -> list[Codes]:
    """Every ranking of n with ties, each once: its ranks leave no gap."""
    ranks = product(range(n), repeat=n)
    return [np.array(r, np.int64) for r in ranks if len(set(r)) == max(r) + 1]
