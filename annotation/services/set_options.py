"""What a lead may change of a gold set while it is in use."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from django.db import transaction

from annotation.domain.answers import Option, list_problem, options_from
from annotation.domain.fields import name_fault
from annotation.domain.ruling_categories import offered_categories
from annotation.domain.strict_json import text_flaw
from annotation.models import GoldSet, System
from annotation.services.gold_sets import (
    LONGEST_TITLE,
    MOST_LABELS,
    families_problem,
    set_families,
)
from annotation.services.identity_flags import names_digest, rescan
from config.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST_QUESTION = 2_000
LONGEST_ALIAS = 120
MOST_ALIASES = 20


@dataclass(frozen=True, slots=True)
class SetOptions:
    """The options of a set; ``aliases`` and ``families`` by system, of all systems."""

    title: str
    question: str
    labels_per_pair: int
    strength_wanted: bool
    critical_errors: tuple[Option, ...]
    ruling_categories: tuple[Option, ...]
    blind_first_ruling: bool
    aliases: Mapping[str, tuple[str, ...]]
    families: Mapping[str, str]

    def problem(self) -> str | None:
        """Why these can't be stored, as "field: reason", or None."""
        if not 1 <= self.labels_per_pair <= MOST_LABELS:
            return f"labels_per_pair: must be 1 to {MOST_LABELS}"
        for name, most in (("title", LONGEST_TITLE), ("question", LONGEST_QUESTION)):
            text = getattr(self, name)
            if len(text) > most:
                return f"{name}: at most {most} characters"
            if flaw := text_flaw(text):
                return f"{name}: {flaw}"
        return (
            self._lists_problem()
            or self._aliases_problem()
            or families_problem(self.families, list(self.aliases))
        )

    def _lists_problem(self) -> str | None:
        for name in ("critical_errors", "ruling_categories"):
            if problem := list_problem(getattr(self, name)):
                return f"{name}: {problem}"
        general = {one.code for one in offered_categories(())}
        taken = [one.code for one in self.ruling_categories if one.code in general]
        return f"ruling_categories: {taken[0]} is there anyway" if taken else None

    def _aliases_problem(self) -> str | None:
        for system, names in self.aliases.items():
            if len(names) > MOST_ALIASES:
                return f"aliases: at most {MOST_ALIASES} for {system}"
            for name in names:
                if len(name) > LONGEST_ALIAS:
                    return f"aliases: at most {LONGEST_ALIAS} characters each"
                if fault := name_fault(name):
                    return f"aliases: a name {fault}"
        return None


def options_of(gold_set: GoldSet) -> SetOptions:
    """The options of a set as they are."""
    systems = list(gold_set.systems.order_by("position"))
    return SetOptions(
        title=gold_set.title,
        question=gold_set.question,
        labels_per_pair=gold_set.labels_per_pair,
        strength_wanted=gold_set.strength_wanted,
        critical_errors=options_from(gold_set.critical_errors),
        ruling_categories=options_from(gold_set.ruling_categories),
        blind_first_ruling=gold_set.blind_first_ruling,
        aliases={system.name: tuple(system.aliases) for system in systems},
        families={system.name: system.family for system in systems},
    )


def set_options(*, gold_set: GoldSet, options: SetOptions) -> GoldSet:
    """Store the options of a set.

    Rounds that are open keep the labels per pair that they were opened with; what is
    asked beside the choice holds from the next pair on. Where aliases change, the
    responses are searched for all names again, and pairs flagged accordingly.
    """
    if (problem := options.problem()) is not None:
        raise InvalidInput("options_invalid", problem)
    before = names_digest(gold_set)
    found = _store(gold_set, options)
    if names_digest(found) != before:
        rescan(found)
    return found


@transaction.atomic
def _store(gold_set: GoldSet, options: SetOptions) -> GoldSet:
    found = GoldSet.objects.select_for_update().get(pk=gold_set.pk)
    found.title, found.question = options.title, options.question
    found.labels_per_pair = options.labels_per_pair
    found.strength_wanted = options.strength_wanted
    found.critical_errors = [asdict(one) for one in options.critical_errors]
    found.ruling_categories = [asdict(one) for one in options.ruling_categories]
    found.blind_first_ruling = options.blind_first_ruling
    found.save()
    for system in System.objects.filter(gold_set=found):
        wanted = list(options.aliases.get(system.name, system.aliases))
        if wanted != system.aliases:
            System.objects.filter(pk=system.pk).update(aliases=wanted)
    set_families(found, options.families, list(options.aliases))
    return found
