"""Replies to the same request, given to an earlier run of the same judge.

Rule 22: same frozen config (by digest), same request (by hash), same repeat. A final
answer is copied, valid or not; what only says that the provider was away is asked
again. The copy names its original, and an original is never a copy itself.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from judging.domain.terms import InvalidReason
from judging.models import Reply
from judging.services.asker import note_subject

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from judging.models import Call

NOT_FINAL = (InvalidReason.PROVIDER_ERROR.value, InvalidReason.TIMEOUT.value)


def earlier_replies(
    *, digest: str, wanted: Iterable[tuple[str, int]], run_id: int | None = None
) -> dict[tuple[str, int], Reply]:
    """The earliest original reply for each (request hash, repeat) that has one.

    Replies of run ``run_id`` itself are left out.
    """
    wishes = set(wanted)
    rows = (
        Reply.objects.filter(
            request_hash__in={request_hash for request_hash, _ in wishes},
            reused_from__isnull=True,
            call__run__config__digest=digest,
            call__run__config__recorded=False,
        )
        .exclude(request_hash="")
        .exclude(call__run=run_id)
        .exclude(invalid_reason__in=NOT_FINAL)
        .select_related("call")
        .order_by("-pk")
    )
    found = {(reply.request_hash, reply.call.repeat): reply for reply in rows}
    return {wish: found[wish] for wish in wishes & found.keys()}


def can_reuse(*, digest: str, run_id: int) -> bool:
    """Whether another run of the same judge has any reply."""
    return (
        Reply.objects.filter(
            call__run__config__digest=digest, call__run__config__recorded=False
        )
        .exclude(call__run=run_id)
        .exists()
    )


def copied(original: Reply, call: Call, *, now: datetime) -> Reply:
    """The answer of a call, copied from the reply to the same request."""
    reply = copy(original)
    reply.pk = None
    reply._state.adding = True  # noqa: SLF001 - as Django's documentation copies rows
    reply.call_id = call.pk
    reply.answered_at = now
    reply.reused_from_id = original.pk
    note_subject(reply, call)
    return reply
