"""One split of a sample, with what its figures are computed by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calibration.domain.bootstrap import Resamples
from calibration.domain.rates import Rates

if TYPE_CHECKING:
    import numpy as np

    from calibration.domain.samples import Sample


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A sample, its rates and its resamples, which all its figures share.

    ``spare`` draws for figures that need resamples of their own.
    """

    sample: Sample
    rates: Rates
    resamples: Resamples
    spare: np.random.Generator

    @classmethod
    def of(cls, sample: Sample, rng: np.random.Generator, level: float = 0.95) -> Part:
        """Prepare a sample; ``level`` is two-sided."""
        resamples = Resamples.of(sample, rng, level)
        return cls(sample, Rates.of(sample, level), resamples, rng.spawn(1)[0])
