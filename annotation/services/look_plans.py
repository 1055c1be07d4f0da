"""Fixing how held-out results may be looked at, before anybody has looked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction

from annotation.domain.outcomes import Split
from annotation.domain.texts import says_something
from annotation.models import GoldSet, LookMode, LookPlan, Pair, Unsealing
from annotation.services.held_out import note_held_out_seen, seen_elsewhere
from annotation.services.seals import is_sealed, seals_nothing
from config.errors import Conflict, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from config.accounts.models import User

MOST_LOOKS = 1000
EXAMPLES = 5
LONGEST_REASON = 2000


@dataclass(frozen=True, slots=True)
class Terms:
    """How held-out results of a set may be looked at; ``plan`` is none by default."""

    mode: LookMode
    budget: int
    limits: Mapping[str, float]
    plan: LookPlan | None
    unsealing: Unsealing | None

    @property
    def sealed(self) -> bool:
        """Whether the results are sealed now."""
        return self.mode is LookMode.SEALED and self.unsealing is None


def terms_of(gold_set: GoldSet) -> Terms:
    """The terms in force; without a plan they are open, with the set's own budget."""
    plan = gold_set.look_plans.order_by("-sequence").first()
    unsealing = Unsealing.objects.filter(gold_set=gold_set).first()
    if plan is None:
        return Terms(LookMode.OPEN, gold_set.look_budget, {}, None, unsealing)
    return Terms(LookMode(plan.mode), plan.budget, plan.limits, plan, unsealing)


@transaction.atomic
def fix_plan(
    *,
    gold_set: GoldSet,
    mode: LookMode,
    budget: int,
    limits: Mapping[str, float],
    by: User | None,
    now: datetime,
) -> LookPlan:
    """Store a plan; refused once anybody looked, at this set or at the same texts.

    A set without held-out pairs can't be sealed, since its splits stay as they are
    from then on; nor one with the same texts in both splits: nothing of its dev part
    could be shown either.
    """
    if not 1 <= budget <= MOST_LOOKS:
        raise InvalidInput("budget_invalid", f"budget: must be 1 to {MOST_LOOKS} looks")
    gold_set = GoldSet.objects.select_for_update().get(pk=gold_set.pk)
    if gold_set.held_out_seen_at is not None or seen_elsewhere(gold_set):
        raise Conflict(
            "looks_begun",
            f"Held-out results of {gold_set.name} were looked at already: how they may "
            "be looked at stays as it was.",
        )
    if mode is LookMode.SEALED:
        _refuse_unsplit(gold_set)
        refuse_twice(gold_set)
    last = gold_set.look_plans.order_by("-sequence").first()
    return LookPlan.objects.create(
        gold_set=gold_set,
        sequence=last.sequence + 1 if last else 1,
        mode=mode.value,
        budget=budget,
        limits=dict(limits),
        planned_at=now,
        planned_by=by,
    )


def nothing_sealed(gold_set: GoldSet) -> str:
    """What is the matter with a seal on a set that holds nothing out, and the way out.

    Unsealing is none: it would lock the splits for good.
    """
    name = gold_set.name
    return (
        f"{name} is sealed though nothing of it is held out, so the seal hides nothing "
        "and no look can be taken. Its splits may still be assigned "
        f"(assign_splits {name}, or on the page of its splits): the seal then lies on "
        "what is held out. Or plan open looks in its place."
    )


def _refuse_unsplit(gold_set: GoldSet) -> None:
    if gold_set.cases.filter(split=Split.HELD_OUT.value).exists():
        return
    name = gold_set.name
    raise Conflict(
        "nothing_held_out",
        f"{name} can't be sealed: nothing of it is held out, and once it is sealed its "
        f"splits stay as they are. Assign its splits first (assign_splits {name}, or "
        "on the page of its splits).",
    )


def refuse_twice(gold_set: GoldSet) -> None:
    """Refuse a seal where the same texts are held out and are not."""
    mine = Pair.objects.filter(gold_set=gold_set)
    held_out = mine.filter(case__split=Split.HELD_OUT.value)
    others = mine.exclude(case__split=Split.HELD_OUT.value)
    twice = others.filter(texts_digest__in=held_out.values("texts_digest"))
    names = twice.order_by("pk").values_list("case__external_id", flat=True)
    if found := list(names):
        some = ", ".join(found[:EXAMPLES]) + (", ..." if len(found) > EXAMPLES else "")
        raise Conflict(
            "texts_in_both_splits",
            f"{gold_set.name} can't be sealed: {len(found)} of its pairs that are not "
            f"held out have prompt and responses of a held-out pair ({some}), so that "
            "results of dev would tell what is sealed. Splits that keep near-duplicate "
            "prompts together put them on one side.",
            {"pairs": len(found)},
        )


@transaction.atomic
def unseal(
    *, gold_set: GoldSet, reason: str, by: User | None, now: datetime
) -> Unsealing:
    """Open a sealed set for good; its held-out split measures nothing new any more."""
    reason = reason.strip()
    if not says_something(reason) or len(reason) > LONGEST_REASON:
        raise InvalidInput(
            "reason_invalid", f"reason: 1 to {LONGEST_REASON} characters are needed"
        )
    gold_set = GoldSet.objects.select_for_update().get(pk=gold_set.pk)
    if not is_sealed(gold_set):
        raise Conflict("not_sealed", f"{gold_set.name} is not sealed.")
    if seals_nothing(gold_set):
        raise Conflict("nothing_held_out", nothing_sealed(gold_set))
    note_held_out_seen(gold_set_id=gold_set.pk, now=now)
    return Unsealing.objects.create(
        gold_set=gold_set, reason=reason, unsealed_at=now, unsealed_by=by
    )
