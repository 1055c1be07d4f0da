"""A report as a file over the API: what the page's buttons give, and the same look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.views import APIView

from annotation.services.held_out import Viewer
from calibration.api.exports import OneRenderer
from calibration.api.serializers import ReasonSerializer
from calibration.presenters.page import standalone_html
from calibration.presenters.tables import report_csv
from calibration.services import looks, overviews
from config.accounts.models import User
from config.accounts.permissions import api_role
from config.accounts.roles import READERS

if TYPE_CHECKING:
    from rest_framework.request import Request


class _FileView(APIView):
    """What both forms share."""

    content_negotiation_class = OneRenderer
    permission_classes = [api_role(*READERS)]
    # A HEAD request would spend a look and show nothing.
    http_method_names = ["get", "options"]

    def disclosed(self, request: Request, report_id: int) -> dict[str, Any]:
        """The report as the person asking may see it; logs the look."""
        query = ReasonSerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        user = request.user
        assert isinstance(user, User)  # noqa: S101 - guaranteed by the permission
        viewer = Viewer(user=user, door="api", reason=query.validated_data["reason"])
        report = overviews.report_by_id(report_id)
        return looks.disclosed(report=report, viewer=viewer, now=timezone.now())


class ReportCsvView(_FileView):
    """A report as one table."""

    @extend_schema(
        tags=["reports"],
        parameters=[ReasonSerializer],
        responses={(200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request, report_id: int) -> HttpResponse:
        """Give every figure as a row; held-out figures are logged as a look."""
        text = b"".join(report_csv(self.disclosed(request, report_id)))
        return _file(text, "text/csv; charset=utf-8", f"report-{report_id}.csv")


class ReportHtmlView(_FileView):
    """A report as one page that needs no other file."""

    @extend_schema(
        tags=["reports"],
        parameters=[ReasonSerializer],
        responses={(200, "text/html"): OpenApiTypes.STR},
    )
    def get(self, request: Request, report_id: int) -> HttpResponse:
        """Give the report to keep or to print; held-out figures are a look."""
        text = standalone_html(self.disclosed(request, report_id)).encode()
        return _file(text, "text/html; charset=utf-8", f"report-{report_id}.html")


def _file(content: bytes, content_type: str, name: str) -> HttpResponse:
    reply = HttpResponse(content, content_type=content_type)
    reply["Content-Disposition"] = f'attachment; filename="{name}"'
    reply["Cache-Control"] = "no-store"
    return reply
