"""Reports and runs over the API: the same services as the pages, the same looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.look_serializers import LookRequestSerializer, viewer_of
from annotation.api.serializers import ErrorSerializer
from calibration.api import serializers
from calibration.models import Report
from calibration.services import looks, overviews
from config.accounts.models import User
from config.accounts.permissions import api_role
from config.accounts.roles import READERS

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request

    from calibration.services.overviews import RunOverview

    ReportsBase = ListAPIView[Report]
else:
    ReportsBase = ListAPIView

Readers = api_role(*READERS)


@extend_schema(parameters=[serializers.FilterSerializer])
class ReportsView(ReportsBase):
    """Reports, newest first; reading the list is no look."""

    permission_classes = [Readers]
    serializer_class = serializers.ReportListSerializer
    queryset = Report.objects.none()

    def get_queryset(self) -> QuerySet[Report]:
        """All reports, or those of one gold set or judge."""
        query = serializers.FilterSerializer(data=self.request.query_params)
        query.is_valid(raise_exception=True)
        fields = {
            "gold_set": "gold_version__gold_set__name",
            "judge": "run__config__name",
        }
        chosen = {fields[key]: value for key, value in query.validated_data.items()}
        return overviews.reports().filter(**chosen)


REPORT: dict[Any, Any] = {
    200: serializers.ReportSerializer,
    **dict.fromkeys((400, 403, 404, 409), ErrorSerializer),
}


class ReportView(APIView):
    """One report in full."""

    permission_classes = [Readers]

    @extend_schema(responses=REPORT)
    def get(self, request: Request, report_id: int) -> Response:
        """Give a report.

        Where it has held-out pairs this is a look: 409 `look_needed` until you ask for
        it by POST.
        """
        return self._report(request, report_id)

    @extend_schema(request=LookRequestSerializer, responses=REPORT)
    def post(self, request: Request, report_id: int) -> Response:
        """Take a look at held-out pairs, which is logged, and give the report."""
        return self._report(request, report_id)

    def _report(self, request: Request, report_id: int) -> Response:
        user = request.user
        assert isinstance(user, User)  # noqa: S101 - guaranteed by the permission
        payload = looks.disclosed(
            report=overviews.report_by_id(report_id),
            viewer=viewer_of(request, user),
            now=timezone.now(),
        )
        return Response(payload)


class RunView(APIView):
    """One run."""

    permission_classes = [Readers]

    @extend_schema(responses=serializers.RunSerializer)
    def get(self, request: Request, run_id: int) -> Response:
        """Give the state of a run: calls and why some gave no outcome."""
        del request
        return Response(_run_data(overviews.run_overview(run_id)))


def _run_data(found: RunOverview) -> dict[str, Any]:
    run = found.run
    return {
        "id": run.pk,
        "gold_set": run.gold_set.name,
        "judge": run.config.name,
        "judge_version": run.config.version,
        "judge_digest": run.config.digest,
        "simulated": run.config.simulated,
        "status": run.status,
        "failure": run.failure,
        "notices": run.notices,
        "calls": found.total,
        "done": found.answered,
        "invalid": [{"reason": key, "calls": n} for key, n in found.invalid],
        "served_models": [
            {"model": model, "fingerprint": fingerprint, "calls": n}
            for model, fingerprint, n in found.served
        ],
        "reports": [report.pk for report in found.reports],
        "created_at": run.created_at,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
    }
