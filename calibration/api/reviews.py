"""Cases and disagreements over the API: the same services and looks as the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.look_serializers import LookReasonSerializer
from annotation.api.serializers import ErrorSerializer
from annotation.domain.outcomes import Split
from annotation.domain.texts import plain_text
from annotation.services.held_out import Viewer
from calibration.api import review_serializers as shapes
from calibration.models import Finding
from calibration.services.overviews import report_by_id
from calibration.services.report_cases import CaseFilter, cases, open_held_out
from calibration.services.reviewing import (
    Review,
    disagreements,
    dispose,
    record_seen,
    review,
)
from config.accounts.models import User
from config.accounts.permissions import api_role
from config.accounts.roles import READERS, Role
from config.api import NewestFirst
from judging.models import Reply

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request

    from calibration.models import Report, ReportPair

TAGS = ["disagreements"]
ERRORS = dict.fromkeys((400, 403, 404, 409), ErrorSerializer)


class InOrder(NewestFirst):
    """Disagreements in the order to walk them."""

    ordering = "rank"


class ByPair(NewestFirst):
    """Cases in the order of import."""

    ordering = "pair_id"


class ReviewView(APIView):
    """Something about the pairs of a report."""

    permission_classes = [api_role(*READERS)]

    @property
    def person(self) -> User:
        """The caller; the permission let only users in."""
        user = self.request.user
        assert isinstance(user, User)  # noqa: S101 - guaranteed by the permission
        return user

    def page(self, rows: QuerySet[ReportPair], pager: NewestFirst) -> Response:
        """A page of pairs, noted as seen by the caller."""
        found: list[ReportPair] = (
            pager.paginate_queryset(rows, self.request, view=self) or []
        )
        seen = [row.pair_id for row in found]
        record_seen(user=self.person, pair_ids=seen, now=timezone.now())
        data = shapes.ReportPairSerializer(found, many=True).data
        return pager.get_paginated_response(data)

    def shown(self, report: Report, pair_id: int) -> Response:
        """One disagreement in full."""
        found = review(
            report=report, pair_id=pair_id, user=self.person, now=timezone.now()
        )
        return Response(shapes.ReviewSerializer(_data(report, found)).data)


class CasesView(ReviewView):
    """The pairs behind a figure."""

    pagination_class = ByPair

    @extend_schema(
        operation_id="reports_cases",
        tags=TAGS,
        parameters=[shapes.CasesQuerySerializer],
        responses={200: shapes.ReportPairSerializer(many=True), **ERRORS},
    )
    def get(self, request: Request, report_id: int) -> Response:
        """List pairs; held-out ones only in an open look."""
        query = shapes.CasesQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        wanted = CaseFilter(**query.validated_data)
        rows = cases(report_by_id(report_id), wanted, self.person)
        return self.page(rows.order_by(), ByPair())


class DisagreementsView(ReviewView):
    """The disagreements of a report."""

    pagination_class = InOrder

    @extend_schema(
        operation_id="reports_disagreements",
        tags=TAGS,
        parameters=[shapes.SplitQuerySerializer],
        responses={200: shapes.ReportPairSerializer(many=True), **ERRORS},
    )
    def get(self, request: Request, report_id: int) -> Response:
        """List them, worst slices first and flips first in each."""
        query = shapes.SplitQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        rows = disagreements(
            report_by_id(report_id),
            held_out=query.validated_data["split"] == Split.HELD_OUT.value,
            user=self.person,
        )
        return self.page(rows.order_by(), InOrder())


class OpenHeldOutView(ReviewView):
    """A look at held-out pairs one by one."""

    @extend_schema(
        operation_id="reports_open_held_out",
        tags=TAGS,
        request=LookReasonSerializer,
        responses={204: None, **ERRORS},
    )
    def post(self, request: Request, report_id: int) -> Response:
        """Take the look: logged, within the budget, refused while sealed."""
        sent = LookReasonSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        reason = sent.validated_data["look_reason"]
        open_held_out(
            report=report_by_id(report_id),
            viewer=Viewer(user=self.person, door="api", reason=reason),
            now=timezone.now(),
        )
        return Response(status=204)


class DisagreementView(ReviewView):
    """One disagreement."""

    @extend_schema(
        operation_id="reports_disagreement",
        tags=TAGS,
        responses={200: shapes.ReviewSerializer, **ERRORS},
    )
    def get(self, request: Request, report_id: int, pair_id: int) -> Response:
        """Give texts, labels, rulings, raw replies and findings."""
        del request
        return self.shown(report_by_id(report_id), pair_id)


class DispositionView(ReviewView):
    """What a disagreement was found to be."""

    permission_classes = [api_role(Role.LEAD)]

    @extend_schema(
        operation_id="reports_dispose",
        tags=TAGS,
        request=shapes.DispositionWishSerializer,
        responses={200: shapes.ReviewSerializer, **ERRORS},
    )
    def post(self, request: Request, report_id: int, pair_id: int) -> Response:
        """Note a finding; `gold_wrong` sends the pair to blind adjudication."""
        sent = shapes.DispositionWishSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        report = report_by_id(report_id)
        dispose(
            report=report,
            pair_id=pair_id,
            finding=Finding(sent.validated_data["finding"]),
            note=sent.validated_data["note"],
            by=self.person,
            now=timezone.now(),
        )
        return self.shown(report, pair_id)


def _data(report: Report, found: Review) -> dict[str, Any]:
    case, pair = found.pair.case, found.pair
    replies = Reply.objects.filter(call__run=report.run_id, call__pair=pair)
    return {
        "row": found.row,
        "gold_source": found.gold.source,
        "prompt": plain_text(case.prompt),
        "context": plain_text(case.context) if case.context else None,
        "reference": plain_text(case.reference) if case.reference else None,
        "baseline": plain_text(pair.baseline.text),
        "candidate": plain_text(pair.candidate.text),
        "labels": found.labels,
        "rulings": found.rulings,
        "replies": replies.select_related("call").order_by(
            "call__order", "call__repeat"
        ),
        "findings": found.history,
        "place": found.place,
        "total": found.total,
        "previous": found.before,
        "next": found.after,
    }
