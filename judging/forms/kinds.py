"""Which form a judge is drafted with, by its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judging.domain.pointwise import PointwiseSpec
from judging.forms.judges import JudgeForm, NamedJudgeForm, initial_of
from judging.forms.pointwise import (
    NamedPointwiseForm,
    PointwiseForm,
    pointwise_initial_of,
)

if TYPE_CHECKING:
    from django.http import QueryDict

    from judging.domain.kinds import AskedSpec

DraftForm = JudgeForm | PointwiseForm


def filled_form(spec: AskedSpec, *, named: bool = False) -> DraftForm:
    """The form that shows a judge; ``named`` asks for the name of its line too."""
    if isinstance(spec, PointwiseSpec):
        initial = pointwise_initial_of(spec)
        kind = NamedPointwiseForm if named else PointwiseForm
        return kind(initial=initial)
    return (NamedJudgeForm if named else JudgeForm)(initial=initial_of(spec))


def sent_form(data: QueryDict, *, pointwise: bool, named: bool = False) -> DraftForm:
    """The form that somebody sent."""
    if pointwise:
        return (NamedPointwiseForm if named else PointwiseForm)(data)
    return (NamedJudgeForm if named else JudgeForm)(data)
