"""What a lead wants of a round: how many labels, and which pairs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from annotation.domain.consensus import ConsensusRule, OpenReason
from annotation.domain.outcomes import Split
from annotation.domain.round_notes import shortfalls
from annotation.domain.schedule import seeded
from annotation.models import Pair
from annotation.services.freezing import standings
from annotation.services.named_pairs import named_in
from annotation.services.ruling_holds import held_pairs
from annotation.services.seals import sealed_of
from config.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from annotation.models import GoldSet

MOST_LABELS = 5
LONGEST_NAME = 120
LONGEST_SEED = 64
LARGEST_SAMPLE = 1_000_000
MOST_MINUTES = 24 * 60
# The value of a split filter that asks for pairs in neither split.
NO_SPLIT = "none"


class Which(StrEnum):
    """Which pairs by their gold so far."""

    ALL = "all"
    WITHOUT_GOLD = "without_gold"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class Selection:
    """Which pairs of a set; all conditions hold together, the sample comes last.

    ``split`` is a split, ``none`` or empty for any; ``slice_key`` with ``slice_value``
    asks for one value of a slice; ``case_ids`` for cases by their own ids, or for one
    pair of a case by its id, a space and ``baseline|candidate``. ``sample`` pairs are
    drawn at random from ``seed``.
    """

    which: Which = Which.ALL
    split: str = ""
    slice_key: str = ""
    slice_value: str = ""
    case_ids: tuple[str, ...] = ()
    sample: int | None = None
    seed: str = ""

    def problem(self) -> str | None:
        """Why this can't be asked for, in words, or None."""
        if self.split not in ("", NO_SPLIT, *(split.value for split in Split)):
            return f"split: {self.split!r} is no split"
        if self.slice_value and not self.slice_key:
            return "slice: name the slice as well as its value"
        if self.sample is not None and not 1 <= self.sample <= LARGEST_SAMPLE:
            return f"sample: must be 1 to {LARGEST_SAMPLE}"
        if self.sample is not None and not self.seed:
            return "seed: a sample needs one"
        if len(self.seed) > LONGEST_SEED:
            return f"seed: at most {LONGEST_SEED} characters"
        return None

    def as_json(self) -> dict[str, object]:
        """What is kept with the round: the conditions that were set."""
        asked = {
            "which": self.which.value,
            "split": self.split,
            "slice": [self.slice_key, self.slice_value] if self.slice_key else [],
            "case_ids": list(self.case_ids),
            "sample": self.sample,
            "seed": self.seed if self.sample is not None else "",
        }
        return {name: value for name, value in asked.items() if value}


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """What a lead wants of a round, but for its pairs.

    ``retest_share`` of the pairs come back to one of their reviewers, swapped.
    ``designed_rate`` designed pairs are mixed in for each other pair; at 0 a designed
    pair is chosen like any other.
    """

    name: str
    labels_per_pair: int
    reservation_minutes: int = 30
    retest_share: float = 0
    designed_rate: float = 0

    def problem(self) -> str | None:
        """Why this plan can't be opened, in words, or None."""
        if not self.name.strip() or not self.name.isprintable():
            return "name: must not be empty"
        if len(self.name) > LONGEST_NAME:
            return f"name: at most {LONGEST_NAME} characters"
        if not 1 <= self.labels_per_pair <= MOST_LABELS:
            return f"labels_per_pair: must be 1 to {MOST_LABELS}"
        if not 1 <= self.reservation_minutes <= MOST_MINUTES:
            return f"reservation_minutes: must be 1 to {MOST_MINUTES}"
        for name in ("retest_share", "designed_rate"):
            if not 0 <= getattr(self, name) <= 1:
                return f"{name}: must be 0 to 1"
        return None


@dataclass(frozen=True, slots=True)
class Chosen:
    """The pairs of a round before it is opened, and what was left out and why.

    ``designed`` are those mixed in at the plan's rate; ``designed_wanted`` says how
    many were asked for, where the set has fewer; ``sample_wanted`` the same of a
    sample. ``under_adjudication`` pairs are before adjudicators now, and left to them.
    Of ``sealed`` pairs it is not told whether they have gold, so that no condition on
    gold finds them.
    """

    pairs: tuple[Pair, ...]
    designed: tuple[Pair, ...] = ()
    designed_wanted: int = 0
    set_aside: int = 0
    under_adjudication: int = 0
    sealed: int = 0
    sample_wanted: int | None = None
    splits: tuple[tuple[str, int], ...] = field(default=())

    @property
    def all(self) -> tuple[Pair, ...]:
        """Every pair that gets seats."""
        return self.pairs + self.designed

    def facts(self) -> dict[str, object]:
        """What is kept with the round, beside the conditions: what was left out."""
        found: dict[str, object] = {
            "designed": len(self.designed),
            "set_aside": self.set_aside,
        }
        if self.designed_wanted > len(self.designed):
            found["designed_wanted"] = self.designed_wanted
        if self.under_adjudication:
            found["under_adjudication"] = self.under_adjudication
        if self.sealed:
            found["sealed"] = self.sealed
        if self.sample_wanted is not None and self.sample_wanted > len(self.pairs):
            found["sample_taken"] = len(self.pairs)
        return found

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out, or fell short, in sentences."""
        return shortfalls(self.facts() | {"sample": self.sample_wanted})

    def retests(self, plan: RoundPlan) -> int:
        """How many pairs come back."""
        return round(plan.retest_share * len(self.all))


def choose_pairs(
    *,
    gold_set: GoldSet,
    plan: RoundPlan,
    selection: Selection,
    seed: str,
    now: datetime,
) -> Chosen:
    """Find the pairs that a round would have.

    What a lead set aside is left out, and what adjudicators have before them. ``seed``
    draws the designed pairs: the round's own, which reviewers never learn.
    """
    for problem in (plan.problem(), selection.problem()):
        if problem is not None:
            raise InvalidInput("round_invalid", problem)
    every = list(Pair.objects.filter(gold_set=gold_set).with_names().in_order())
    usable = set(
        Pair.objects.filter(gold_set=gold_set).usable().values_list("pk", flat=True)
    )
    named = _by_case(selection, every)
    open_ones = _not_sealed(gold_set, selection, named)
    wanted = _by_gold(gold_set, selection, open_ones)
    held = held_pairs(gold_set_id=gold_set.pk, now=now)
    found = [pair for pair in wanted if pair.pk in usable]
    kept = [pair for pair in found if pair.pk not in held]
    ordinary = [p for p in kept if not (plan.designed_rate and p.designed)]
    pairs = _sampled(ordinary, selection)
    count = round(plan.designed_rate * len(pairs))
    designed = _designed(every, usable - held, selection, count=count, seed=seed)
    return Chosen(
        pairs=tuple(pairs),
        designed=tuple(designed),
        designed_wanted=count,
        set_aside=len(wanted) - len(found),
        under_adjudication=len(found) - len(kept),
        sealed=len(named) - len(open_ones),
        sample_wanted=selection.sample,
        splits=_split_counts([*pairs, *designed]),
    )


def _by_case(selection: Selection, pairs: Iterable[Pair]) -> list[Pair]:
    found = list(pairs)
    if selection.case_ids:
        named = named_in(found, selection.case_ids)
        found = [pair for pair in found if pair.pk in named]
    return [pair for pair in found if _in_split(pair, selection.split)
            and _in_slice(pair, selection)]  # fmt: skip


def _in_split(pair: Pair, split: str) -> bool:
    return not split or (pair.case.split or NO_SPLIT) == split


def _in_slice(pair: Pair, selection: Selection) -> bool:
    if not selection.slice_key:
        return True
    value = pair.case.slices.get(selection.slice_key)
    return value is not None and str(value) == selection.slice_value


def _not_sealed(
    gold_set: GoldSet, selection: Selection, pairs: list[Pair]
) -> list[Pair]:
    """Whichever are asked for by their gold, which would tell it of sealed ones."""
    sealed = set() if selection.which is Which.ALL else sealed_of(gold_set)
    return [pair for pair in pairs if pair.pk not in sealed]


def _by_gold(gold_set: GoldSet, selection: Selection, pairs: list[Pair]) -> list[Pair]:
    if selection.which is Which.ALL:
        return pairs
    rule = ConsensusRule(gold_set.consensus_rule)
    disputed = selection.which is Which.DISPUTED
    asked = {
        standing.pair.pk
        for standing in standings(gold_set, rule=rule)
        if standing.outcome is None
        and (not disputed or standing.open_reason == OpenReason.DISPUTED.value)
    }
    return [pair for pair in pairs if pair.pk in asked]


def _sampled(pairs: list[Pair], selection: Selection) -> list[Pair]:
    if selection.sample is None or selection.sample >= len(pairs):
        return pairs
    # By content, so that one seed draws the same from the same set everywhere.
    ordered = sorted(pairs, key=lambda pair: (pair.case.external_id, pair.digest))
    return seeded(selection.seed, "sample").sample(ordered, selection.sample)


def _designed(
    every: Iterable[Pair],
    usable: set[int],
    selection: Selection,
    *,
    count: int,
    seed: str,
) -> list[Pair]:
    found = [
        pair
        for pair in every
        if pair.designed and pair.pk in usable and _in_split(pair, selection.split)
    ]
    rng = seeded(seed, "designed")
    return rng.sample(found, min(count, len(found)))


def _split_counts(pairs: Sequence[Pair]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(Counter(pair.case.split for pair in pairs).items()))
