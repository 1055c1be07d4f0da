"""Audit bundles and the activity log over the API: the same services as the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.look_serializers import (
    DisclosingSerializer,
    LookReasonSerializer,
    LookRequestSerializer,
    viewer_of,
)
from annotation.api.serializers import ErrorSerializer
from annotation.services.gold_sets import gold_set_named
from annotation.services.held_out import Viewer
from calibration.api.exports import OneRenderer
from calibration.models import AuditExport
from calibration.presenters.activity import KINDS, ActivityFilter, activity, lines
from calibration.presenters.downloads import streamed
from calibration.services.audits.exporting import export_audit, notes_document
from calibration.services.audits.scopes import Wanted
from config.accounts.models import User
from config.accounts.permissions import api_role
from config.accounts.roles import READERS
from config.api import NewestFirst

if TYPE_CHECKING:
    from django.http import StreamingHttpResponse
    from rest_framework.request import Request

TAGS = ["audit"]
ERRORS: dict[Any, Any] = dict.fromkeys((400, 403, 404, 409), ErrorSerializer)
MANIFEST_HEADER = "X-Evenhand-Manifest"
PAGE, LONGEST_PAGE = 50, 500


class BundleSerializer(DisclosingSerializer, LookReasonSerializer):
    """What a bundle is to be about: one of a gold set, a decision, a period."""

    gold_set = serializers.CharField(default="", allow_blank=True, max_length=80)
    decision = serializers.IntegerField(default=None, allow_null=True, min_value=1)
    since = serializers.DateTimeField(default=None, allow_null=True)
    to = serializers.DateTimeField(
        default=None, allow_null=True, help_text="Not in the period itself."
    )
    dev_only = serializers.BooleanField(
        default=False,
        help_text="A gold set's dev pairs alone: no look, also while it is sealed.",
    )


class AuditExportSerializer(serializers.ModelSerializer[AuditExport]):
    """One bundle that was handed out."""

    exported_by = serializers.CharField(
        source="exported_by.username", default=None, allow_null=True
    )

    class Meta:
        model = AuditExport
        fields = [
            "id", "scope", "left_out", "manifest_digest", "size", "rows",
            "exported_at", "exported_by", "actor", "door", "reason",
        ]  # fmt: skip


class ActivityQuerySerializer(serializers.Serializer[object]):
    """Which events are wanted."""

    kind = serializers.MultipleChoiceField(choices=KINDS, required=False)
    gold_set = serializers.CharField(default="", max_length=80)
    person = serializers.CharField(default="", max_length=150, help_text="User name.")
    since = serializers.DateTimeField(default=None)
    to = serializers.DateTimeField(default=None)
    page = serializers.IntegerField(default=1, min_value=1)
    page_size = serializers.IntegerField(
        default=PAGE, min_value=1, max_value=LONGEST_PAGE
    )


class ActivityLineSerializer(serializers.Serializer[object]):
    """One thing that somebody did."""

    at = serializers.DateTimeField()
    kind = serializers.CharField()
    did = serializers.CharField()
    who = serializers.CharField()
    what = serializers.CharField()
    gold_set = serializers.CharField()
    reason = serializers.CharField()


class ActivitySerializer(serializers.Serializer[object]):
    """A page of the log, newest first."""

    count = serializers.IntegerField()
    pages = serializers.IntegerField()
    results = ActivityLineSerializer(many=True)


def _person(request: Request) -> User:
    user = request.user
    assert isinstance(user, User)  # noqa: S101 - guaranteed by the permission
    return user


class BundlesView(ListAPIView[AuditExport]):
    """Bundles: those that were taken, and a new one."""

    permission_classes = [api_role(*READERS)]
    serializer_class = AuditExportSerializer
    pagination_class = NewestFirst
    queryset = AuditExport.objects.select_related("exported_by")
    content_negotiation_class = OneRenderer

    @extend_schema(operation_id="audit_exports", tags=TAGS)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the bundles taken so far, with the digests of their manifests."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="export_audit",
        tags=TAGS,
        request=BundleSerializer,
        responses={(200, "application/zip"): OpenApiTypes.BINARY, **ERRORS},
    )
    def post(self, request: Request) -> StreamingHttpResponse:
        """Make a bundle; held-out pairs among it are logged as a look first.

        Where it shows labels of a closed round for the first time, 409
        `would_disclose` names the round: say so with `disclose`.
        The header `X-Evenhand-Manifest` is the digest that `verify_audit --expect`
        takes.
        """
        sent = BundleSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        said = dict(sent.validated_data)
        why, who = said.pop("look_reason"), _person(request)
        viewer = Viewer(user=who, door="api", reason=why)
        disclosing = said.pop("disclose")
        bundle = export_audit(
            wanted=Wanted(**said),
            viewer=viewer,
            now=timezone.now(),
            disclosing=disclosing,
        )
        reply = streamed(bundle.download())
        reply[MANIFEST_HEADER] = bundle.export.manifest_digest
        return reply


class NotesQuerySerializer(DisclosingSerializer):
    """The form of the notes."""

    format = serializers.ChoiceField(["html", "csv"], default="html")


NOTES: dict[Any, Any] = {
    (200, "text/html"): OpenApiTypes.STR,
    (200, "text/csv"): OpenApiTypes.STR,
    **ERRORS,
}


class NotesView(APIView):
    """The adjudication notes of a set as one document."""

    content_negotiation_class = OneRenderer
    permission_classes = [api_role(*READERS)]
    # A HEAD request would show nothing and be noted as if it had.
    http_method_names = ["get", "post", "options"]

    @extend_schema(
        operation_id="export_notes",
        tags=TAGS,
        parameters=[NotesQuerySerializer],
        responses=NOTES,
    )
    def get(self, request: Request, name: str) -> StreamingHttpResponse:
        """Give who ruled what when and why, oldest first.

        With held-out pairs this is a look: 409 `look_needed` until you ask by POST.
        Where it shows labels of a closed round for the first time, 409
        `would_disclose` names the round: say so with `disclose`.
        """
        return self._notes(request, name)

    @extend_schema(
        operation_id="export_notes_look",
        tags=TAGS,
        parameters=[NotesQuerySerializer],
        request=LookRequestSerializer,
        responses=NOTES,
    )
    def post(self, request: Request, name: str) -> StreamingHttpResponse:
        """Take a look at held-out rulings, and give the notes."""
        return self._notes(request, name)

    def _notes(self, request: Request, name: str) -> StreamingHttpResponse:
        query = NotesQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        said = query.validated_data
        found = notes_document(
            gold_set=gold_set_named(name),
            form=said["format"],
            viewer=viewer_of(request, _person(request)),
            now=timezone.now(),
            disclosing=said["disclose"],
        )
        return streamed(found)


class ActivityView(APIView):
    """Who did what."""

    permission_classes = [api_role(*READERS)]

    @extend_schema(
        operation_id="activity",
        tags=TAGS,
        parameters=[
            ActivityQuerySerializer,
            OpenApiParameter("kind", str, many=True, enum=[kind for kind, _ in KINDS]),
        ],
        responses={200: ActivitySerializer, **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """Give what was done, newest first.

        Pairs that are held out, under a seal or being labelled now are not named.
        """
        query = ActivityQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        said = query.validated_data
        wanted = ActivityFilter(
            kinds=tuple(sorted(said.get("kind", ()))),
            gold_set=said["gold_set"],
            person=said["person"],
            since=said["since"],
            to=said["to"],
        )
        pages = Paginator(activity(wanted), said["page_size"])
        page = pages.get_page(said["page"])
        shape = {
            "count": pages.count,
            "pages": pages.num_pages,
            "results": lines(page),
        }
        return Response(ActivitySerializer(shape).data)
