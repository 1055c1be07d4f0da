"""Rankings over the API: the same service and looks as the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.look_serializers import LookRequestSerializer, viewer_of
from annotation.api.serializers import ErrorSerializer
from calibration.api.serializers import EstimateSerializer, ObjectField
from calibration.services.ranking import RankedPart, rank_systems
from config.accounts.models import User
from config.accounts.permissions import api_role
from config.accounts.roles import READERS
from judging.presenters.runs import run_by_id

if TYPE_CHECKING:
    from rest_framework.request import Request

ERRORS: dict[Any, Any] = dict.fromkeys((400, 403, 404, 409), ErrorSerializer)


class RankingQuerySerializer(serializers.Serializer[Any]):
    """Over which pairs; `open` are all that are held out nowhere."""

    part = serializers.ChoiceField(
        choices=[part.value for part in RankedPart], default=RankedPart.OPEN.value
    )


class RankedSystemSerializer(serializers.Serializer[Any]):
    """One system, strongest first."""

    system = serializers.CharField()
    pairs = serializers.IntegerField()
    cases = serializers.IntegerField()
    wins = serializers.IntegerField()
    losses = serializers.IntegerField()
    ties = serializers.IntegerField()
    strength = EstimateSerializer(help_text="Log-odds; 0 is the average system.")
    preferred = EstimateSerializer(help_text="Over an average system, of the decided.")
    best = serializers.IntegerField(allow_null=True, help_text="Best rank left open.")
    worst = serializers.IntegerField(allow_null=True)


class RankedTwoSerializer(serializers.Serializer[Any]):
    """Two systems, the stronger first."""

    first = serializers.CharField()
    second = serializers.CharField()
    difference = EstimateSerializer()
    adjusted = serializers.FloatField(allow_null=True, help_text="p after Holm.")
    separable = serializers.BooleanField()


class RankedSerializer(serializers.Serializer[Any]):
    """One ranking, by verdicts or by gold."""

    systems = RankedSystemSerializer(many=True)
    versus = RankedTwoSerializer(many=True)
    groups = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="Systems that nothing here tells apart.",
    )
    pairs = serializers.IntegerField()
    cases = serializers.IntegerField()
    left_out = serializers.IntegerField()
    tie_parameter = serializers.FloatField(allow_null=True)
    resamples = serializers.IntegerField()
    dropped = serializers.IntegerField()
    undefined = serializers.CharField(allow_null=True)


class RankingSerializer(serializers.Serializer[Any]):
    """A ranking of a run's systems, schema `evenhand.ranking/1`."""

    schema = serializers.CharField()
    run = ObjectField(help_text="Number and purpose.")
    judge = ObjectField(help_text="Name, version, digest; whether simulated.")
    gold = ObjectField(help_text="Set, version and digest; null without gold.")
    part = serializers.ChoiceField(choices=[part.value for part in RankedPart])
    pairs = serializers.IntegerField()
    other_pairs = serializers.IntegerField()
    judged = RankedSerializer()
    by_gold = RankedSerializer(allow_null=True)
    coherence = ObjectField(help_text="IPI, TOV and excess of the judge.")
    bootstrap = ObjectField(help_text="Seed, resamples and numpy.")


TAGS = ["rankings"]
RANKING: dict[Any, Any] = {200: RankingSerializer, **ERRORS}


class RankingView(APIView):
    """The systems of a run."""

    permission_classes = [api_role(*READERS)]

    @extend_schema(
        operation_id="rank_systems",
        tags=TAGS,
        parameters=[RankingQuerySerializer],
        responses=RANKING,
    )
    def get(self, request: Request, run_id: int) -> Response:
        """Rank the systems that a run compared.

        On held-out pairs this is a look: 409 `look_needed` until you ask for it by
        POST.
        """
        return self._ranking(request, run_id)

    @extend_schema(
        operation_id="rank_systems_look",
        tags=TAGS,
        parameters=[RankingQuerySerializer],
        request=LookRequestSerializer,
        responses=RANKING,
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Take a look at held-out pairs, and give the ranking."""
        return self._ranking(request, run_id)

    def _ranking(self, request: Request, run_id: int) -> Response:
        query = RankingQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        user = request.user
        assert isinstance(user, User)  # noqa: S101 - guaranteed by the permission
        payload = rank_systems(
            run=run_by_id(run_id),
            part=RankedPart(query.validated_data["part"]),
            viewer=viewer_of(request, user),
            now=timezone.now(),
        )
        return Response(payload)
