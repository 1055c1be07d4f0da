"""Making gold sets, and the versioned texts that belong to them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Max

from annotation.domain.consensus import ConsensusRule
from annotation.domain.digests import text_digest
from annotation.models import GoldSet, Guideline, System
from config.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from config.accounts.models import User

SLUG = re.compile(r"[-a-zA-Z0-9_]{1,80}")
MOST_SYSTEMS = 50
LONGEST_SYSTEM = 120


@dataclass(frozen=True, slots=True)
class SetPlan:
    """The comparison contract of a new gold set."""

    name: str
    systems: Sequence[str]
    title: str = ""
    question: str = ""
    aliases: Mapping[str, Sequence[str]] = field(default_factory=dict)
    labels_per_pair: int = 3
    rule: ConsensusRule = ConsensusRule.MAJORITY_ELSE_ADJUDICATE
    primary_slice: str = ""
    simulated: bool = False

    def problem(self) -> str | None:
        """Why this set can't be made, in words, or None."""
        if not SLUG.fullmatch(self.name):
            return "gold set: the name may hold letters, digits, - and _ (at most 80)"
        if len(self.systems) < 2:  # noqa: PLR2004 - a pair needs two
            return "systems: name at least two, separated by commas"
        if len(self.systems) > MOST_SYSTEMS:
            return f"systems: at most {MOST_SYSTEMS}"
        if any(not s.strip() or len(s) > LONGEST_SYSTEM for s in self.systems):
            return f"systems: a name must have 1 to {LONGEST_SYSTEM} characters"
        if len(set(self.systems)) != len(self.systems):
            return "systems: a name occurs twice"
        return None


def gold_set_named(name: str) -> GoldSet:
    """Return a gold set by name, or say which there are."""
    found = GoldSet.objects.filter(name=name).first()
    if found is None:
        known = ", ".join(
            GoldSet.objects.order_by("name").values_list("name", flat=True)
        )
        raise NotFound(
            "gold_set_unknown",
            f"There is no gold set {name!r}; there are: {known or 'none yet'}.",
        )
    return found


@transaction.atomic
def create_gold_set(*, plan: SetPlan, by: User | None, now: datetime) -> GoldSet:
    """Make a gold set with its systems in order: of a pair, the earlier is baseline."""
    if (problem := plan.problem()) is not None:
        raise InvalidInput("gold_set_invalid", problem)
    gold_set = GoldSet.objects.create(
        name=plan.name,
        title=plan.title or plan.name,
        question=plan.question,
        labels_per_pair=plan.labels_per_pair,
        consensus_rule=plan.rule.value,
        primary_slice=plan.primary_slice,
        simulated=plan.simulated,
        created_at=now,
        created_by=by,
    )
    System.objects.bulk_create(
        System(
            gold_set=gold_set,
            name=name,
            position=position,
            aliases=list(plan.aliases.get(name, ())),
        )
        for position, name in enumerate(plan.systems, start=1)
    )
    return gold_set


@transaction.atomic
def add_guideline(
    *, gold_set: GoldSet, text: str, by: User | None, now: datetime
) -> Guideline:
    """Store a new version of the labelling guideline, unless it is the one in force."""
    digest = text_digest(text)
    current = Guideline.objects.in_force(gold_set.pk)
    if current is not None and current.digest == digest:
        return current
    last = gold_set.guidelines.aggregate(n=Max("version"))["n"] or 0
    return Guideline.objects.create(
        gold_set=gold_set,
        version=last + 1,
        text=text,
        digest=digest,
        created_at=now,
        created_by=by,
    )
