"""A report as a file over the API: what the page's buttons give, and the same look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.views import APIView

from annotation.api.look_serializers import LookRequestSerializer, viewer_of
from annotation.api.serializers import ErrorSerializer
from calibration.api.exports import OneRenderer
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
    http_method_names = ["get", "post", "options"]

    def disclosed(self, request: Request, report_id: int) -> dict[str, Any]:
        """The report as the person asking may see it; logs a look that they ask for."""
        user = request.user
        assert isinstance(user, User)  # noqa: S101 - guaranteed by the permission
        return looks.disclosed(
            report=overviews.report_by_id(report_id),
            viewer=viewer_of(request, user),
            now=timezone.now(),
        )


def _responses(content_type: str) -> dict[Any, Any]:
    refused = dict.fromkeys((400, 403, 404, 409), ErrorSerializer)
    return {(200, content_type): OpenApiTypes.STR, **refused}


class ReportCsvView(_FileView):
    """A report as one table."""

    @extend_schema(tags=["reports"], responses=_responses("text/csv"))
    def get(self, request: Request, report_id: int) -> HttpResponse:
        """Give every figure as a row; held-out figures once you have taken the look."""
        return self._table(request, report_id)

    @extend_schema(
        tags=["reports"],
        request=LookRequestSerializer,
        responses=_responses("text/csv"),
    )
    def post(self, request: Request, report_id: int) -> HttpResponse:
        """Take a look at held-out figures, which is logged, and give every figure."""
        return self._table(request, report_id)

    def _table(self, request: Request, report_id: int) -> HttpResponse:
        text = b"".join(report_csv(self.disclosed(request, report_id)))
        return _file(text, "text/csv; charset=utf-8", f"report-{report_id}.csv")


class ReportHtmlView(_FileView):
    """A report as one page that needs no other file."""

    @extend_schema(tags=["reports"], responses=_responses("text/html"))
    def get(self, request: Request, report_id: int) -> HttpResponse:
        """Give the report to keep or to print, once you have taken the look."""
        return self._page(request, report_id)

    @extend_schema(
        tags=["reports"],
        request=LookRequestSerializer,
        responses=_responses("text/html"),
    )
    def post(self, request: Request, report_id: int) -> HttpResponse:
        """Take a look at held-out figures, which is logged, and give the report."""
        return self._page(request, report_id)

    def _page(self, request: Request, report_id: int) -> HttpResponse:
        text = standalone_html(self.disclosed(request, report_id)).encode()
        return _file(text, "text/html; charset=utf-8", f"report-{report_id}.html")


def _file(content: bytes, content_type: str, name: str) -> HttpResponse:
    reply = HttpResponse(content, content_type=content_type)
    reply["Content-Disposition"] = f'attachment; filename="{name}"'
    reply["Cache-Control"] = "no-store"
    return reply
