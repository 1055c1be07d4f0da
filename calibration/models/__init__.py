"""One noun a file; this package gives them one place to be imported from."""

from __future__ import annotations

from calibration.models.audits import AuditExport
from calibration.models.looks import Look, LookWord
from calibration.models.reports import Report
from calibration.models.reviews import Disposition, Finding, ReportPair

__all__ = ["AuditExport", "Disposition", "Finding", "Look", "LookWord", "Report", "ReportPair"]
