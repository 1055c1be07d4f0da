"""One noun a file; this package gives them one place to be imported from."""

from __future__ import annotations

from judging.models.configs import JudgeConfig
from judging.models.providers import Provider
from judging.models.replies import Attempt, Exchange, Reply
from judging.models.runs import Call, CallState, Run, RunStatus

__all__ = [
    "Attempt",
    "Call",
    "CallState",
    "Exchange",
    "JudgeConfig",
    "Provider",
    "Reply",
    "Run",
    "RunStatus",
]
