"""Reports as rows of a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.services.seals import any_seal
from calibration.presenters.cells import Cell, share
from calibration.services.overviews import dev_agreement

if TYPE_CHECKING:
    from collections.abc import Iterable

    from calibration.models import Report


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A report, and how it agrees on dev where that has pairs that count."""

    report: Report
    agreement: Cell | None


def report_rows(reports: Iterable[Report]) -> list[ReportRow]:
    """Rows that say nothing of held-out results."""
    sealed = any_seal()
    found = ((report, dev_agreement(report, sealed=sealed)) for report in reports)
    return [ReportRow(report, share(dev) if dev else None) for report, dev in found]
