"""What a gold set holds, for whoever reads it: itself, its cases and its pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef

from annotation.domain.outcomes import Split
from annotation.models import Case, ExposureKind, GoldSet, Guideline, Pair, SetAside
from annotation.services.exposures import record_exposures
from annotation.services.held_out import splits_locked
from annotation.services.seals import (
    any_seal,
    is_sealed,
    not_under_seal,
    refuse_sealed,
    under_seal,
)
from annotation.services.splitting import slice_keys, split_counts
from config.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from annotation.models import Response
    from config.accounts.models import User

PAIR_FIELDS = (
    "digest", "designed", "flags", "case_id", "baseline__case_id",
    "baseline__system__name", "candidate__case_id", "candidate__system__name",
)  # fmt: skip
UNASSIGNED = "none"
SPLITS = (*(split.value for split in Split), UNASSIGNED)


@dataclass(frozen=True, slots=True)
class SetState:
    """Where a gold set stands, in numbers."""

    gold_set: GoldSet
    splits: Mapping[str, int]
    locked: bool
    sealed: bool
    slices: tuple[str, ...]
    pairs: int
    set_aside: int
    under_seal: int
    guideline: int | None
    gold_version: int | None


def gold_sets() -> QuerySet[GoldSet]:
    """All gold sets with their systems, in no order."""
    return GoldSet.objects.prefetch_related("systems").order_by()


def set_state(gold_set: GoldSet) -> SetState:
    """Count what a set holds; what is under a seal is counted and never named."""
    pairs = Pair.objects.filter(gold_set=gold_set)
    guideline = Guideline.objects.in_force(gold_set.pk)
    newest = gold_set.versions.order_by("-number").first()
    aside = SetAside.objects.in_force().filter(pair__gold_set=gold_set)
    return SetState(
        gold_set=gold_set,
        splits=split_counts(gold_set),
        locked=splits_locked(gold_set),
        sealed=is_sealed(gold_set),
        slices=slice_keys(gold_set),
        pairs=pairs.count(),
        set_aside=aside.count(),
        under_seal=under_seal(pairs).count() if any_seal() else 0,
        guideline=guideline.version if guideline else None,
        gold_version=newest.number if newest else None,
    )


def cases_of(gold_set: GoldSet, *, split: str = "") -> QuerySet[Case]:
    """The cases of a set without their texts, in no order; none under a seal."""
    found = gold_set.cases.defer("prompt", "context", "reference", "extra").order_by()
    if any_seal():
        mine = Pair.objects.filter(gold_set=gold_set)
        found = found.exclude(pk__in=under_seal(mine).values("case"))
    return found.filter(split=_stored(split)) if split else found


def pairs_of(gold_set: GoldSet, *, split: str = "") -> QuerySet[Pair]:
    """The pairs of a set without their texts, in no order; none under a seal.

    Neither they nor the cases tell whose text is whose: reading them spoils nobody.
    """
    aside = SetAside.objects.in_force().filter(pair=OuterRef("pk"))
    found = Pair.objects.filter(not_under_seal(), gold_set=gold_set)
    found = found.annotate(is_aside=Exists(aside)).with_names().order_by()
    return found.filter(case__split=_stored(split)) if split else found


def _stored(split: str) -> str:
    return "" if split == UNASSIGNED else split


@dataclass(frozen=True, slots=True)
class ShownCase:
    """A case with all texts, and who wrote which."""

    case: Case
    responses: Sequence[Response]
    pairs: Sequence[Pair]


def case_shown(
    *, gold_set: GoldSet, case_id: int, to: User, now: datetime
) -> ShownCase:
    """One case with its responses by system, to somebody who is noted as knowing them.

    They are never given its pairs to label or to rule on (DESIGN rule 6).
    """
    case = gold_set.cases.filter(pk=case_id).first()
    if case is None:
        raise NotFound("case_unknown", f"{gold_set.name} has no case {case_id}.")
    pairs = Pair.objects.filter(case=case)
    refuse_sealed(pairs)
    shown = list(
        pairs.select_related("baseline__system", "candidate__system")
        .only(*PAIR_FIELDS)
        .in_order()
    )
    record_exposures(
        user=to,
        pair_ids=[pair.pk for pair in shown],
        kind=ExposureKind.SYSTEMS,
        now=now,
    )
    responses = case.responses.select_related("system").order_by("system__position")
    return ShownCase(case=case, responses=list(responses), pairs=shown)
