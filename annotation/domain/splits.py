"""Which pairs tune and which measure: a seeded, stratified split (DESIGN rule 15)."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from annotation.domain.outcomes import Split
from annotation.domain.schedule import seeded

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

    Key = int | str

LARGEST_DENOMINATOR = 10_000


class SplitItem(NamedTuple):
    """One case to be put into a split.

    ``stratum`` is its value of the slices to stratify by, ``group`` ties it to the
    cases that must go with it, ``fixed`` is a split that it already has.
    """

    key: Key
    stratum: str | None = None
    group: str | None = None
    fixed: Split | None = None


@dataclass(frozen=True, slots=True)
class StratumCount:
    """How many cases of one stratum are in each split."""

    stratum: str | None
    dev: int
    held_out: int


@dataclass(frozen=True, slots=True)
class SplitPlan:
    """The split of every item, and what came of it by stratum and overall."""

    assigned: Mapping[Key, Split]
    strata: tuple[StratumCount, ...]
    dev: int
    held_out: int
    groups: int
    kept: int


class _Unit(NamedTuple):
    """Cases that go together."""

    keys: tuple[Key, ...]
    sizes: tuple[tuple[str | None, int], ...]
    fixed: Split | None


def assign_splits(
    items: Sequence[SplitItem], seed: bytes | str, held_out: float
) -> SplitPlan:
    """Put about the share ``held_out`` of every stratum into the held-out split.

    Whole groups stay together and fixed splits stay as they are (a fixed case takes its
    group along). Without groups and fixed cases every stratum is within one case of its
    share, and the total is kept near its own. The result depends on the seed and the
    set of items, not on their order.

    Raises ``ValueError`` for a repeated key, a share outside 0..1 (exclusive), an empty
    seed, or a group whose cases are fixed to different splits.
    """
    _check(items, seed, held_out)
    share = Fraction(held_out).limit_denominator(LARGEST_DENOMINATOR)
    ordered = sorted(items, key=lambda item: (isinstance(item.key, str), item.key))
    units = _units(ordered)
    rng = seeded(seed, "splits")
    rng.shuffle(units)
    # Fixed first and large before small, so that what follows can even them out.
    units.sort(key=lambda unit: (unit.fixed is None, -len(unit.keys)))
    deviation = _Deviation(share, rng)
    assigned = {}
    for unit in units:
        split = deviation.place(unit)
        assigned.update(dict.fromkeys(unit.keys, split))
    return _plan(ordered, assigned)


class _Deviation:
    """How far the held-out cases so far are from their share, in exact integers.

    Counts are scaled by the denominator of the share. ``None`` would be a stratum too,
    so the total is kept apart.
    """

    def __init__(self, share: Fraction, rng: random.Random) -> None:
        self._of, self._one = share.numerator, share.denominator
        self._strata: Counter[str | None] = Counter()
        self._total = 0
        self._rng = rng

    def place(self, unit: _Unit) -> Split:
        """Choose the split that keeps the strata, then the total, nearer to share."""
        split = unit.fixed
        if split is None:
            costs = {split: self._cost(unit, split) for split in Split}
            best = min(costs.values())
            split = self._rng.choice([s for s in Split if costs[s] == best])
        for stratum, size in unit.sizes:
            self._strata[stratum] += self._shift(split, size)
        self._total += self._shift(split, len(unit.keys))
        return split

    def _shift(self, split: Split, size: int) -> int:
        return size * ((self._one if split is Split.HELD_OUT else 0) - self._of)

    def _cost(self, unit: _Unit, split: Split) -> tuple[int, int]:
        """Distance beyond one case over the unit's strata, then that of the total."""
        beyond = sum(
            max(
                0, abs(self._strata[stratum] + self._shift(split, size)) - self._one + 1
            )
            for stratum, size in unit.sizes
        )
        return beyond, abs(self._total + self._shift(split, len(unit.keys)))


def _units(items: Sequence[SplitItem]) -> list[_Unit]:
    together: defaultdict[tuple[str, Key], list[SplitItem]] = defaultdict(list)
    for item in items:
        name = ("case", item.key) if item.group is None else ("group", item.group)
        together[name].append(item)
    return [_unit(name[1], members) for name, members in together.items()]


def _unit(name: Key, members: Sequence[SplitItem]) -> _Unit:
    fixed = {member.fixed for member in members if member.fixed is not None}
    if len(fixed) > 1:
        msg = f"group {name!r} has cases fixed to different splits"
        raise ValueError(msg)
    sizes = Counter(member.stratum for member in members)
    keys = tuple(member.key for member in members)
    return _Unit(keys, tuple(sizes.items()), fixed.pop() if fixed else None)


def _plan(items: Sequence[SplitItem], assigned: dict[Key, Split]) -> SplitPlan:
    counts = Counter((item.stratum, assigned[item.key]) for item in items)
    named = {item.stratum for item in items}
    strata = tuple(
        StratumCount(name, counts[name, Split.DEV], counts[name, Split.HELD_OUT])
        for name in sorted(named, key=lambda name: (name is None, name or ""))
    )
    return SplitPlan(
        assigned=assigned,
        strata=strata,
        dev=sum(stratum.dev for stratum in strata),
        held_out=sum(stratum.held_out for stratum in strata),
        groups=len({item.group for item in items if item.group is not None}),
        kept=sum(item.fixed is not None for item in items),
    )


def _check(items: Sequence[SplitItem], seed: bytes | str, held_out: float) -> None:
    if not 0 < held_out < 1:
        raise ValueError("the held-out share lies between 0 and 1")
    if not seed:
        raise ValueError("the split needs a seed")
    if len({item.key for item in items}) != len(items):
        raise ValueError("an item occurs twice")
