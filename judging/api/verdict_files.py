"""Importing verdicts of a judge that ran elsewhere over the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import NON_FIELD_ERRORS
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from annotation.api.imports import SentFile
from annotation.domain.readers.base import FileKind
from annotation.domain.readers.registry import READERS
from annotation.services import uploads
from annotation.services.importing import ImportRefused
from config.errors import InvalidInput
from judging.api.common import ERRORS, JudgingView
from judging.forms.verdict_files import STATED, VerdictsForm
from judging.services.verdict_files import commit_verdicts, look_at_verdicts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rest_framework.request import Request

    from judging.services.importing import ImportedVerdicts


class NewVerdictsSerializer(serializers.Serializer[object]):
    """Files, whose they are, and how the replies in them are read."""

    judge = serializers.SlugField(max_length=80)
    gold_set = serializers.SlugField(max_length=80)
    sent = serializers.ListField(child=SentFile())
    reader = serializers.ChoiceField(
        [n for n, each in READERS.items() if FileKind.VERDICTS in each.yields],
        default="evenhand",
    )
    verdict_format = serializers.CharField(
        help_text=f"A verdict format, or `{STATED}` to take the choices of the file."
    )
    format_options = serializers.CharField(default="", help_text="A JSON object.")
    combining_rule = serializers.CharField(default="agree_else_tie")
    answers = serializers.CharField(
        default="", help_text="Systems of the first and second answer, with a comma."
    )
    names = serializers.CharField(default="", help_text="`THEIRS=OURS`, one a line.")
    fields_map = serializers.CharField(
        default="", help_text="`OURS=THEIRS`, one a line."
    )
    values_map = serializers.CharField(
        default="", help_text="`WORD=first|second|tie|abstain`, one a line."
    )
    dry_run = serializers.BooleanField(default=False)


class VerdictsSerializer(serializers.Serializer[object]):
    """What an import of verdicts came to, or would come to."""

    run = serializers.IntegerField(
        allow_null=True,
        help_text="Null where it is not there yet: `dry_run` writes none.",
    )
    known = serializers.BooleanField(help_text="Whether it had been imported before.")
    calls = serializers.IntegerField()
    invalid = serializers.IntegerField(help_text="Without the sealed ones.")
    contradicting = serializers.IntegerField(
        help_text="Stated choices that the text contradicts, without sealed ones."
    )
    sealed = serializers.IntegerField(help_text="Replies about sealed pairs.")
    pairs_without = serializers.IntegerField(help_text="Pairs that were not judged.")
    missing = serializers.IntegerField(
        help_text="Replies of the judged pairs, in both orders and as often as any, "
        "that are not in the files; each counts as invalid."
    )


class VerdictFilesView(JudgingView):
    """Verdicts of a judge that ran elsewhere."""

    parser_classes = [MultiPartParser]

    @extend_schema(
        operation_id="runs_import",
        tags=["runs"],
        request={"multipart/form-data": NewVerdictsSerializer},
        responses={
            200: VerdictsSerializer,
            201: VerdictsSerializer,
            **ERRORS,
        },
    )
    def post(self, request: Request) -> Response:
        """Import them as a finished run: all, or nothing; or say what would come of it.

        Files that were imported already give the run they became.
        """
        usual = {"reader": "evenhand", "combining_rule": "agree_else_tie"}
        form = VerdictsForm({**usual, **request.POST.dict()}, request.FILES)
        given, now = _checked(form, request), timezone.now()
        plan = form.plan()
        plan.files.intake(())  # what was said about the files must be readable
        dry = NewVerdictsSerializer(data=request.data, partial=True)
        dry.is_valid(raise_exception=True)
        upload = uploads.keep_upload(
            files=[(file.name, file.chunks()) for file in given["sent"]],
            plan=plan.stored(),
            owner=self.person,
            now=now,
        )
        try:
            files = uploads.sources_of(upload)
            if dry.validated_data.get("dry_run"):
                look = look_at_verdicts(plan=plan, sources=files, now=now)
                if look.would_be is None:
                    found = look.preview
                    raise ImportRefused(found.errors, found.omitted)
                return Response(_plain(look.would_be, wrote=False))
            done = commit_verdicts(plan=plan, sources=files, by=self.person, now=now)
        finally:
            uploads.forget(upload)
        code = status.HTTP_200_OK if done.known else status.HTTP_201_CREATED
        return Response(_plain(done, wrote=True), status=code)


def _checked(form: VerdictsForm, request: Request) -> Mapping[str, Any]:
    """What was sent; a refusal names the field as it is sent."""
    known = NewVerdictsSerializer().fields
    for name in (*request.POST, *request.FILES):
        if name not in known:
            raise _unfit(name, "there is no such field")
    for name, errors in form.errors.items():
        raise _unfit(name, " ".join(str(error) for error in errors))
    if not form.cleaned_data["sent"]:
        raise _unfit("sent", "choose at least one file")
    return form.cleaned_data


def _unfit(name: str, why: str) -> InvalidInput:
    if name == NON_FIELD_ERRORS:
        return InvalidInput("verdicts_invalid", why)
    return InvalidInput("verdicts_invalid", f"{name}: {why}", {"field": name})


def _plain(done: ImportedVerdicts, *, wrote: bool) -> dict[str, Any]:
    names = (
        "known", "calls", "invalid", "contradicting", "sealed", "pairs_without",
        "missing",
    )  # fmt: skip
    run = done.run.pk if wrote or done.known else None
    return {"run": run} | {name: getattr(done, name) for name in names}
