"""Looks: every disclosure of held-out results is logged against its budget."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Max, Q, QuerySet

from annotation.domain.digests import digest_of
from annotation.domain.outcomes import Split
from annotation.models import GoldItem, GoldSet, Pair
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
        "comparison": None,
        "digest": report.digest,
        "looks": asdict(state),
    }


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a look is at: a report, or something else by name."""

    gold_set: GoldSet
    held_out: str
    subject: str
    report: Report | None = None
    what: str = ""


@transaction.atomic
def disclose(*, report: Report, viewer: Viewer, now: datetime) -> LooksState:
    """Log that held-out results of a report are being shown, and say how many were.

    The same person seeing the same report again learns nothing new and is not logged
    again. Past the budget a report that nobody has seen still opens, but only with a
    reason; without one this raises ``LooksSpent``.
    """
    gold_set = _locked(report.gold_version.gold_set_id)
    held_out = held_out_digest(report)
    if held_out is not None:
        _check_frozen(report)
        seen = _Seen(gold_set, held_out, report.digest, report=report)
        _log_once(seen, viewer, now)
        note_held_out_seen(gold_set_id=gold_set.pk, now=now)
    return LooksState(**_counts(report, held_out))


@transaction.atomic
def disclose_export(
    *, gold_set: GoldSet, what: str, state: str, viewer: Viewer, now: datetime
) -> None:
    """Log that held-out labels, rulings or gold are being handed out: a look as well.

    ``state`` is a digest of what they come to: as long as it is the same, the same
    person learns nothing new. The budget holds as in :func:`disclose`.
    """
    gold_set = _locked(gold_set.pk)
    pairs = Pair.objects.filter(
        gold_set=gold_set, case__split=Split.HELD_OUT.value
    ).order_by("digest")
    held_out = digest_of(list(pairs.values_list("digest", flat=True)))
    _log_once(_Seen(gold_set, held_out, state, what=what), viewer, now)
    note_held_out_seen(gold_set_id=gold_set.pk, now=now)


def _locked(gold_set_id: int) -> GoldSet:
    # Held for the numbering: two looks at once must not take the same number.
    return GoldSet.objects.select_for_update().get(pk=gold_set_id)


def _log_once(seen: _Seen, viewer: Viewer, now: datetime) -> None:
    known = Look.objects.filter(
        Q(subject=seen.subject) | Q(report__digest=seen.subject)
    )
    if known.filter(looked_by=viewer.user, actor=viewer.actor).exists():
        return
    if not known.exists():
        _check_budget(seen, viewer)
    _log(seen, viewer, now)


def _check_frozen(report: Report) -> None:
    if report.run.config.frozen_at is None:
        raise Conflict(
            "judge_unfrozen", "Held-out results are shown for frozen judges only."
        )


def _check_budget(seen: _Seen, viewer: Viewer) -> None:
    used = len(_disclosed(seen.gold_set, seen.held_out))
    if used >= seen.gold_set.look_budget and not viewer.reason.strip():
        raise LooksSpent(
            "looks_spent",
            f"All {seen.gold_set.look_budget} looks at the held-out results of "
            f"{seen.gold_set.name} are used; a further one needs a reason.",
            {"n": used, "budget": seen.gold_set.look_budget},
        )


def _log(seen: _Seen, viewer: Viewer, now: datetime) -> None:
    mine = Look.objects.filter(gold_set=seen.gold_set)
    last = mine.aggregate(n=Max("number"))["n"]
    Look.objects.create(
        gold_set=seen.gold_set,
        number=(last or 0) + 1,
        report=seen.report,
        what=seen.what,
        subject=seen.subject,
        looked_at=now,
        looked_by=viewer.user,
        actor=viewer.actor,
        door=viewer.door,
        reason=viewer.reason.strip(),
        held_out_digest=seen.held_out,
    )


def looks_at(gold_set: GoldSet, held_out: str | None = None) -> QuerySet[Look]:
    """All looks at a set's held-out results, also those taken under another name.

    Importing the same pairs again as a new set does not bring the looks back.
    """
    own = Q(gold_set=gold_set)
    return Look.objects.filter(own | Q(held_out_digest=held_out) if held_out else own)


def looks_used(gold_set: GoldSet) -> int:
    """How many different results of a set were disclosed."""
    return len(_disclosed(gold_set, None))


def _disclosed(gold_set: GoldSet, held_out: str | None) -> list[str]:
    """Digests of what was shown, in the order of their first look."""
    looks = looks_at(gold_set, held_out).order_by("looked_at", "pk")
    seen = looks.values_list("subject", "report__digest")
    return list(dict.fromkeys(subject or report or "" for subject, report in seen))


def _counts(report: Report, held_out: str | None) -> dict[str, Any]:
    gold_set = report.gold_version.gold_set
    shown = _disclosed(gold_set, held_out)
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
