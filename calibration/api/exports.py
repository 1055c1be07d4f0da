"""Labels, rulings and gold over the API: the same service as the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.views import APIView

from annotation.domain.exports import ExportFormat
from annotation.services.exporting import Part
from annotation.services.held_out import Viewer
from calibration.presenters.downloads import streamed
from calibration.services.exports import ExportKind, ExportPlan, hand_out
from config.accounts.models import User
from config.accounts.permissions import api_role
from config.accounts.roles import READERS

if TYPE_CHECKING:
    from django.http import StreamingHttpResponse
    from rest_framework.request import Request


class ExportQuerySerializer(serializers.Serializer[object]):
    """The query of an export."""

    part = serializers.ChoiceField(
        [part.value for part in Part],
        default=Part.DEV.value,
        help_text="`dev` is everything but held-out pairs; the others are a look.",
    )
    file = serializers.ChoiceField(
        [form.value for form in ExportFormat], default=ExportFormat.JSONL.value
    )
    bom = serializers.BooleanField(default=False, help_text="For CSV in Excel.")
    names = serializers.BooleanField(
        default=False, help_text="Show who it was instead of a number."
    )
    every_revision = serializers.BooleanField(
        default=False, help_text="Of labels: not only the last revision of each."
    )
    version = serializers.IntegerField(
        required=False, default=None, min_value=1, help_text="Of gold; else the newest."
    )
    reason = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=2000,
        help_text="Why you look; needed once the budget of looks is used up.",
    )


class ExportView(APIView):
    """A file of labels, rulings or gold."""

    permission_classes = [api_role(*READERS)]
    # A HEAD request would spend a look and show nothing.
    http_method_names = ["get", "options"]

    @extend_schema(
        tags=["exports"],
        parameters=[ExportQuerySerializer],
        responses={
            (200, "application/x-ndjson"): OpenApiTypes.STR,
            (200, "text/csv"): OpenApiTypes.STR,
        },
    )
    def get(self, request: Request, name: str, kind: str) -> StreamingHttpResponse:
        """Stream the file; held-out rows are logged as a look first."""
        query = ExportQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        said = query.validated_data
        user = request.user
        assert isinstance(user, User)  # noqa: S101 - guaranteed by the permission
        plan = ExportPlan(
            gold_set=name,
            kind=ExportKind(kind),
            part=Part(said["part"]),
            form=ExportFormat(said["file"]),
            bom=said["bom"],
            names=said["names"],
            every_revision=said["every_revision"],
            version=said["version"],
        )
        viewer = Viewer(user=user, door="api", reason=said["reason"])
        return streamed(hand_out(plan=plan, viewer=viewer, now=timezone.now()))
