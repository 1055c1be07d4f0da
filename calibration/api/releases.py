"""Release runs and decisions over the API: the same services and looks as the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from annotation.api.look_serializers import LookRequestSerializer, viewer_of
from annotation.domain.round_notes import shortfalls
from annotation.services.held_out import Viewer
from annotation.services.round_members import labeller_named
from annotation.services.round_planning import RoundPlan
from calibration.api import release_serializers as shapes
from calibration.api.readers import ERRORS, ReadersView
from calibration.models import Decision
from calibration.services.deciding import decide, decision_by_id, disclosed
from calibration.services.decision_reports import report_for
from calibration.services.overviews import report_by_id
from calibration.services.policies import policy_by_id
from calibration.services.releases import release, release_run, release_runs
from calibration.services.review_rounds import open_review
from config.api import NewestFirst

if TYPE_CHECKING:
    from rest_framework.request import Request

    from calibration.models import Report
    from judging.models import Run

TAGS = ["releases"]


class ReleasesView(ReadersView):
    """Runs that a release can be decided on."""

    pagination_class = NewestFirst

    @extend_schema(
        operation_id="releases_list",
        tags=TAGS,
        responses={200: shapes.ReleaseListSerializer(many=True), **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """List release runs, newest first."""
        pager = NewestFirst()
        found = pager.paginate_queryset(release_runs().order_by(), request, view=self)
        data = shapes.ReleaseListSerializer(found, many=True).data
        return pager.get_paginated_response(data)


class ReleaseView(ReadersView):
    """One release run."""

    looks = True

    @extend_schema(
        operation_id="releases_get",
        tags=TAGS,
        responses={200: shapes.ReleaseSerializer, **ERRORS},
    )
    def get(self, request: Request, run_id: int) -> Response:
        """Give what a run came to; where its pairs are held out, after a look."""
        return self._release(request, run_id)

    @extend_schema(
        operation_id="releases_look",
        tags=TAGS,
        request=LookRequestSerializer,
        responses={200: shapes.ReleaseSerializer, **ERRORS},
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Take the look, and give what the run came to."""
        return self._release(request, run_id)

    def _release(self, request: Request, run_id: int) -> Response:
        viewer = viewer_of(request, self.person)
        found = release(run=release_run(run_id), viewer=viewer, now=timezone.now())
        return Response(shapes.ReleaseSerializer(found).data)


class DecideView(ReadersView):
    """Deciding."""

    @extend_schema(
        operation_id="releases_decide",
        tags=TAGS,
        request=shapes.DecideSerializer,
        responses={200: shapes.DecisionSerializer, **ERRORS},
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Decide by a policy frozen before the run; a look at the judge's report."""
        sent = shapes.DecideSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        said, now = sent.validated_data, timezone.now()
        viewer = Viewer(user=self.person, door="api", reason=said["look_reason"])
        run = release_run(run_id)
        made = decide(
            run=run,
            policy=policy_by_id(said["policy"]),
            report=_report(said, run),
            viewer=viewer,
            now=now,
        )
        return Response(disclosed(decision=made, viewer=viewer, now=now))


def _report(said: dict[str, Any], run: Run) -> Report | None:
    """The report that was named, or none, or the newest where nothing was said."""
    if "report" not in said:
        return report_for(run)
    return None if said["report"] is None else report_by_id(said["report"])


class ReviewView(ReadersView):
    """Abstained pairs for people."""

    @extend_schema(
        operation_id="releases_review",
        tags=TAGS,
        request=shapes.ReviewWishSerializer,
        responses={201: shapes.ReviewRoundSerializer, **ERRORS},
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Open a round of the abstained pairs that a policy sends to people."""
        sent = shapes.ReviewWishSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        said = sent.validated_data
        made = open_review(
            run=release_run(run_id),
            policy=policy_by_id(said["policy"]),
            plan=RoundPlan(said["name"], said["labels_per_pair"]),
            reviewers=[labeller_named(name) for name in said["reviewers"]],
            by=self.person,
            now=timezone.now(),
        )
        told = {
            "round_id": made.round_id,
            "policy_id": made.policy_id,
            "pairs": made.pairs,
            "notes": shortfalls(made.round.selection),
        }
        return Response(shapes.ReviewRoundSerializer(told).data, status=201)


class DecisionsView(ReadersView):
    """All decisions."""

    pagination_class = NewestFirst

    @extend_schema(
        operation_id="decisions_list",
        tags=TAGS,
        parameters=[shapes.DecisionsQuerySerializer],
        responses={200: shapes.DecisionListSerializer(many=True), **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """List decisions, newest first: all, or those on one run."""
        query = shapes.DecisionsQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        pager = NewestFirst()
        rows: Any = Decision.objects.for_pages().order_by()
        if "run" in query.validated_data:
            rows = rows.filter(run=release_run(query.validated_data["run"]))
        found: Any = pager.paginate_queryset(rows, request, view=self)
        data = shapes.DecisionListSerializer(found, many=True).data
        return pager.get_paginated_response(data)


class DecisionView(ReadersView):
    """One decision."""

    looks = True

    @extend_schema(
        operation_id="decisions_get",
        tags=TAGS,
        responses={200: shapes.DecisionSerializer, **ERRORS},
    )
    def get(self, request: Request, decision_id: int) -> Response:
        """Give a decision in full, to whoever has looked at its held-out figures."""
        return self._decision(request, decision_id)

    @extend_schema(
        operation_id="decisions_look",
        tags=TAGS,
        request=LookRequestSerializer,
        responses={200: shapes.DecisionSerializer, **ERRORS},
    )
    def post(self, request: Request, decision_id: int) -> Response:
        """Take the look, and give the decision."""
        return self._decision(request, decision_id)

    def _decision(self, request: Request, decision_id: int) -> Response:
        found = disclosed(
            decision=decision_by_id(decision_id),
            viewer=viewer_of(request, self.person),
            now=timezone.now(),
        )
        return Response(found)
