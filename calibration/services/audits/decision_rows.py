"""What was decided, as rows of a bundle: policies, waivers, decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from calibration.models import Decision, Policy, Waiver
from calibration.services.audits.values import plain, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calibration.services.audits.scopes import Scope

    Rows = Iterator[dict[str, Any]]


def policies(scope: Scope) -> Rows:
    """The policies that decided, as they were frozen."""
    fields = {
        "policy": "pk",
        "created_by": "created_by__username",
        "frozen_by": "frozen_by__username",
    } | {
        name: name
        for name in (
            "name", "version", "document", "digest", "created_at", "frozen_at", "actor",
        )
    }  # fmt: skip
    found = Policy.objects.filter(decisions__in=scope.decisions).distinct()
    return rows_of(found.order_by("pk"), fields)


def waivers(scope: Scope) -> Rows:
    """Every waiver of the sets, with who confirmed and who revoked it."""
    fields = {
        "waiver": "pk",
        "gold_set": "gold_set__name",
        "asked_by": "asked_by__username",
        "confirmed_by": "confirmation__confirmed_by__username",
        "confirmed_at": "confirmation__confirmed_at",
        "revoked_by": "revocation__revoked_by__username",
        "revoked_at": "revocation__revoked_at",
        "revoked_because": "revocation__reason",
    } | {
        name: name
        for name in (
            "case_ids", "systems", "impact", "owner", "reason", "expires_at",
            "asked_at",
        )
    }  # fmt: skip
    found = Waiver.objects.filter(gold_set__in=scope.set_ids, asked_at__lte=scope.until)
    for row in rows_of(found.order_by("pk"), fields):
        yield row | _without_later(row, plain(scope.until))


def _without_later(row: dict[str, Any], until: str) -> dict[str, Any]:
    """Leave out what happened to a waiver after the bundle's time."""
    parts = {
        "confirmed_at": ("confirmed_at", "confirmed_by"),
        "revoked_at": ("revoked_at", "revoked_by", "revoked_because"),
    }
    late = [names for at, names in parts.items() if (row[at] or "") > until]
    return {name: None for names in late for name in names}


def decisions(scope: Scope) -> Rows:
    """Every decision; its evidence and its text lie in files of their own."""
    fields = {
        "decision": "pk",
        "run": "run_id",
        "policy": "policy_id",
        "report": "report_id",
        "decided_by": "decided_by__username",
    } | {
        name: name
        for name in ("result", "evidence_digest", "digest", "decided_at", "actor")
    }
    found = Decision.objects.filter(pk__in=scope.decisions)
    return rows_of(found.order_by("pk"), fields)
