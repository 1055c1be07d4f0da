"""Looks: every disclosure of held-out results is logged against its budget."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Max, Q, QuerySet

from annotation.domain.digests import digest_of
from annotation.domain.outcomes import Split
from annotation.models import GoldItem, GoldSet
from annotation.services.held_out import note_held_out_seen
from calibration.models import Look
from config.errors import Conflict

if TYPE_CHECKING:
    from datetime import datetime

    from calibration.models import Report
    from config.accounts.models import User


class LooksSpent(Conflict):
    """The budget is used up: a further look needs a reason."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a signed-in user, or whoever ran a command; and through which door."""

    user: User | None
    door: str
    actor: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LooksState:
    """How many different results were disclosed, of how many, and which one this is.

    ``this`` is None where the report speaks of no held-out pair, or was not shown.
    """

    n: int
    budget: int
    this: int | None
    over_budget: bool


def disclosed(*, report: Report, viewer: Viewer, now: datetime) -> dict[str, Any]:
    """The report as every door gives it out: payload, digest, and the looks so far."""
    state = disclose(report=report, viewer=viewer, now=now)
    payload: dict[str, Any] = json.loads(report.payload)
    return {**payload, "digest": report.digest, "looks": asdict(state)}


def without_held_out(report: Report) -> dict[str, Any]:
    """The part of a report that is no look: dev only, since `all` tells the rest."""
    payload: dict[str, Any] = json.loads(report.payload)
    state = LooksState(**_counts(report, held_out_digest(report)) | {"this": None})
    splits = {"dev": payload["splits"]["dev"], "held_out": None, "all": None}
    return {
        **payload,
        "splits": splits,
        "digest": report.digest,
        "looks": asdict(state),
    }


@transaction.atomic
def disclose(*, report: Report, viewer: Viewer, now: datetime) -> LooksState:
    """Log that held-out results of a report are being shown, and say how many were.

    The same person seeing the same report again learns nothing new and is not logged
    again. Past the budget a report that nobody has seen still opens, but only with a
    reason; without one this raises ``LooksSpent``.
    """
    # Held for the numbering: two looks at once must not take the same number.
    GoldSet.objects.select_for_update().get(pk=report.gold_version.gold_set_id)
    held_out = held_out_digest(report)
    if held_out is not None:
        _check_frozen(report)
        _log_once(report, viewer, held_out, now)
        note_held_out_seen(gold_set_id=report.gold_version.gold_set_id, now=now)
    return LooksState(**_counts(report, held_out))


def _log_once(report: Report, viewer: Viewer, held_out: str, now: datetime) -> None:
    known = Look.objects.filter(report__digest=report.digest)
    if known.filter(looked_by=viewer.user, actor=viewer.actor).exists():
        return
    if not known.exists():
        _check_budget(report, viewer, held_out)
    _log(report, viewer, held_out, now)


def _check_frozen(report: Report) -> None:
    if report.run.config.frozen_at is None:
        raise Conflict(
            "judge_unfrozen", "Held-out results are shown for frozen judges only."
        )


def _check_budget(report: Report, viewer: Viewer, held_out: str) -> None:
    gold_set = report.gold_version.gold_set
    used = len(_disclosed_reports(gold_set, held_out))
    if used >= gold_set.look_budget and not viewer.reason.strip():
        raise LooksSpent(
            "looks_spent",
            f"All {gold_set.look_budget} looks at the held-out results of "
            f"{gold_set.name} are used; a further one needs a reason.",
            {"n": used, "budget": gold_set.look_budget},
        )


def _log(report: Report, viewer: Viewer, held_out: str, now: datetime) -> None:
    gold_set_id = report.gold_version.gold_set_id
    last = Look.objects.filter(gold_set_id=gold_set_id).aggregate(n=Max("number"))["n"]
    Look.objects.create(
        gold_set_id=gold_set_id,
        number=(last or 0) + 1,
        report=report,
        looked_at=now,
        looked_by=viewer.user,
        actor=viewer.actor,
        door=viewer.door,
        reason=viewer.reason.strip(),
        held_out_digest=held_out,
    )


def looks_at(gold_set: GoldSet, held_out: str | None = None) -> QuerySet[Look]:
    """All looks at a set's held-out results, also those taken under another name.

    Importing the same pairs again as a new set does not bring the looks back.
    """
    own = Q(gold_set=gold_set)
    return Look.objects.filter(own | Q(held_out_digest=held_out) if held_out else own)


def looks_used(gold_set: GoldSet) -> int:
    """How many different results of a set were disclosed."""
    return len(_disclosed_reports(gold_set, None))


def _disclosed_reports(gold_set: GoldSet, held_out: str | None) -> list[str]:
    """Digests of the reports that were shown, in the order of their first look."""
    looks = looks_at(gold_set, held_out).order_by("looked_at", "pk")
    return list(dict.fromkeys(looks.values_list("report__digest", flat=True)))


def _counts(report: Report, held_out: str | None) -> dict[str, Any]:
    gold_set = report.gold_version.gold_set
    shown = _disclosed_reports(gold_set, held_out)
    counts_here = held_out is not None and report.digest in shown
    return {
        "n": len(shown),
        "budget": gold_set.look_budget,
        "this": shown.index(report.digest) + 1 if counts_here else None,
        "over_budget": len(shown) > gold_set.look_budget,
    }


def held_out_digest(report: Report) -> str | None:
    """Digest of the held-out pairs that a report speaks of; None if there are none."""
    items = GoldItem.objects.filter(
        version_id=report.gold_version_id,
        split=Split.HELD_OUT.value,
        pair__in=report.run.calls.values("pair"),
    )
    pairs = sorted(items.values_list("pair__digest", flat=True))
    return digest_of(pairs) if pairs else None
