"""One noun a file; this package gives them one place to be imported from."""

from __future__ import annotations

from judging.models.batches import Batch, BatchPlan, BatchState
from judging.models.calls import Call, CallState
from judging.models.configs import ConfigKind, JudgeConfig, Retirement, Simulation
from judging.models.prices import Price
from judging.models.providers import Provider
from judging.models.replies import Attempt, Exchange, Reply
from judging.models.runs import (
    NEVER_REUSE,
    PanelSeat,
    Run,
    RunEvent,
    RunNote,
    RunPurpose,
    RunStatus,
)
from judging.models.shares import RunnerShare
from judging.models.silences import Silence

__all__ = [
    "NEVER_REUSE",
    "Attempt",
    "Batch",
    "BatchPlan",
    "BatchState",
    "Call",
    "CallState",
    "ConfigKind",
    "Exchange",
    "JudgeConfig",
    "PanelSeat",
    "Price",
    "Provider",
    "Reply",
    "Retirement",
    "Run",
    "RunEvent",
    "RunNote",
    "RunPurpose",
    "RunStatus",
    "RunnerShare",
    "Silence",
    "Simulation",
]
