"""Judges over the API: draft, lint, freeze, copy, compare and retire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from annotation.api.serializers import ErrorSerializer
from judging.api import serializers
from judging.api.common import ERRORS, JudgingView
from judging.api.kind_serializers import TemplateQuerySerializer
from judging.domain.lint import may_freeze
from judging.models import JudgeConfig
from judging.presenters.judges import judge_version, judge_versions, state_of
from judging.services import editing
from judging.services.configuring import (
    draft_judge,
    findings_for,
    freeze_judge,
    refuse_twin,
)
from judging.services.drafting import default_spec_json

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request

    JudgesBase = ListAPIView[JudgeConfig]
else:
    JudgesBase = ListAPIView

DRAFTED = {201: serializers.JudgeSerializer, **ERRORS}
CHANGED = {200: serializers.JudgeSerializer, **ERRORS}
TAGS = ["judges"]


def judge_row(config: JudgeConfig) -> dict[str, Any]:
    """A judge as lists give it."""
    provider = config.provider
    return {
        "name": config.name,
        "version": config.version,
        "kind": config.kind,
        "state": state_of(config),
        "digest": config.digest,
        "provider": provider.alias if provider else None,
        "verdict_format": config.verdict_format,
        "recorded": config.recorded,
        "simulated": config.simulated,
        "created_at": config.created_at,
        "frozen_at": config.frozen_at,
    }


def judge_data(config: JudgeConfig) -> dict[str, Any]:
    """A judge in full."""
    return {**judge_row(config), "spec": config.spec}


class JudgesView(JudgingView, JudgesBase):
    """All versions of all judges, newest first, and new drafts."""

    serializer_class = serializers.JudgeRowSerializer

    def get_queryset(self) -> QuerySet[JudgeConfig]:
        """Every version, without its long texts."""
        return JudgeConfig.objects.for_pages().defer("spec")

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the judges, newest first."""
        del request, args, kwargs
        page = self.paginate_queryset(self.get_queryset())
        return self.get_paginated_response([judge_row(each) for each in page or ()])

    @extend_schema(
        operation_id="judges_create",
        tags=TAGS,
        request=serializers.NewJudgeSerializer,
        responses=DRAFTED,
    )
    def post(self, request: Request) -> Response:
        """Store a draft as the next version of a line."""
        sent = serializers.NewJudgeSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        config = draft_judge(
            name=sent.validated_data["name"],
            spec=sent.judge(),
            by=self.person,
            now=timezone.now(),
        )
        return Response(judge_data(config), status=status.HTTP_201_CREATED)


class VersionsView(JudgingView, JudgesBase):
    """The versions of one judge, newest first."""

    serializer_class = serializers.JudgeRowSerializer

    def get_queryset(self) -> QuerySet[JudgeConfig]:
        """Every version in the line of that name; raises ``NotFound`` for none."""
        return judge_versions(self.kwargs["name"])

    @extend_schema(
        operation_id="judges_versions",
        tags=TAGS,
        responses={
            200: serializers.JudgeRowSerializer(many=True),
            403: ErrorSerializer,
            404: ErrorSerializer,
        },
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the versions of a judge; `judges/NAME/VERSION/` has each in full."""
        return self.list(request, *args, **kwargs)

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Give one page of them."""
        del request, args, kwargs
        page = self.paginate_queryset(self.get_queryset())
        return self.get_paginated_response([judge_row(each) for each in page or ()])


class TemplateView(JudgingView):
    """What a new judge may start from."""

    @extend_schema(
        operation_id="judges_template",
        tags=TAGS,
        parameters=[TemplateQuerySerializer],
        responses={200: serializers.SpecSerializer, **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """Give a complete specification with the usual templates and limits."""
        asked = TemplateQuerySerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        return Response({"spec": default_spec_json(**asked.validated_data)})


class JudgeView(JudgingView):
    """One version of a judge."""

    @extend_schema(operation_id="judges_read", tags=TAGS, responses=CHANGED)
    def get(self, request: Request, name: str, version: int) -> Response:
        """Give a judge with everything that its digest is taken of."""
        del request
        return Response(judge_data(judge_version(name, version)))

    @extend_schema(
        operation_id="judges_edit",
        tags=TAGS,
        request=serializers.SpecSerializer,
        responses=CHANGED,
    )
    def put(self, request: Request, name: str, version: int) -> Response:
        """Replace the specification of a draft."""
        sent = serializers.SpecSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        config = editing.edit_draft(
            config=judge_version(name, version),
            spec=sent.judge(),
            by=self.person,
            now=timezone.now(),
        )
        return Response(judge_data(config))


class LintView(JudgingView):
    """The lint of one version."""

    @extend_schema(
        operation_id="judges_lint",
        tags=TAGS,
        responses={200: serializers.LintSerializer, **ERRORS},
    )
    def get(self, request: Request, name: str, version: int) -> Response:
        """Say everything that is wrong with a judge."""
        del request
        found = findings_for(judge_version(name, version))
        data = {"may_freeze": may_freeze(found), "findings": found}
        return Response(serializers.LintSerializer(data).data)


class FreezeView(JudgingView):
    """Freezing a draft."""

    @extend_schema(
        operation_id="judges_freeze", tags=TAGS, request=None, responses=CHANGED
    )
    def post(self, request: Request, name: str, version: int) -> Response:
        """Freeze a draft whose lint passes; nothing of it can change any more."""
        del request
        draft = judge_version(name, version)
        refuse_twin(draft)
        config = freeze_judge(config=draft, by=self.person, now=timezone.now())
        return Response(judge_data(config))


class CopyView(JudgingView):
    """Copying a judge."""

    @extend_schema(
        operation_id="judges_copy",
        tags=TAGS,
        request=serializers.CopySerializer,
        responses=DRAFTED,
    )
    def post(self, request: Request, name: str, version: int) -> Response:
        """Make a new draft like this judge."""
        sent = serializers.CopySerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        draft = editing.copy_to_draft(
            config=judge_version(name, version),
            by=self.person,
            now=timezone.now(),
            name=sent.validated_data.get("name"),
        )
        return Response(judge_data(draft), status=status.HTTP_201_CREATED)


class RetireView(JudgingView):
    """Taking a judge out of use."""

    @extend_schema(
        operation_id="judges_retire",
        tags=TAGS,
        request=serializers.RetireSerializer,
        responses=CHANGED,
    )
    def post(self, request: Request, name: str, version: int) -> Response:
        """Let no new run use a judge; its runs and reports stay."""
        sent = serializers.RetireSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        editing.retire(
            config=judge_version(name, version),
            by=self.person,
            now=timezone.now(),
            reason=sent.validated_data["reason"],
        )
        return Response(judge_data(judge_version(name, version)))


class DifferenceView(JudgingView):
    """What lies between two versions."""

    @extend_schema(
        operation_id="judges_difference",
        tags=TAGS,
        responses={200: serializers.DifferenceSerializer(many=True), **ERRORS},
    )
    def get(self, request: Request, name: str, old: int, new: int) -> Response:
        """List the parts of the specification that differ."""
        del request
        found = editing.differences(judge_version(name, old), judge_version(name, new))
        return Response(serializers.DifferenceSerializer(found, many=True).data)
