"""Panels over the API: frozen at once from frozen judges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.response import Response

from judging.api.common import JudgingView
from judging.api.judges import DRAFTED, TAGS, judge_data
from judging.api.kind_serializers import NewPanelSerializer
from judging.services.panels import freeze_panel

if TYPE_CHECKING:
    from rest_framework.request import Request


class PanelsView(JudgingView):
    """New panels."""

    @extend_schema(
        operation_id="panels_create",
        tags=TAGS,
        request=NewPanelSerializer,
        responses=DRAFTED,
    )
    def post(self, request: Request) -> Response:
        """Freeze a panel as the next version of a line."""
        sent = NewPanelSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        config = freeze_panel(
            name=sent.validated_data["name"],
            spec=sent.panel(),
            by=self.person,
            now=timezone.now(),
        )
        return Response(judge_data(config), status=status.HTTP_201_CREATED)
