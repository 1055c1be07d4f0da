"""Imports over the API: send files, read the preview, commit; as on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.domain.readers.base import FileKind
from annotation.domain.readers.registry import READERS
from annotation.services import uploads
from annotation.services.previewing import ImportPlan, Preview, commit, preview
from config.accounts.models import User
from config.accounts.permissions import api_role
from config.accounts.roles import Role
from config.api_index import DoorSerializer, doors_for

if TYPE_CHECKING:
    import uuid

    from rest_framework.request import Request

    from annotation.models import Upload

Words = serializers.ListField


class Names(serializers.ListField):
    """Names of systems: a field each, or one field with commas between them."""

    def to_internal_value(self, data: Any) -> list[str]:
        """Split at commas, as the commands and the page do; no name holds one."""
        given: list[str] = super().to_internal_value(data)
        parts = (part.strip() for text in given for part in text.split(","))
        return [part for part in parts if part]


@extend_schema_field(OpenApiTypes.BINARY)
class SentFile(serializers.FileField):
    """A file in a multipart body."""


class NewImportSerializer(serializers.Serializer[object]):
    """Files and what to do with them."""

    kind = serializers.ChoiceField([FileKind.PAIRS.value, FileKind.LABELS.value])
    gold_set = serializers.SlugField(max_length=80)
    # DRF moves declared fields out of the class, so nothing of its own is lost.
    source = serializers.ChoiceField(list(READERS), default="evenhand")  # type: ignore[assignment]  # see above
    files = serializers.ListField(child=SentFile())
    systems = Names(
        child=serializers.CharField(),
        default=list,
        help_text="Of a new set: one each time, or several with commas.",
    )
    title = serializers.CharField(default="", allow_blank=True, max_length=200)
    question = serializers.CharField(default="", allow_blank=True)
    labels_per_pair = serializers.IntegerField(default=3, min_value=1, max_value=5)
    primary_slice = serializers.CharField(default="", allow_blank=True, max_length=80)
    answers = Names(
        child=serializers.CharField(),
        default=list,
        help_text="Systems of the source's first and second answer.",
    )
    names = Words(
        child=serializers.CharField(), default=list, help_text="`THEIRS=OURS` each."
    )
    fields_map = Words(
        child=serializers.CharField(), default=list, help_text="`OURS=THEIRS` each."
    )
    values_map = Words(
        child=serializers.CharField(),
        default=list,
        help_text="`WORD=first|second|tie|abstain` each.",
    )

    def plan(self) -> ImportPlan:
        """The plan as the services take it."""
        said = self.validated_data
        return ImportPlan(
            kind=FileKind(said["kind"]),
            gold_set=said["gold_set"],
            reader=said["source"],
            systems=tuple(said["systems"]),
            title=said["title"],
            question=said["question"],
            labels_per_pair=said["labels_per_pair"],
            primary_slice=said["primary_slice"],
            answers=tuple(said["answers"]),
            names=tuple(said["names"]),
            fields=tuple(said["fields_map"]),
            values=tuple(said["values_map"]),
        )


class RowErrorSerializer(serializers.Serializer[object]):
    """What is wrong with a row."""

    line = serializers.CharField(help_text='"3", or "3 of b.jsonl" of several files.')
    field = serializers.CharField(allow_null=True)
    reason = serializers.CharField()


class PreviewSerializer(serializers.Serializer[object]):
    """What an import would do. With errors it can't be committed."""

    token = serializers.UUIDField()
    expires_at = serializers.DateTimeField()
    kind = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # see above
    gold_set = serializers.CharField()
    new_set = serializers.BooleanField()
    systems = serializers.ListField(child=serializers.CharField())
    mapping = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="Our field, and what it is taken from.",
    )
    found = serializers.IntegerField(help_text="Good rows.")
    fresh = serializers.IntegerField(help_text="New to the set; 0 with errors.")
    duplicates = serializers.IntegerField()
    columns = serializers.ListField(child=serializers.CharField())
    rows = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="The first rows, long texts cut.",
    )
    error_count = serializers.IntegerField()
    # DRF keeps declared fields apart, so `errors` of the class stays what it is.
    errors = RowErrorSerializer(many=True)  # type: ignore[assignment]  # see above
    notices = serializers.ListField(child=serializers.CharField())
    doors = DoorSerializer(many=True, help_text="What you can do with it.")


class ImportedSerializer(serializers.Serializer[object]):
    """What an import came to."""

    added = serializers.IntegerField()
    known = serializers.IntegerField()
    pairs = serializers.IntegerField()
    flags = serializers.DictField(child=serializers.IntegerField())
    notices = serializers.ListField(child=serializers.CharField())


class LeadView(APIView):
    """Something a lead does to imports."""

    permission_classes = [api_role(Role.LEAD)]

    @property
    def lead(self) -> User:
        """The caller; the permission let only users in."""
        user = self.request.user
        assert isinstance(user, User)  # noqa: S101 - guaranteed by the permission
        return user

    def upload(self, token: uuid.UUID) -> Upload:
        """The caller's own upload."""
        return uploads.upload_for(token=token, owner=self.lead, now=timezone.now())


class ImportsView(LeadView):
    """New imports."""

    parser_classes = [MultiPartParser]

    @extend_schema(
        operation_id="imports_create",
        tags=["imports"],
        request={"multipart/form-data": NewImportSerializer},
        responses={201: PreviewSerializer},
    )
    def post(self, request: Request) -> Response:
        """Keep files for some hours and say what importing them would do."""
        sent = NewImportSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        plan = sent.plan()
        plan.intake(())  # what was said about the files must be readable
        upload = uploads.keep_upload(
            files=[(file.name, file.chunks()) for file in sent.validated_data["files"]],
            plan=plan.stored(),
            owner=self.lead,
            now=timezone.now(),
        )
        return Response(_previewed(upload, request), status=status.HTTP_201_CREATED)


class ImportView(LeadView):
    """One import that was previewed."""

    @extend_schema(
        operation_id="imports_read",
        tags=["imports"],
        responses={200: PreviewSerializer},
    )
    def get(self, request: Request, token: uuid.UUID) -> Response:
        """Say again what it would do, against what the set holds now."""
        return Response(_previewed(self.upload(token), request))

    @extend_schema(
        operation_id="imports_delete", tags=["imports"], responses={204: None}
    )
    def delete(self, request: Request, token: uuid.UUID) -> Response:
        """Forget the files."""
        del request
        uploads.forget(self.upload(token))
        return Response(status=status.HTTP_204_NO_CONTENT)


class CommitView(LeadView):
    """Carrying an import out."""

    @extend_schema(
        operation_id="imports_commit",
        tags=["imports"],
        request=None,
        responses={200: ImportedSerializer},
    )
    def post(self, request: Request, token: uuid.UUID) -> Response:
        """Import what was previewed: all of it, or nothing."""
        del request
        upload = self.upload(token)
        done = commit(
            plan=ImportPlan.restored(upload.plan),
            sources=uploads.sources_of(upload),
            by=self.lead,
            now=timezone.now(),
        )
        uploads.forget(upload)
        return Response(ImportedSerializer(done).data)


def _previewed(upload: Upload, request: Request) -> dict[str, Any]:
    plan = ImportPlan.restored(upload.plan)
    found = preview(plan=plan, sources=uploads.sources_of(upload))
    return {
        "token": str(upload.token),
        "expires_at": upload.expires_at,
        **_plain(found),
        "doors": doors_for(request, "imports/<uuid:token>/", token=upload.token),
    }


def _plain(found: Preview) -> dict[str, Any]:
    names = (
        "kind", "source", "gold_set", "new_set", "systems", "mapping", "found", "fresh",
        "duplicates", "columns", "rows", "error_count", "notices",
    )  # fmt: skip
    errors = [
        {"line": str(error.line), "field": error.field, "reason": error.reason}
        for error in found.errors
    ]
    return {name: getattr(found, name) for name in names} | {"errors": errors}
