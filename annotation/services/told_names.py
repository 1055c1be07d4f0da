"""Warnings of system names in what every reviewer of a set reads, beside the pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain import told_names
from annotation.models import Guideline
from annotation.services.gold_sets import find_gold_set
from annotation.services.identity_flags import names_of

if TYPE_CHECKING:
    from annotation.models import GoldSet
    from annotation.services.gold_sets import SetPlan


def names_in_settings(gold_set: GoldSet) -> tuple[str, ...]:
    """What of the set's own texts names one of its systems, one sentence each."""
    texts = {
        "the title": gold_set.title,
        "the question": gold_set.question,
        "the list of critical errors": _labels(gold_set.critical_errors),
        "the list of ruling categories": _labels(gold_set.ruling_categories),
    }
    return told_names.told_names(texts, names_of(gold_set))


def names_in_guideline(gold_set: GoldSet) -> tuple[str, ...]:
    """What of the guideline in force names a system, one sentence each."""
    current = Guideline.objects.in_force(gold_set.pk)
    if current is None:
        return ()
    texts = {"the guideline": current.text, "the criteria": _labels(current.criteria)}
    return told_names.told_names(texts, names_of(gold_set))


def names_in_plan(plan: SetPlan) -> tuple[str, ...]:
    """As an import into this set would tell, before there is such a set or a change."""
    found = find_gold_set(plan.name)
    if found is not None:
        return names_told(found)
    texts = {"the title": plan.title, "the question": plan.question}
    return told_names.told_names(texts, plan.systems)


def names_before_round(gold_set: GoldSet, *, round_name: str) -> tuple[str, ...]:
    """All that the reviewers of a round would read of systems, beside the pairs."""
    texts = {"the round's name": round_name}
    return (
        *told_names.told_names(texts, names_of(gold_set)),
        *names_told(gold_set),
    )


def names_told(gold_set: GoldSet) -> tuple[str, ...]:
    """As for a round, where there is none yet."""
    return (*names_in_settings(gold_set), *names_in_guideline(gold_set))


def _labels(stored: list[dict[str, str]]) -> str:
    # A code is shown where a label lacks, and stands in what reviewers fetch.
    return "\n".join(f"{one['label']}\n{one['code']}" for one in stored)
