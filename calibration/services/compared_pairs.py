"""Which pairs of a gold version judges are compared on."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from annotation.domain.outcomes import Outcome, Split
from annotation.models import Pair
from annotation.services.seals import not_under_seal, refuse_sealed, under_seal
from calibration.services.sentinels.defining import not_held_out

if TYPE_CHECKING:
    from collections.abc import Mapping

    from annotation.models import GoldVersion
    from calibration.domain.samples import Sample


SCORED = [Outcome.BASELINE.value, Outcome.CANDIDATE.value, Outcome.TIE.value]


class ComparedPart(StrEnum):
    """``open`` are all pairs that are held out nowhere, in dev or in no split."""

    OPEN = "open"
    DEV = Split.DEV.value
    HELD_OUT = Split.HELD_OUT.value


NAMES = {
    ComparedPart.OPEN: "that is not held out",
    ComparedPart.DEV: "in dev",
    ComparedPart.HELD_OUT: "in held-out",
}


def part_of(
    samples: Mapping[str, Sample], gold: GoldVersion, part: ComparedPart
) -> dict[str, Sample]:
    """Keep of each judge's sample the pairs that are wanted.

    Splits are those that the gold version was frozen with. Of ``open`` pairs those are
    left out that are held out or sealed by now, here or elsewhere.
    """
    if part != ComparedPart.OPEN:
        return {name: one.where(split=Split(part)) for name, one in samples.items()}
    pairs = Pair.objects.filter(pk__in=gold.items.values("pair"))
    sealed = under_seal(pairs).values("pk")
    free = set(not_held_out(pairs).exclude(pk__in=sealed).values_list("pk", flat=True))
    return {
        name: one.keep(
            np.array(
                [
                    row.split is not Split.HELD_OUT and int(row.pair) in free
                    for row in one.rows
                ],
                bool,
            )
        )
        for name, one in samples.items()
    }


def why_none(gold: GoldVersion, part: ComparedPart) -> str:
    """Why judges have no pair in common there, in words, and what to do."""
    scored = gold.items.filter(outcome__in=SCORED)
    free = scored.exclude(split=Split.HELD_OUT.value).filter(not_under_seal("pair"))
    there = free if part == ComparedPart.OPEN else scored.filter(split=part.value)
    if there.exists():
        return "The judges have judged no pair with gold in common."
    named = NAMES[part]
    why = f"Gold version {gold.number} has no pair with gold {named}."
    unsplit = free.filter(split="").count()
    if part == ComparedPart.OPEN or not unsplit:
        return why
    pairs = "pair" if unsplit == 1 else "pairs"
    return (
        f"{why} {unsplit:,} {pairs} with gold were in no split when it was frozen: "
        "compare on all that are not held out, or assign splits and freeze gold again."
    )


def refuse_sealed_part(gold: GoldVersion, part: ComparedPart) -> None:
    """Raise ``Sealed`` where a pair of a split, now or as frozen, is under a seal."""
    if part == ComparedPart.OPEN:  # it leaves them out
        return
    for pairs in (
        Pair.objects.filter(gold_set=gold.gold_set_id, case__split=part.value),
        Pair.objects.filter(pk__in=gold.items.filter(split=part.value).values("pair")),
    ):
        refuse_sealed(pairs)
