"""One noun a file; this package gives them one place to be imported from."""

from __future__ import annotations

from calibration.models.looks import Look, LookWord
from calibration.models.reports import Report

__all__ = ["Look", "LookWord", "Report"]
