"""Marks of pointwise runs over the API: of responses that are held out nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from judging.api.common import ERRORS, JudgingView, note_seen
from judging.api.kind_serializers import MarksSerializer, SystemMarksSerializer
from judging.presenters.marks import (
    MARK_COLUMNS,
    mark_rows,
    open_responses,
    pairs_with,
)
from judging.presenters.runs import run_by_id
from judging.services.marks import marks_by_system

if TYPE_CHECKING:
    from rest_framework.request import Request

TAGS = ["runs"]


class MarksView(JudgingView):
    """The marks of a finished run, by response."""

    @extend_schema(
        operation_id="runs_marks",
        tags=TAGS,
        responses={200: MarksSerializer, **ERRORS},
    )
    def get(self, request: Request, run_id: int) -> Response:
        """Give the mark of each response that is held out nowhere."""
        del request
        run = run_by_id(run_id)
        shown = open_responses(run)
        rows = [
            dict(zip(MARK_COLUMNS, row, strict=True))
            for row in mark_rows(run, shown.ids)
        ]
        note_seen(self.person, pairs_with(run, shown.ids))
        data = {"run": run.pk, "hidden": shown.hidden, "marks": rows}
        return Response(MarksSerializer(data).data)


class SystemMarksView(JudgingView):
    """The marks of a finished run, by system."""

    @extend_schema(
        operation_id="runs_marks_by_system",
        tags=TAGS,
        responses={200: SystemMarksSerializer(many=True), **ERRORS},
    )
    def get(self, request: Request, run_id: int) -> Response:
        """Add up the marks of each system over what is held out nowhere."""
        del request
        run = run_by_id(run_id)
        found = marks_by_system(run, open_responses(run).ids)
        return Response(SystemMarksSerializer(found, many=True).data)
