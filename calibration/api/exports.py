"""Labels, rulings and gold over the API: the same service as the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.views import APIView

from annotation.api.look_serializers import (
    DisclosingSerializer,
    LookRequestSerializer,
    viewer_of,
)
from annotation.api.serializers import ErrorSerializer
from annotation.domain.exports import ExportFormat
from annotation.services.exporting import Part
from calibration.presenters.downloads import streamed
from calibration.services.exports import ExportKind, ExportPlan, hand_out
from config.accounts.models import User
from config.accounts.permissions import api_role
from config.accounts.roles import READERS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import StreamingHttpResponse
    from rest_framework.renderers import BaseRenderer
    from rest_framework.request import Request

FORMATS = [form.value for form in ExportFormat]


class ExportQuerySerializer(DisclosingSerializer):
    """The query of an export."""

    part = serializers.ChoiceField(
        [part.value for part in Part],
        default=Part.DEV.value,
        help_text="`dev` is everything but held-out pairs; the others are a look.",
    )
    format = serializers.ChoiceField(
        FORMATS, required=False, help_text=f"`{ExportFormat.JSONL}` unless said."
    )
    file = serializers.ChoiceField(
        FORMATS, required=False, help_text="The older name of `format`."
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

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Both names say the same, where both are given."""
        said = {attrs.pop(name) for name in ("format", "file") if name in attrs}
        if len(said) > 1:
            raise serializers.ValidationError(
                {"format": ["It says something else than `file`."]}
            )
        return attrs | {"form": ExportFormat(*(said or {ExportFormat.JSONL}))}


FILE: dict[Any, Any] = {
    (200, "application/x-ndjson"): OpenApiTypes.STR,
    (200, "text/csv"): OpenApiTypes.STR,
    **dict.fromkeys((400, 403, 404, 409), ErrorSerializer),
}


class OneRenderer(DefaultContentNegotiation):
    """Leaves `format` to the query: it is the file's. Refusals are JSON as ever."""

    def select_renderer(
        self,
        request: Request,  # noqa: ARG002 - DRF's signature
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,  # noqa: ARG002
    ) -> tuple[BaseRenderer, str]:
        """Take the first, whatever the query or the Accept header say."""
        first = next(iter(renderers))
        return first, first.media_type


class ExportView(APIView):
    """A file of labels, rulings or gold."""

    content_negotiation_class = OneRenderer
    permission_classes = [api_role(*READERS)]
    # A HEAD request would write an exposure and show nothing.
    http_method_names = ["get", "post", "options"]

    @extend_schema(tags=["exports"], parameters=[ExportQuerySerializer], responses=FILE)
    def get(self, request: Request, name: str, kind: str) -> StreamingHttpResponse:
        """Stream the file; you are noted as knowing its pairs.

        They are never given to you to label or to rule on. Where labels of a closed
        round would be shown for the first time, 409 `would_disclose` names it: say so
        with `disclose`. Held-out rows are a look: 409 `look_needed` until you ask for
        it by POST.
        """
        return self._file(request, name, kind)

    @extend_schema(
        tags=["exports"],
        parameters=[ExportQuerySerializer],
        request=LookRequestSerializer,
        responses=FILE,
    )
    def post(self, request: Request, name: str, kind: str) -> StreamingHttpResponse:
        """Take a look at held-out rows, which is logged first, and stream the file."""
        return self._file(request, name, kind)

    def _file(self, request: Request, name: str, kind: str) -> StreamingHttpResponse:
        query = ExportQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        said = query.validated_data
        user = request.user
        assert isinstance(user, User)  # noqa: S101 - guaranteed by the permission
        plan = ExportPlan(
            gold_set=name,
            kind=ExportKind(kind),
            part=Part(said["part"]),
            form=said["form"],
            bom=said["bom"],
            names=said["names"],
            every_revision=said["every_revision"],
            version=said["version"],
        )
        viewer = viewer_of(request, user)
        return streamed(
            hand_out(
                plan=plan,
                viewer=viewer,
                now=timezone.now(),
                disclosing=said["disclose"],
            )
        )
