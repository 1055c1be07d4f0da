"""How much pairs of one prompt count for in a plan (METHODS 3.5 and 3.16)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from math import ceil, isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

# How alike pairs are only prompts of several tell; from fewer it is mostly chance.
FEWEST_PROMPTS = 20
ROUNDING = 1e-9


class EffectSource(StrEnum):
    """Where the design effect of a plan comes from.

    ``assumed`` is for a plan that is not about a set, and ``worst`` for a set of which
    nothing tells how alike the pairs of a prompt are: they are then taken as one pair.
    """

    ASKED = "asked"
    REPORT = "report"
    SINGLE = "single"
    WORST = "worst"
    ASSUMED = "assumed"


@dataclass(frozen=True, slots=True)
class Shape:
    """How pairs lie in cases and prompts.

    ``size`` is how many pairs the prompt of a pair drawn at random has: larger than
    the mean where prompts differ in size. ``several`` prompts have more than one.
    """

    pairs: int
    cases: int
    prompts: int
    several: int
    size: float

    @property
    def per_case(self) -> float:
        """Pairs of a case on average."""
        return self.pairs / self.cases

    @property
    def per_prompt(self) -> float:
        """Pairs of a prompt on average."""
        return self.pairs / self.prompts


@dataclass(frozen=True, slots=True)
class Reported:
    """A design effect that a report found, and the shape of the pairs it is of."""

    report: int
    effect: float
    shape: Shape


@dataclass(frozen=True, slots=True)
class Clustering:
    """The design effect of a plan, and what it rests on.

    ``report`` and ``prompts``, how many of several pairs it rests on, only from one.
    """

    design_effect: float
    source: EffectSource
    pairs_per_case: float
    pairs_per_prompt: float
    correlation: float | None = None
    report: int | None = None
    prompts: int | None = None

    def pairs(self, independent: int) -> int:
        """Pairs that tell as much as so many independent ones."""
        return ceil(independent * self.design_effect - ROUNDING)

    def independent(self, pairs: int) -> int:
        """How many independent pairs these tell as much as; at least one."""
        return max(1, int(pairs / self.design_effect + ROUNDING))

    def cases(self, pairs: int) -> int:
        """Cases that hold so many pairs, at the set's own number of pairs a case."""
        return ceil(pairs / self.pairs_per_case - ROUNDING)


def shape_of(pairs: Iterable[tuple[Hashable, Hashable]]) -> Shape | None:
    """The shape of pairs given as (case, prompt); None without a pair."""
    told = list(pairs)
    if not told:
        return None
    sizes = Counter(prompt for _, prompt in told)
    size = sum(n * n for n in sizes.values()) / len(told)
    cases = len({case for case, _ in told})
    several = sum(n > 1 for n in sizes.values())
    return Shape(len(told), cases, len(sizes), several, size)


def kish_effect(size: float, correlation: float) -> float:
    """The design effect of prompts of ``size`` pairs: 1 + (size - 1) x correlation.

    Source: Kish (1965), Survey Sampling, 5.4. Raises ``ValueError`` for a size below 1
    or a correlation outside 0..1.
    """
    if not (isfinite(size) and size >= 1 and 0 <= correlation <= 1):
        raise ValueError("a plan needs 1 pair a prompt or more, alike from 0 to 1")
    return 1 + (size - 1) * correlation


def correlation_of(effect: float, size: float) -> float | None:
    """How alike the pairs of a prompt are, by the design effect; None if none has two.

    :func:`kish_effect` the other way round, held to 0..1: few prompts may show more.
    """
    if size <= 1:
        return None
    return min(1.0, max(0.0, (effect - 1) / (size - 1)))


def clustering(
    shape: Shape | None,
    reported: Reported | None = None,
    *,
    per_prompt: float | None = None,
    correlation: float | None = None,
) -> Clustering:
    """The design effect to plan with: what was asked, else what a report found.

    A report counts from 20 prompts of several pairs on; its effect is carried over to
    prompts of another size. Without one, pairs of one prompt are taken as fully alike.
    Raises ``ValueError`` as :func:`kish_effect` does.
    """
    known = shape.size if shape else 1.0
    size = known if per_prompt is None else per_prompt
    kish_effect(size, correlation or 0)  # refuses what is no number of pairs, or share
    alike, source = _alike(shape, reported, size, correlation, per_prompt)
    used = reported if source is EffectSource.REPORT else None
    return Clustering(
        design_effect=kish_effect(size, alike),
        source=source,
        pairs_per_case=_per_case(shape, per_prompt),
        pairs_per_prompt=per_prompt or (shape.per_prompt if shape else 1.0),
        correlation=None if size == 1 else alike,
        report=used.report if used else None,
        prompts=used.shape.several if used else None,
    )


def _alike(
    shape: Shape | None,
    reported: Reported | None,
    size: float,
    correlation: float | None,
    per_prompt: float | None,
) -> tuple[float, EffectSource]:
    if size == 1:
        known = EffectSource.SINGLE if shape else EffectSource.ASSUMED
        return 0.0, EffectSource.ASKED if per_prompt else known
    if correlation is not None:
        return correlation, EffectSource.ASKED
    if reported is not None and reported.shape.several >= FEWEST_PROMPTS:
        found = correlation_of(reported.effect, reported.shape.size)
        if found is not None:
            return found, EffectSource.REPORT
    return 1.0, EffectSource.WORST


def _per_case(shape: Shape | None, per_prompt: float | None) -> float:
    """Pairs of a case; a case of its own prompt has as many as were asked for."""
    if per_prompt is None:
        return shape.per_case if shape else 1.0
    grouped = shape is not None and shape.prompts < shape.cases
    return min(shape.per_case, per_prompt) if shape and grouped else per_prompt
