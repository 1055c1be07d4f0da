"""Reviewer quality and the checks of a set over the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from annotation.api import gold_data
from annotation.api import quality_serializers as shapes
from annotation.api.gold import ERRORS, GoldView
from annotation.api.look_serializers import LookRequestSerializer, viewer_of
from annotation.models import ExposureKind
from annotation.services.exposures import record_exposures
from annotation.services.hygiene import SetFindings, check_set, last_check
from annotation.services.quality import set_quality
from annotation.services.set_aside import lift, set_aside
from config.accounts.permissions import has_role
from config.accounts.roles import Role
from config.errors import NotFound

if TYPE_CHECKING:
    from rest_framework.request import Request


class QualityView(GoldView):
    """Figures on the reviewers of a set."""

    only_shows = True

    @extend_schema(
        operation_id="quality",
        tags=["gold"],
        parameters=[shapes.QualityQuerySerializer],
        responses={200: shapes.QualitySerializer, **ERRORS},
    )
    def get(self, request: Request, name: str) -> Response:
        """Give the figures without names, and times to leads alone.

        With held-out pairs (`held_out`, `all`) this is a look, which locks the splits:
        409 `look_needed` until you ask for it by POST.
        """
        del name
        return self._quality(request)

    @extend_schema(
        operation_id="quality_look",
        tags=["gold"],
        parameters=[shapes.QualityQuerySerializer],
        request=LookRequestSerializer,
        responses={200: shapes.QualitySerializer, **ERRORS},
    )
    def post(self, request: Request, name: str) -> Response:
        """Take a look at held-out pairs, and give the figures."""
        del name
        return self._quality(request)

    def _quality(self, request: Request) -> Response:
        query = shapes.QualityQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        said = query.validated_data
        found = set_quality(
            gold_set=self.gold_set,
            split=said["split"],
            viewer=viewer_of(request, self.person),
            now=timezone.now(),
        )
        times = has_role(self.person, Role.LEAD)
        return Response(gold_data.quality_data(found, times=times))


class ChecksView(GoldView):
    """The checks of a set."""

    @extend_schema(
        operation_id="checks_get",
        tags=["gold"],
        responses={200: shapes.ChecksSerializer, **ERRORS},
    )
    def get(self, request: Request, name: str) -> Response:
        """Give what the last run of the checks found."""
        del request, name
        found = last_check(self.gold_set)
        if found is None:
            raise NotFound("not_checked", "This set was not checked yet.")
        return self._reply(found)

    @extend_schema(
        operation_id="checks_run",
        tags=["gold"],
        request=None,
        responses={200: shapes.ChecksSerializer, **ERRORS},
    )
    def post(self, request: Request, name: str) -> Response:
        """Run the checks; 100,000 cases take about a minute."""
        del request, name
        return self._reply(
            check_set(gold_set=self.gold_set, by=self.person, now=timezone.now())
        )

    def _reply(self, found: SetFindings) -> Response:
        record_exposures(
            user=self.person,
            pair_ids=found.telling_pairs(),
            kind=ExposureKind.SYSTEMS,
            now=timezone.now(),
        )
        return Response(gold_data.checks_data(found))


class SetAsideView(GoldView):
    """Pairs that no new round takes."""

    @extend_schema(
        operation_id="set_aside",
        tags=["gold"],
        request=shapes.SetAsideSerializer,
        responses={200: shapes.CountSerializer, **ERRORS},
    )
    def post(self, request: Request, name: str) -> Response:
        """Set pairs aside."""
        del name
        sent = shapes.SetAsideSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        count = set_aside(
            gold_set=self.gold_set,
            pair_ids=sent.validated_data["pairs"],
            reason=sent.validated_data["reason"],
            note=sent.validated_data["note"],
            by=self.person,
            now=timezone.now(),
        )
        return Response({"count": count})


class LetInView(GoldView):
    """Pairs that new rounds take again."""

    @extend_schema(
        operation_id="let_in",
        tags=["gold"],
        request=shapes.LiftSerializer,
        responses={200: shapes.CountSerializer, **ERRORS},
    )
    def post(self, request: Request, name: str) -> Response:
        """Let pairs in again."""
        del name
        sent = shapes.LiftSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        count = lift(
            gold_set=self.gold_set,
            pair_ids=sent.validated_data["pairs"],
            by=self.person,
            now=timezone.now(),
        )
        return Response({"count": count})
