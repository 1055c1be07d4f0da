"""The planner over the API; rounds are opened at their own address."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.serializers import ErrorSerializer
from annotation.services.gold_sets import gold_set_named
from calibration.api.serializers import ObjectField
from calibration.forms.planner import MOST_NEXT
from calibration.services.planning import (
    Questions,
    answers,
    known_shape,
    next_json,
    next_to_label,
    note_flips_seen,
)
from config.accounts.models import User
from config.accounts.permissions import api_role
from config.accounts.roles import Role

if TYPE_CHECKING:
    from rest_framework.request import Request

ERRORS = dict.fromkeys((400, 403, 404, 409), ErrorSerializer)


class PlanQuerySerializer(serializers.Serializer[Any]):
    """The questions; shares are between 0 and 1."""

    half_width = serializers.FloatField(required=False)
    rate = serializers.FloatField(required=False)
    limit = serializers.FloatField(required=False)
    true = serializers.FloatField(required=False)
    power = serializers.FloatField(required=False)
    looks = serializers.IntegerField(required=False, min_value=1, max_value=1000)
    class_share = serializers.FloatField(required=False)
    pairs_per_prompt = serializers.FloatField(
        required=False, help_text="Left out: the set's own."
    )
    correlation = serializers.FloatField(
        required=False, help_text="Left out: what the newest report found."
    )
    decisive = serializers.IntegerField(required=False, min_value=1, max_value=100_000)
    share = serializers.FloatField(required=False)
    difference = serializers.FloatField(
        required=False,
        help_text="Share that the better judge has right, less the other's.",
    )
    discordant = serializers.FloatField(
        required=False, help_text="Share of pairs that one judge alone has right."
    )
    gap = serializers.FloatField(
        required=False, help_text="A rate on dev less the same on held-out."
    )
    dev_rate = serializers.FloatField(required=False)
    held_out_share = serializers.FloatField(
        required=False, help_text="Of pairs with gold. Left out: 0.5."
    )
    judge = serializers.SlugField(
        required=False, default="", help_text="Whose flips and newest report count."
    )
    next = serializers.IntegerField(
        required=False, default=20, min_value=0, max_value=MOST_NEXT
    )

    def questions(self) -> Questions:
        """The questions as the service takes them."""
        names = {field.name for field in fields(Questions)}
        said = self.validated_data
        return Questions(**{name: said[name] for name in names & set(said)})


class SuggestionSerializer(serializers.Serializer[Any]):
    """A pair to label next."""

    name = serializers.CharField(help_text="How `case_ids` of a round takes it.")
    case = serializers.CharField()
    systems = serializers.ListField(child=serializers.CharField())
    reasons = serializers.ListField(child=serializers.CharField())
    slices = serializers.ListField(child=serializers.CharField())


class LabelPlanSerializer(serializers.Serializer[Any]):
    """The answers; each is null where it was not asked for."""

    known = ObjectField(help_text="What the newest gold of the set holds.")
    clustering = ObjectField(
        allow_null=True, help_text="The design effect used, and where it comes from."
    )
    half_width = ObjectField(allow_null=True)
    gate = ObjectField(allow_null=True)
    sign = ObjectField(allow_null=True)
    preference = ObjectField(allow_null=True)
    judges = ObjectField(
        allow_null=True, help_text="Two judges on the same gold (exact McNemar test)."
    )
    gap = ObjectField(allow_null=True, help_text="Dev against held-out.")
    next = SuggestionSerializer(many=True)


class PlannerView(APIView):
    """How many labels, and which."""

    permission_classes = [api_role(Role.LEAD)]

    @extend_schema(
        operation_id="plan_labels",
        tags=["planner"],
        parameters=[PlanQuerySerializer],
        responses={200: LabelPlanSerializer, **ERRORS},
    )
    def get(self, request: Request, name: str) -> Response:
        """Answer what is asked, and suggest pairs; pass their names to a new round."""
        gold_set = gold_set_named(name)
        query = PlanQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        said, user = query.validated_data, request.user
        assert isinstance(user, User)  # noqa: S101 - guaranteed by the permission
        plan = answers(query.questions(), gold_set=gold_set, judge=said["judge"])
        found = next_to_label(gold_set=name, judge=said["judge"])[: said["next"]]
        note_flips_seen(gold_set=gold_set, cases=found, user=user, now=timezone.now())
        known = asdict(known_shape(gold_set))
        return Response({"known": known, **plan, "next": next_json(gold_set, found)})
