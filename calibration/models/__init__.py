"""One noun a file; this package gives them one place to be imported from."""

from __future__ import annotations

from calibration.models.alarms import (
    NoticeChannel,
    SentinelAcknowledgement,
    SentinelAlarm,
    SentinelNotice,
)
from calibration.models.audits import AuditExport
from calibration.models.decisions import Decision, ReviewRound
from calibration.models.looks import Look, LookWord
from calibration.models.policies import Policy
from calibration.models.reports import Report
from calibration.models.reviews import Disposition, Finding, ReportPair
from calibration.models.sentinels import (
    SentinelCheck,
    SentinelPair,
    SentinelPanel,
    SentinelPoint,
    SentinelSeries,
)
from calibration.models.swap_panels import SwapPanel
from calibration.models.waivers import (
    Waiver,
    WaiverConfirmation,
    WaiverRevocation,
)

__all__ = [
    "AuditExport",
    "Decision",
    "Disposition",
    "Finding",
    "Look",
    "LookWord",
    "NoticeChannel",
    "Policy",
    "Report",
    "ReportPair",
    "ReviewRound",
    "SentinelAcknowledgement",
    "SentinelAlarm",
    "SentinelCheck",
    "SentinelNotice",
    "SentinelPair",
    "SentinelPanel",
    "SentinelPoint",
    "SentinelSeries",
    "SwapPanel",
    "Waiver",
    "WaiverConfirmation",
    "WaiverRevocation",
]
