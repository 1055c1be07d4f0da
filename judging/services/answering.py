"""Sending one request: whatever happens is an outcome that can be stored."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from judging.domain.exchange import unreadable
from judging.domain.ports import CallFailed

if TYPE_CHECKING:
    from judging.domain.ports import JudgeClient, JudgeRequest, RawReply

logger = logging.getLogger(__name__)


async def outcome_of(
    client: JudgeClient, request: JudgeRequest
) -> RawReply | CallFailed:
    """Ask, and give back what came; a fault of the client is this request's failure.

    The request may have been carried out and charged for, so it needs its row.
    """
    try:
        return await client.ask(request)
    except CallFailed as failed:
        return failed
    except Exception as error:
        logger.exception("A fault of the client")
        return unreadable(error, status=None, body="")
