"""Runs over the API: estimate, start, watch, pause, resume, stop, and their calls."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from annotation.services.gold_sets import gold_set_named
from config.api import NewestFirst
from config.errors import Conflict
from judging.api import run_serializers as serializers
from judging.api.common import ERRORS, JudgingView, note_seen
from judging.api.run_rows import RunRowSerializer, RunsQuerySerializer
from judging.models import Call, Run, RunStatus
from judging.presenters.calls import CallFilter, open_calls
from judging.presenters.runs import live_run, run_by_id
from judging.services import controlling
from judging.services.admitting import refuse_start
from judging.services.estimating import estimate_run
from judging.services.panel_budgets import limit_run
from judging.services.panels import runs_behind
from judging.services.seats import seats_for
from judging.services.starting import frozen_judge, run_for
from judging.services.wishing import not_taken_up
from judging.tasks import ring

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request

    CallsBase = ListAPIView[Call]
    RunsBase = ListAPIView[Run]
else:
    CallsBase = RunsBase = ListAPIView

TAGS = ["runs"]
PROGRESS = {200: serializers.RunProgressSerializer, **ERRORS}


def ring_for(run: Run) -> None:
    """Tell workers that there is work, for a panel on its members' runs."""
    for each in runs_behind(run):
        ring(each.pk)


def progress_of(run: Run) -> dict[str, Any]:
    """How far a run is, as plain data."""
    live = live_run(run, now=timezone.now())
    return dict(serializers.RunProgressSerializer(live).data)


def _refuse_other_options(run: Run, sent: serializers.RunWishSerializer) -> None:
    others = not_taken_up(
        run,
        sent.options(),
        again=sent.validated_data["again"],
        concurrency=sent.concurrency_asked_for,
    )
    if others and run.status == RunStatus.DONE:
        raise Conflict(
            "run_complete",
            f"Run {run.pk} of this judge on this set is complete, and "
            f"{'; '.join(others)}. Ask for it as it is, or for a new one with `again`.",
        )
    if others:
        raise Conflict(
            "run_unfinished",
            f"Run {run.pk} of this judge on this set is unfinished, and "
            f"{'; '.join(others)}. Let it go on as it is, or stop it first.",
        )


@extend_schema_view(
    get=extend_schema(
        operation_id="runs_list", tags=TAGS, parameters=[RunsQuerySerializer]
    )
)
class RunsView(JudgingView, RunsBase):
    """All runs, newest first, and new ones."""

    serializer_class = RunRowSerializer
    queryset = Run.objects.none()

    def get_queryset(self) -> QuerySet[Run]:
        """All runs, or those of one gold set, judge or status."""
        query = RunsQuerySerializer(data=self.request.query_params)
        query.is_valid(raise_exception=True)
        return query.runs()

    @extend_schema(
        operation_id="runs_create",
        tags=TAGS,
        request=serializers.RunWishSerializer,
        responses={201: serializers.RunProgressSerializer, **PROGRESS},
    )
    def post(self, request: Request) -> Response:
        """Start a run; one that is unfinished or complete is given instead.

        Refused where there is one that was started with other options.
        """
        sent = serializers.RunWishSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        said, now = sent.validated_data, timezone.now()
        run = run_for(
            config=frozen_judge(said["judge"], said["judge_version"]),
            gold_set=gold_set_named(said["gold_set"]),
            concurrency=said["concurrency"],
            by=self.person,
            now=now,
            again=said["again"],
            options=sent.options(),
        )
        made = run.created_at == now
        if not made:
            _refuse_other_options(run, sent)
        ring_for(run)
        code = status.HTTP_201_CREATED if made else status.HTTP_200_OK
        return Response(progress_of(run), status=code)


class EstimateView(JudgingView):
    """A dry run."""

    @extend_schema(
        operation_id="runs_estimate",
        tags=TAGS,
        request=serializers.RunWishSerializer,
        responses={200: serializers.RunEstimateSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        """Say what a run would ask, reuse and cost; nothing is asked."""
        sent = serializers.RunWishSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        said, options = sent.validated_data, sent.options()
        config = frozen_judge(said["judge"], said["judge_version"])
        gold_set = gold_set_named(said["gold_set"])
        seats, now = seats_for(config, gold_set, options), timezone.now()
        refuse_start(config, gold_set, options, seats=seats, day=now.date())
        found = estimate_run(
            config=config,
            gold_set=gold_set,
            now=now,
            reuse=options.reuses,
            seats=seats,
        )
        whole = {**asdict(found), "members": seats}
        return Response(serializers.RunEstimateSerializer(whole).data)


class ProgressView(JudgingView):
    """How far a run is."""

    @extend_schema(operation_id="runs_progress", tags=TAGS, responses=PROGRESS)
    def get(self, request: Request, run_id: int) -> Response:
        """Count calls, tokens and cost; no outcome."""
        del request
        return Response(progress_of(run_by_id(run_id)))


class PauseView(JudgingView):
    """Pausing a run."""

    @extend_schema(
        operation_id="runs_pause", tags=TAGS, request=None, responses=PROGRESS
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Send nothing more for now."""
        del request
        run = controlling.pause(
            run=run_by_id(run_id), by=self.person, now=timezone.now()
        )
        return Response(progress_of(run))


class ResumeView(JudgingView):
    """Letting a run go on."""

    @extend_schema(
        operation_id="runs_resume", tags=TAGS, request=None, responses=PROGRESS
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Let a paused or failed run go on."""
        del request
        run = controlling.resume(
            run=run_by_id(run_id), by=self.person, now=timezone.now()
        )
        ring_for(run)
        return Response(progress_of(run))


class StopView(JudgingView):
    """Ending a run."""

    @extend_schema(
        operation_id="runs_stop",
        tags=TAGS,
        request=serializers.StopSerializer,
        responses=PROGRESS,
    )
    def post(self, request: Request, run_id: int) -> Response:
        """End a run for good; what was answered is kept."""
        sent = serializers.StopSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        run = controlling.stop(
            run=run_by_id(run_id),
            by=self.person,
            now=timezone.now(),
            reason=sent.validated_data["reason"],
        )
        return Response(progress_of(run))


class BudgetView(JudgingView):
    """What a run may spend."""

    @extend_schema(
        operation_id="runs_budget",
        tags=TAGS,
        request=serializers.BudgetSerializer,
        responses=PROGRESS,
    )
    def put(self, request: Request, run_id: int) -> Response:
        """Set the budget; what was spent so far counts."""
        sent = serializers.BudgetSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        run = limit_run(
            run=run_by_id(run_id),
            budget=sent.budget(),
            by=self.person,
            now=timezone.now(),
        )
        return Response(progress_of(run))


class CallPages(NewestFirst):
    """Calls in the order in which they were made."""

    ordering = "pk"


@extend_schema_view(
    get=extend_schema(
        operation_id="runs_calls",
        tags=TAGS,
        parameters=[serializers.CallsQuerySerializer],
    )
)
class CallsView(JudgingView, CallsBase):
    """The calls of a run with their replies, of pairs that are not held out."""

    serializer_class = serializers.CallSerializer
    pagination_class = CallPages
    queryset = Call.objects.none()

    def get_queryset(self) -> QuerySet[Call]:
        """The calls that may be read."""
        query = serializers.CallsQuerySerializer(data=self.request.query_params)
        query.is_valid(raise_exception=True)
        run = run_by_id(self.kwargs["run_id"])
        return open_calls(run, CallFilter(**query.validated_data))

    def paginate_queryset(self, queryset: Any) -> Any:
        """Cut a page, and note that the caller saw its pairs."""
        page = super().paginate_queryset(queryset)
        note_seen(self.person, {call.pair_id for call in page or ()})
        return page
