"""Looks over the API: the plan, the log, sealed looks and unsealing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.look_serializers import LookReasonSerializer
from annotation.api.serializers import ErrorSerializer
from annotation.models import LookMode
from annotation.services.gold_sets import gold_set_named
from annotation.services.held_out import Viewer
from annotation.services.look_plans import unseal
from calibration.api import look_serializers as shapes
from calibration.services.look_pages import look_log
from calibration.services.overviews import report_by_id
from calibration.services.sealed_looks import look_sealed, plan_looks
from config.accounts.models import User
from config.accounts.permissions import api_role
from config.accounts.roles import READERS, Role

if TYPE_CHECKING:
    from rest_framework.request import Request

TAGS = ["looks"]
ERRORS = dict.fromkeys((400, 403, 404, 409), ErrorSerializer)
LOG: dict[Any, Any] = {200: shapes.LookLogSerializer, **ERRORS}


class LookView(APIView):
    """What leads do about looks."""

    permission_classes = [api_role(Role.LEAD)]

    @property
    def person(self) -> User:
        """The caller; the permission let only users in."""
        user = self.request.user
        assert isinstance(user, User)  # noqa: S101 - guaranteed by the permission
        return user

    def log(self, name: str) -> Response:
        """The log as it is now."""
        return Response(shapes.LookLogSerializer(look_log(name)).data)


class LogView(LookView):
    """The looks at a set."""

    permission_classes = [api_role(*READERS)]

    @extend_schema(operation_id="looks", tags=TAGS, responses=LOG)
    def get(self, request: Request, name: str) -> Response:
        """Give the plan and every look, oldest first."""
        del request
        return self.log(name)


class PlanView(LookView):
    """How a set may be looked at."""

    @extend_schema(
        operation_id="looks_plan",
        tags=TAGS,
        request=shapes.PlanSerializer,
        responses=LOG,
    )
    def post(self, request: Request, name: str) -> Response:
        """Fix mode, number of looks and limits; refused after the first look."""
        sent = shapes.PlanSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        said = sent.validated_data
        plan_looks(
            gold_set=gold_set_named(name),
            mode=LookMode(said["mode"]),
            budget=said["budget"],
            limits=said["limits"],
            by=self.person,
            now=timezone.now(),
        )
        return self.log(name)


class UnsealView(LookView):
    """The end of a seal."""

    @extend_schema(
        operation_id="looks_unseal",
        tags=TAGS,
        request=shapes.UnsealSerializer,
        responses=LOG,
    )
    def post(self, request: Request, name: str) -> Response:
        """Unseal a set for good; its split measures no judge made afterwards."""
        sent = shapes.UnsealSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        unseal(
            gold_set=gold_set_named(name),
            reason=sent.validated_data["reason"],
            by=self.person,
            now=timezone.now(),
        )
        return self.log(name)


class SealedLookView(LookView):
    """A look at a sealed set."""

    @extend_schema(
        operation_id="reports_look",
        tags=TAGS,
        request=LookReasonSerializer,
        responses={200: shapes.SealedLookSerializer, **ERRORS},
    )
    def post(self, request: Request, report_id: int) -> Response:
        """Say whether the judge keeps all limits, and nothing else."""
        sent = LookReasonSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        why = sent.validated_data["look_reason"]
        viewer = Viewer(user=self.person, door="api", reason=why)
        found = look_sealed(
            report=report_by_id(report_id), viewer=viewer, now=timezone.now()
        )
        return Response(shapes.SealedLookSerializer(found).data)
