"""Starting release runs over the API: the same services as the page and the command."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from annotation.services.gold_sets import gold_set_named
from calibration.api import release_serializers as shapes
from calibration.api.readers import ERRORS, ReadersView
from calibration.services.release_starts import (
    ReleaseWish,
    asked_for,
    estimate_release,
    start_release,
)
from calibration.services.swap_panels import LONGEST_SEED
from judging.api.run_serializers import BudgetSerializer, RunEstimateSerializer
from judging.models import RunPurpose
from judging.services.panels import runs_behind
from judging.services.run_options import RunOptions
from judging.services.starting import MOST_CONCURRENT, frozen_judge
from judging.tasks import ring

if TYPE_CHECKING:
    from rest_framework.request import Request

TAGS = ["releases"]
MOST_NAMES = 50


class ReleaseStartSerializer(BudgetSerializer):
    """A release run to start or to estimate."""

    judge = serializers.SlugField(max_length=80)
    judge_version = serializers.IntegerField(
        min_value=1, default=None, allow_null=True, help_text="The newest frozen one."
    )
    gold_set = serializers.SlugField(max_length=80)
    systems = serializers.ListField(
        child=serializers.CharField(max_length=200),
        default=list,
        max_length=2,
        help_text="Baseline and candidate, where the set compares more than two.",
    )
    share = serializers.FloatField(
        default=None, allow_null=True, help_text="Of the pairs; null for all of them."
    )
    seed = serializers.CharField(
        default="", allow_blank=True, max_length=LONGEST_SEED,
        help_text="Of the draw: needed with a share.",
    )  # fmt: skip
    slices = serializers.ListField(
        child=serializers.CharField(max_length=200),
        default=list,
        max_length=MOST_NAMES,
        help_text="Keys of slices that the draw is in proportion to.",
    )
    concurrency = serializers.IntegerField(
        min_value=1, max_value=MOST_CONCURRENT, default=8
    )
    reuse = serializers.BooleanField(default=True)
    batches = serializers.BooleanField(default=False)

    def wish(self) -> ReleaseWish:
        """What was sent; raises for an unknown judge or set, and for half a panel."""
        said = self.validated_data
        return ReleaseWish(
            config=frozen_judge(said["judge"], said["judge_version"]),
            gold_set=gold_set_named(said["gold_set"]),
            panel=asked_for(said["share"], said["seed"], said["slices"]),
            systems=tuple(said["systems"]),
            options=RunOptions(
                purpose=RunPurpose.RELEASE,
                reuse=said["reuse"],
                batches=said["batches"],
                budget=self.budget(),
            ),
        )


def _sent(request: Request) -> ReleaseStartSerializer:
    sent = ReleaseStartSerializer(data=request.data)
    sent.is_valid(raise_exception=True)
    return sent


class EstimateView(ReadersView):
    """A dry run."""

    @extend_schema(
        operation_id="releases_estimate",
        tags=TAGS,
        request=ReleaseStartSerializer,
        responses={200: RunEstimateSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        """Say what a release run would ask, reuse and cost; nothing is asked."""
        found, seats = estimate_release(_sent(request).wish(), now=timezone.now())
        whole: dict[str, Any] = {**asdict(found), "members": seats}
        return Response(RunEstimateSerializer(whole).data)


class StartView(ReadersView):
    """A new release run."""

    @extend_schema(
        operation_id="releases_start",
        tags=TAGS,
        request=ReleaseStartSerializer,
        responses={201: shapes.ReleaseListSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        """Start a release run over all pairs, two systems, or a drawn panel."""
        sent = _sent(request)
        run = start_release(
            sent.wish(),
            concurrency=sent.validated_data["concurrency"],
            by=self.person,
            now=timezone.now(),
        )
        for each in runs_behind(run):
            ring(each.pk)
        return Response(shapes.ReleaseListSerializer(run).data, status=201)
