"""Looks at a sealed set: one word for all limits together, and nothing else.

Since "not passed" is all that is learnt before the first "passed", judges may be tuned
on it as often as was planned, and an unfit one still passes in at most 5 % of cases
(METHODS 3.13).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction

from annotation.domain.digests import digest_of
from annotation.models import GoldSet, LookMode
from annotation.services.held_out import note_held_out_seen
from annotation.services.look_plans import fix_plan, nothing_sealed, terms_of
from annotation.services.seals import seals_nothing
from calibration.domain.gates import (
    RATES,
    Count,
    all_pass,
    confidence_of,
    gate,
    limits_of,
)
from calibration.models import Look, LookWord
from calibration.services.look_counts import budget_of, looks_at
from calibration.services.looks import check_frozen, held_out_digest, next_number
from config.errors import Conflict, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from annotation.models import LookPlan
    from annotation.services.held_out import Viewer
    from annotation.services.look_plans import Terms
    from calibration.models import Report
    from config.accounts.models import User


@dataclass(frozen=True, slots=True)
class SealedLook:
    """The word, and how many of the planned looks are used."""

    word: LookWord
    n: int
    budget: int


def plan_looks(
    *,
    gold_set: GoldSet,
    mode: LookMode,
    budget: int,
    limits: Mapping[str, float],
    by: User | None,
    now: datetime,
) -> LookPlan:
    """Choose how held-out results may be looked at; limits are for sealed sets."""
    try:
        limits_of(limits)
    except ValueError as error:
        raise InvalidInput("limits_invalid", f"limits: {error}") from error
    if bool(limits) is not (mode is LookMode.SEALED):
        wanted = "at least one limit" if mode is LookMode.SEALED else "no limits"
        msg = f"limits: a set in {mode.value} mode has {wanted}"
        raise InvalidInput("limits_invalid", msg)
    return fix_plan(
        gold_set=gold_set, mode=mode, budget=budget, limits=limits, by=by, now=now
    )


@transaction.atomic
def look_sealed(*, report: Report, viewer: Viewer, now: datetime) -> SealedLook:
    """Say whether the judge keeps all limits; the same report has the same word.

    Refused once a judge has passed, once the planned looks are used (no reason opens
    more), for a set that is not sealed, and for a report without held-out pairs.
    """
    gold_set = GoldSet.objects.select_for_update().get(
        pk=report.gold_version.gold_set_id
    )
    terms = terms_of(gold_set)
    if not terms.sealed:
        raise Conflict(
            "not_sealed", f"{gold_set.name} is not sealed: open the report itself."
        )
    held_out = held_out_digest(report)
    if held_out is None and seals_nothing(gold_set):
        raise Conflict("nothing_held_out", nothing_sealed(gold_set))
    if held_out is None:
        raise Conflict("no_held_out", "This report has no held-out pair.")
    check_frozen(report)
    subject = digest_of(["sealed", report.digest])
    told = list(looks_at(gold_set).exclude(word="").values_list("subject", "word"))
    words = dict(told)
    if subject in words:
        word = LookWord(words[subject])
        return SealedLook(word, len(words), budget_of(gold_set, terms))
    budget = budget_of(gold_set, terms)
    _refuse_ended(gold_set, list(words.values()), budget)
    word = _word(report, terms)
    Look.objects.create(
        gold_set=gold_set,
        number=next_number(gold_set),
        report=report,
        subject=subject,
        looked_at=now,
        looked_by=viewer.user,
        actor=viewer.actor,
        door=viewer.door,
        reason=viewer.reason.strip(),
        held_out_digest=held_out,
        config_digest=report.run.config.digest,
        word=word.value,
    )
    note_held_out_seen(gold_set_id=gold_set.pk, now=now)
    return SealedLook(word, len(words) + 1, budget)


def _refuse_ended(gold_set: GoldSet, words: list[str], budget: int) -> None:
    if LookWord.PASSED.value in words:
        raise Conflict(
            "looks_ended",
            f"A judge has passed on {gold_set.name}: that ends the looks. Unsealing "
            "shows everything.",
        )
    if len(words) >= budget:
        raise Conflict(
            "sealed_looks_spent",
            f"All {budget} planned looks at {gold_set.name} are used, and a "
            "sealed set has no more. Unsealing shows everything and uses the split up.",
            {"n": len(words), "budget": budget},
        )


def _word(report: Report, terms: Terms) -> LookWord:
    block = json.loads(report.payload)["splits"]["held_out"]
    confidence = confidence_of(terms.budget)
    gates = [
        gate(limit, _count(block, RATES[limit.name][0]), confidence)
        for limit in limits_of(terms.limits)
    ]
    return LookWord.PASSED if all_pass(gates) else LookWord.NOT_PASSED


def _count(block: dict[str, Any], path: str) -> Count:
    figure: Any = block
    for key in path.split("."):
        figure = figure[key]
    hits, cases = figure["numerator"] or 0, figure["denominator"] or 0
    return Count(hits, cases, figure.get("design_effect") or 1.0)
