"""One noun a file; this package gives them one place to be imported from."""

from __future__ import annotations

from annotation.models.adjudications import (
    Adjudication,
    RequestKind,
    RulingHold,
    RulingRequest,
)
from annotation.models.assignments import Assignment, Draft
from annotation.models.cases import Case, Pair, Response
from annotation.models.exposures import Exposure, ExposureKind
from annotation.models.gold_sets import GoldSet, System
from annotation.models.gold_versions import GoldItem, GoldVersion
from annotation.models.guidelines import Guideline, GuidelineSeen
from annotation.models.hearings import Hearing
from annotation.models.labels import Label
from annotation.models.look_plans import LookMode, LookPlan, Unsealing
from annotation.models.rounds import Round, RoundMember, Seat, Skip
from annotation.models.set_checks import SetAside, SetCheck
from annotation.models.split_assignments import SplitAssignment
from annotation.models.uploads import LabelImport, Upload

__all__ = [
    "Adjudication",
    "Assignment",
    "Case",
    "Draft",
    "Exposure",
    "ExposureKind",
    "GoldItem",
    "GoldSet",
    "GoldVersion",
    "Guideline",
    "GuidelineSeen",
    "Hearing",
    "Label",
    "LabelImport",
    "LookMode",
    "LookPlan",
    "Pair",
    "RequestKind",
    "Response",
    "Round",
    "RoundMember",
    "RulingHold",
    "RulingRequest",
    "Seat",
    "SetAside",
    "SetCheck",
    "Skip",
    "SplitAssignment",
    "System",
    "Unsealing",
    "Upload",
]
