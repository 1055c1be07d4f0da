"""What a lint reports."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """An ``error`` keeps a judge from being frozen; a ``warning`` does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with a judge: a stable code, the field, and the words."""

    code: str
    field: str
    message: str
    severity: Severity = Severity.ERROR
