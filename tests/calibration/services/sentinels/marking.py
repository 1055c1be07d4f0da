"""Marks for a pointwise check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judging.models import Reply
from tests.annotation.factory import START
from tests.calibration.sentinels import done

if TYPE_CHECKING:
    from calibration.models import SentinelCheck


def mark(check: SentinelCheck, scores: dict[str, int | None], usual: int = 1) -> None:
    """Pass or fail every response, by its system where told; ``None`` is invalid."""
    for call in check.run.calls.select_related("response__system"):
        assert call.response is not None
        score = scores.get(call.response.system.name, usual)
        told: dict[str, Any] = {"invalid_reason": "unparsed"}
        if score is not None:
            told = {"score": score, "passed": bool(score)}
        Reply.objects.create(call=call, answered_at=START, **told)
    done(check)
