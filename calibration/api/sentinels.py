"""Sentinels over the API: the same services as the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from calibration.api import sentinel_serializers as shapes
from calibration.api.readers import ERRORS, ReadersView
from calibration.services.sentinels.acknowledging import (
    acknowledge_alarm,
    alarm_by_id,
)
from calibration.services.sentinels.checking import start_checks
from calibration.services.sentinels.defining import (
    define_sentinel,
    end_sentinel,
    sentinel_named,
)
from calibration.services.sentinels.reading import sentinel_view, sentinels
from calibration.services.sentinels.tending import settle_sentinels
from config.api import NewestFirst
from judging.services.panels import runs_behind
from judging.tasks import ring

if TYPE_CHECKING:
    from rest_framework.request import Request

TAGS = ["sentinels"]
PANEL = {200: shapes.SentinelSerializer, **ERRORS}


class SentinelsView(ReadersView):
    """All panels."""

    pagination_class = NewestFirst

    @extend_schema(
        operation_id="sentinels_list",
        tags=TAGS,
        responses={200: shapes.SentinelSerializer(many=True), **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """List panels, newest first."""
        pager = NewestFirst()
        found = pager.paginate_queryset(sentinels().order_by(), request, view=self)
        data = shapes.SentinelSerializer(found, many=True).data
        return pager.get_paginated_response(data)

    @extend_schema(
        operation_id="sentinels_define",
        tags=TAGS,
        request=shapes.SentinelPlanSerializer,
        responses={201: shapes.SentinelSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        """Fix the pairs of a panel, and cut them into parts."""
        sent = shapes.SentinelPlanSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        panel = define_sentinel(plan=sent.plan(), by=self.person, now=timezone.now())
        return Response(shapes.SentinelSerializer(panel).data, status=201)


class SentinelView(ReadersView):
    """One panel."""

    @extend_schema(
        operation_id="sentinel",
        tags=TAGS,
        responses={200: shapes.SentinelViewSerializer, **ERRORS},
    )
    def get(self, request: Request, name: str) -> Response:
        """Give series, points, changes and alarms; what is seen is noted."""
        del request
        view = sentinel_view(name=name, user=self.person, now=timezone.now())
        return Response(shapes.SentinelViewSerializer(view).data)


class SentinelCheckView(ReadersView):
    """A check before its time."""

    @extend_schema(
        operation_id="sentinel_check",
        tags=TAGS,
        request=None,
        responses={200: shapes.SentinelCheckSerializer(many=True), **ERRORS},
    )
    def post(self, request: Request, name: str) -> Response:
        """Record what has finished, and start the next check of each judge."""
        del request
        panel, now = sentinel_named(name), timezone.now()
        settle_sentinels(now=now)
        started = start_checks(panel=panel, by=self.person, now=now, early=True)
        for one in started:
            for run in runs_behind(one.run):
                ring(run.pk)
        return Response(shapes.SentinelCheckSerializer(started, many=True).data)


class SentinelEndView(ReadersView):
    """The end of a panel."""

    @extend_schema(
        operation_id="sentinel_end", tags=TAGS, request=None, responses=PANEL
    )
    def post(self, request: Request, name: str) -> Response:
        """Run a panel no more; what it measured stays."""
        del request
        panel = end_sentinel(
            panel=sentinel_named(name), by=self.person, now=timezone.now()
        )
        return Response(shapes.SentinelSerializer(panel).data)


class AcknowledgeView(ReadersView):
    """Taking note of an alarm."""

    @extend_schema(
        operation_id="sentinel_acknowledge",
        tags=TAGS,
        request=shapes.AcknowledgeSerializer,
        responses={201: shapes.AcknowledgementSerializer, **ERRORS},
    )
    def post(self, request: Request, name: str, alarm_id: int) -> Response:
        """Take note of an alarm, once; the alarm stays listed."""
        sent = shapes.AcknowledgeSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        made = acknowledge_alarm(
            alarm=alarm_by_id(alarm_id, name),
            note=sent.validated_data["note"],
            by=self.person,
            now=timezone.now(),
        )
        return Response(shapes.AcknowledgementSerializer(made).data, status=201)
