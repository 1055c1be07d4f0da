"""One noun a file; this package gives them one place to be imported from."""

from __future__ import annotations

from annotation.models.adjudications import Adjudication
from annotation.models.assignments import Assignment
from annotation.models.cases import Case, Pair, Response
from annotation.models.exposures import Exposure, ExposureKind
from annotation.models.gold_sets import GoldSet, System
from annotation.models.gold_versions import GoldItem, GoldVersion
from annotation.models.guidelines import Guideline
from annotation.models.labels import Label
from annotation.models.rounds import Round, RoundMember, Seat, Skip

__all__ = [
    "Adjudication",
    "Assignment",
    "Case",
    "Exposure",
    "ExposureKind",
    "GoldItem",
    "GoldSet",
    "GoldVersion",
    "Guideline",
    "Label",
    "Pair",
    "Response",
    "Round",
    "RoundMember",
    "Seat",
    "Skip",
    "System",
]
