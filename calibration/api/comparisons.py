"""Comparisons over the API: the same services and looks as the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.look_serializers import LookRequestSerializer, viewer_of
from annotation.api.serializers import ErrorSerializer
from calibration.api import comparison_serializers as shapes
from calibration.services.ablating import ablations_on
from calibration.services.compared_pairs import ComparedPart
from calibration.services.judge_comparison import judge_comparison
from calibration.services.overviews import report_by_id
from calibration.services.report_comparison import comparison_json, report_comparison
from config.accounts.models import User
from config.accounts.permissions import api_role
from config.accounts.roles import READERS

if TYPE_CHECKING:
    from rest_framework.request import Request

    from annotation.services.held_out import Viewer

TAGS = ["comparisons"]
ERRORS = dict.fromkeys((400, 403, 404, 409), ErrorSerializer)
JUDGES: dict[Any, Any] = {200: shapes.JudgeComparisonSerializer, **ERRORS}
ABLATIONS: dict[Any, Any] = {200: shapes.AblationsSerializer, **ERRORS}
REPORTS: dict[Any, Any] = {200: shapes.ReportComparisonSerializer, **ERRORS}


class ComparisonView(APIView):
    """Something that reads results."""

    permission_classes = [api_role(*READERS)]

    def viewer(self) -> Viewer:
        """Who asks; the permission let only users in."""
        user = self.request.user
        assert isinstance(user, User)  # noqa: S101 - guaranteed by the permission
        return viewer_of(self.request, user)


class JudgesView(ComparisonView):
    """Judges on one gold set."""

    @extend_schema(
        operation_id="compare_judges",
        tags=TAGS,
        parameters=[shapes.JudgesQuerySerializer],
        responses=JUDGES,
    )
    def get(self, request: Request, name: str) -> Response:
        """Compare judges.

        On held-out pairs this is a look at each: 409 `look_needed` until you ask for
        them by POST.
        """
        return self._compared(request, name)

    @extend_schema(
        operation_id="compare_judges_look",
        tags=TAGS,
        parameters=[shapes.JudgesQuerySerializer],
        request=LookRequestSerializer,
        responses=JUDGES,
    )
    def post(self, request: Request, name: str) -> Response:
        """Take a look at each judge on held-out pairs, and compare them."""
        return self._compared(request, name)

    def _compared(self, request: Request, name: str) -> Response:
        query = shapes.JudgesQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        payload = judge_comparison(
            gold_set=name,
            judges=query.validated_data["judge"],
            split=ComparedPart(query.validated_data["split"]),
            viewer=self.viewer(),
            now=timezone.now(),
        )
        return Response(payload)


class AblationsView(ComparisonView):
    """Judges that differ in one field."""

    @extend_schema(
        operation_id="ablations",
        tags=TAGS,
        parameters=[shapes.SplitQuerySerializer],
        responses=ABLATIONS,
    )
    def get(self, request: Request, name: str) -> Response:
        """Line judges up by field.

        On held-out pairs this is a look at each: 409 `look_needed` until you ask for
        them by POST.
        """
        return self._lined_up(request, name)

    @extend_schema(
        operation_id="ablations_look",
        tags=TAGS,
        parameters=[shapes.SplitQuerySerializer],
        request=LookRequestSerializer,
        responses=ABLATIONS,
    )
    def post(self, request: Request, name: str) -> Response:
        """Take a look at each judge on held-out pairs, and line them up."""
        return self._lined_up(request, name)

    def _lined_up(self, request: Request, name: str) -> Response:
        query = shapes.SplitQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        payload = ablations_on(
            gold_set=name,
            split=ComparedPart(query.validated_data["split"]),
            viewer=self.viewer(),
            now=timezone.now(),
        )
        return Response(payload)


class ReportsView(ComparisonView):
    """Two reports."""

    @extend_schema(
        operation_id="compare_reports",
        tags=TAGS,
        parameters=[shapes.ReportsQuerySerializer],
        responses=REPORTS,
    )
    def get(self, request: Request) -> Response:
        """Compare two reports; on dev alone until you took the looks at both."""
        return self._compared(request)

    @extend_schema(
        operation_id="compare_reports_look",
        tags=TAGS,
        parameters=[shapes.ReportsQuerySerializer],
        request=LookRequestSerializer,
        responses=REPORTS,
    )
    def post(self, request: Request) -> Response:
        """Take the looks at both that held-out pairs need, and compare them."""
        return self._compared(request)

    def _compared(self, request: Request) -> Response:
        query = shapes.ReportsQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        before, after = (
            report_by_id(query.validated_data[key]) for key in ("before", "after")
        )
        found = report_comparison(
            before=before, after=after, viewer=self.viewer(), now=timezone.now()
        )
        return Response(comparison_json(found, before=before, after=after))
