"""Making gold sets, and the versioned texts that belong to them."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from annotation.domain.answers import list_problem, options_from
from annotation.domain.consensus import ConsensusRule
from annotation.domain.digests import digest_of, text_digest
from annotation.domain.fields import name_fault
from annotation.domain.strict_json import text_flaw
from annotation.models import GoldSet, Guideline, System
from config.errors import Conflict, InvalidInput, NotFound

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from annotation.domain.answers import Option
    from config.accounts.models import User

SLUG = re.compile(r"[-a-zA-Z0-9_]{1,80}")
MOST_SYSTEMS = 50
LONGEST_SYSTEM = 120
LONGEST_TITLE = 200
LONGEST_SLICE = 80
MOST_LABELS = 5


@dataclass(frozen=True, slots=True)
class SetPlan:
    """The comparison contract of a new gold set."""

    name: str
    systems: Sequence[str]
    title: str = ""
    question: str = ""
    aliases: Mapping[str, Sequence[str]] = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    labels_per_pair: int = 3
    rule: ConsensusRule = ConsensusRule.MAJORITY_ELSE_ADJUDICATE
    primary_slice: str = ""
    simulated: bool = False

    def problem(self) -> str | None:
        """Why this set can't be made, in words, or None."""
        if not SLUG.fullmatch(self.name):
            return "gold set: the name may hold letters, digits, - and _ (at most 80)"
        if not 1 <= self.labels_per_pair <= MOST_LABELS:
            return f"labels per pair: must be 1 to {MOST_LABELS}"
        if len(self.title) > LONGEST_TITLE:
            return f"title: at most {LONGEST_TITLE} characters"
        if len(self.primary_slice) > LONGEST_SLICE:
            return f"primary slice: at most {LONGEST_SLICE} characters"
        for name in ("title", "question", "primary_slice"):
            if flaw := text_flaw(getattr(self, name)):
                return f"{name.replace('_', ' ')}: {flaw}"
        return systems_problem(self.systems) or families_problem(
            self.families, self.systems
        )


def families_problem(families: Mapping[str, str], systems: Sequence[str]) -> str | None:
    """Why these systems can't be of these families, in words, or None."""
    for system, family in families.items():
        if system not in systems:
            return f"families: no system {system!r}"
        if len(family) > LONGEST_SYSTEM:
            return f"families: at most {LONGEST_SYSTEM} characters each"
        if family and (fault := name_fault(family)):
            return f"families: a name {fault}"
    return None


def systems_problem(systems: Sequence[str]) -> str | None:
    """Why a set can't compare these systems, in words, or None."""
    if len(systems) < 2:  # noqa: PLR2004 - a pair needs two
        return "systems: name at least two, separated by commas"
    if len(systems) > MOST_SYSTEMS:
        return f"systems: at most {MOST_SYSTEMS}"
    for name in systems:
        if fault := name_fault(name):
            return f"systems: a name {fault}"
        if len(name) > LONGEST_SYSTEM:
            return f"systems: a name may have at most {LONGEST_SYSTEM} characters"
    if len(set(systems)) != len(systems):
        return "systems: a name occurs twice"
    return None


def gold_set_named(name: str) -> GoldSet:
    """Return a gold set by name, or say which there are."""
    found = find_gold_set(name)
    if found is None:
        known = ", ".join(
            GoldSet.objects.order_by("name").values_list("name", flat=True)
        )
        raise NotFound(
            "gold_set_unknown",
            f"There is no gold set {name!r}; there are: {known or 'none yet'}.",
        )
    return found


def find_gold_set(name: str) -> GoldSet | None:
    """Return a gold set by name, if there is one."""
    # What is no name at all may be text that a database refuses to look for.
    return GoldSet.objects.filter(name=name).first() if SLUG.fullmatch(name) else None


def systems_for(plan: SetPlan) -> tuple[str, ...]:
    """The systems, in order, of the set that there is or else of the plan."""
    found = find_gold_set(plan.name)
    if found is None:
        _refuse_problem(plan)
        return tuple(plan.systems)
    names = found.system_names()
    if plan.systems and tuple(plan.systems) != names:
        raise InvalidInput(
            "systems_differ",
            f"{plan.name} compares {', '.join(names)} in this order, not "
            f"{', '.join(plan.systems)}.",
        )
    return names


def set_for(
    plan: SetPlan, *, by: User | None, now: datetime, actor: str = ""
) -> GoldSet:
    """Return the set of this name, locked; make it where it is new.

    Call it in a transaction. Of two that make one set at once, the later waits for the
    earlier and then takes its set.
    """
    for _ in range(2):
        found = GoldSet.objects.select_for_update().filter(name=plan.name).first()
        if found is not None:
            set_families(found, plan.families, systems_for(plan))
            return found
        try:
            return create_gold_set(plan=plan, by=by, now=now, actor=actor)
        except Conflict:
            continue
    raise _name_taken(plan.name)


def _refuse_problem(plan: SetPlan) -> None:
    if (problem := plan.problem()) is not None:
        raise InvalidInput("gold_set_invalid", problem)


def _name_taken(name: str) -> Conflict:
    return Conflict("gold_set_exists", f"There is a gold set {name!r} already.")


@transaction.atomic
def create_gold_set(
    *, plan: SetPlan, by: User | None, now: datetime, actor: str = ""
) -> GoldSet:
    """Make a gold set with its systems in order: of a pair, the earlier is baseline."""
    _refuse_problem(plan)
    try:
        with transaction.atomic():
            gold_set = _insert(plan, by=by, now=now, actor=actor)
    except IntegrityError as error:
        raise _name_taken(plan.name) from error
    System.objects.bulk_create(
        System(
            gold_set=gold_set,
            name=name,
            position=position,
            aliases=list(plan.aliases.get(name, ())),
            family=plan.families.get(name, ""),
        )
        for position, name in enumerate(plan.systems, start=1)
    )
    return gold_set


def set_families(
    gold_set: GoldSet, families: Mapping[str, str], systems: Sequence[str]
) -> None:
    """Store the families of the systems that are named."""
    if (problem := families_problem(families, systems)) is not None:
        raise InvalidInput("gold_set_invalid", problem)
    for name, family in families.items():
        changed = System.objects.filter(gold_set=gold_set, name=name)
        changed.exclude(family=family).update(family=family)


def _insert(plan: SetPlan, *, by: User | None, now: datetime, actor: str) -> GoldSet:
    return GoldSet.objects.create(
        name=plan.name,
        title=plan.title,
        question=plan.question,
        labels_per_pair=plan.labels_per_pair,
        consensus_rule=plan.rule.value,
        primary_slice=plan.primary_slice,
        simulated=plan.simulated,
        created_at=now,
        created_by=by,
        actor=actor,
    )


@transaction.atomic
def add_guideline(
    *,
    gold_set: GoldSet,
    text: str,
    by: User | None,
    now: datetime,
    criteria: Sequence[Option] | None = None,
) -> Guideline:
    """Store a new version of the labelling guideline, unless it is the one in force.

    Without ``criteria`` those in force stay; an empty list drops them. Its number
    follows from a lock on the set, so that two leads at once make two.
    """
    if flaw := text_flaw(text):
        raise InvalidInput("guideline_invalid", f"text: {flaw}")
    if problem := list_problem(criteria or ()):
        raise InvalidInput("guideline_invalid", f"criteria: {problem}")
    GoldSet.objects.select_for_update().get(pk=gold_set.pk)
    current = Guideline.objects.in_force(gold_set.pk)
    if criteria is None:
        criteria = options_from(current.criteria) if current is not None else ()
    listed = [asdict(one) for one in criteria]
    # A version without criteria keeps the digest it always had.
    digest = text_digest(text) if not listed else digest_of([text, listed])
    if current is not None and current.digest == digest:
        return current
    return Guideline.objects.create(
        gold_set=gold_set,
        version=1 if current is None else current.version + 1,
        text=text,
        criteria=listed,
        digest=digest,
        created_at=now,
        created_by=by,
    )
