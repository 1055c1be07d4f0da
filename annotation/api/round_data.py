"""Rounds as plain data, for those who lead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.api.doors import member_url, round_doors, round_url
from annotation.api.round_serializers import (
    LedRoundSerializer,
    PartSerializer,
    RepeatsSerializer,
)
from annotation.domain.intervals import SignTest
from annotation.domain.round_notes import shortfalls

if TYPE_CHECKING:
    from rest_framework.request import Request

    from annotation.models import Round
    from annotation.services.balance import Balance, BalanceRow
    from annotation.services.round_reports import MemberProgress, Part, RoundProgress


def round_data(round_: Round, request: Request) -> dict[str, object]:
    """A round as plain data; its seed stays secret."""
    data = {
        str(name): getattr(round_, str(name), None)
        for name in LedRoundSerializer().fields
    }
    return data | {
        "gold_set": round_.gold_set.name,
        "notes": list(shortfalls(round_.selection)),
        "url": round_url(request, round_.pk),
    }


def progress_data(found: RoundProgress, request: Request) -> dict[str, object]:
    """A round's progress as plain data."""
    pk = found.round.pk
    return {
        "round": round_data(found.round, request),
        "total": _part(found.total),
        "pairs": found.pairs,
        "complete": found.complete,
        "retests": dict(RepeatsSerializer(found.retests).data),
        "splits": [_part(part) for part in found.splits],
        "slices": [
            {"key": key, "values": [_part(part) for part in parts]}
            for key, parts in found.slices
        ],
        "members": [
            member_data(one)
            | {"url": member_url(request, pk, one.member.reviewer.get_username())}
            for one in found.members
        ],
        "doors": round_doors(request, pk, member=False, at_work=False),
    }


def _part(part: Part) -> dict[str, object]:
    return {str(name): getattr(part, str(name)) for name in PartSerializer().fields}


def member_data(one: MemberProgress) -> dict[str, object]:
    """A member as plain data."""
    member = one.member
    return {
        "username": member.reviewer.get_username(),
        "added_at": member.added_at,
        "removed_at": member.removed_at,
        "labels": one.labels,
        "retests": one.retests,
        "skips": one.skips,
        "holds": one.holds,
        "last_seen": one.last_seen,
        "blind": not one.warned.reads_all,
        "spoilt": one.warned.spoilt,
        "elsewhere": one.warned.elsewhere,
    }


def balance_data(found: Balance, request: Request) -> dict[str, object]:
    """The slot-balance report as plain data."""
    rows = [_balance_row(row) for row in found.rows()]
    return {"round": round_data(found.round, request), "rows": rows}


def _balance_row(row: BalanceRow) -> dict[str, object]:
    return {
        "kind": row.kind,
        "name": row.name,
        "baseline_first": row.counts.baseline_first,
        "candidate_first": row.counts.candidate_first,
        "difference": row.counts.difference,
        "p_value": row.test.p_value if isinstance(row.test, SignTest) else None,
        "adjusted": row.adjusted,
        "verdict": row.verdict,
    }
