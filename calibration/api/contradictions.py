"""Contradictions over the API: the same service and doors as the page."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.serializers import ErrorSerializer
from annotation.domain.outcomes import Split
from calibration.services.contradicting import contradictions_of
from calibration.services.overviews import report_by_id
from calibration.services.report_cases import OPEN
from config.accounts.models import User
from config.accounts.permissions import api_role
from config.accounts.roles import READERS

if TYPE_CHECKING:
    from rest_framework.request import Request

SPLITS = [OPEN, *(split.value for split in Split)]


class ContradictionsQuerySerializer(serializers.Serializer[Any]):
    """Which pairs."""

    split = serializers.ChoiceField(
        SPLITS, default=OPEN, help_text="`open` is all that is not held out."
    )


class OrdersSaidSerializer(serializers.Serializer[Any]):
    """Two systems: 1 is for the first, -1 for the second, 0 a tie."""

    first = serializers.CharField()
    second = serializers.CharField()
    there = serializers.IntegerField(help_text="With the first in the first slot.")
    back = serializers.IntegerField(help_text="With the second there.")


class ContradictionSerializer(serializers.Serializer[Any]):
    """One case whose verdicts fit no ranking."""

    case = serializers.CharField()
    pairs = serializers.ListField(child=serializers.CharField())
    tov = serializers.IntegerField()
    excess = serializers.IntegerField(help_text="TOV beyond its unsteady pairs.")
    unsteady = OrdersSaidSerializer(many=True)
    cycles = serializers.ListField(
        child=OrdersSaidSerializer(many=True), help_text="Triples that fit no ranking."
    )


class ContradictionsSerializer(serializers.Serializer[Any]):
    """The worst cases of a part of a report."""

    total = serializers.IntegerField(help_text="Cases; at most 200 are listed.")
    cases = ContradictionSerializer(many=True)


class ContradictionsView(APIView):
    """The cases on which a judge contradicts itself."""

    permission_classes = [api_role(*READERS)]

    @extend_schema(
        operation_id="reports_contradictions",
        tags=["disagreements"],
        parameters=[ContradictionsQuerySerializer],
        responses={
            200: ContradictionsSerializer,
            **dict.fromkeys((400, 403, 404, 409), ErrorSerializer),
        },
    )
    def get(self, request: Request, report_id: int) -> Response:
        """List them, worst first; held-out ones only in an open look."""
        query = ContradictionsQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        user = request.user
        assert isinstance(user, User)  # noqa: S101 - guaranteed by the permission
        found, total = contradictions_of(
            report=report_by_id(report_id),
            split=query.validated_data["split"],
            user=user,
            now=timezone.now(),
        )
        return Response({"total": total, "cases": [asdict(one) for one in found]})
