"""Gold sets, their cases and their pairs over the API, for leads and auditors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from annotation.api import set_data_serializers as shapes
from annotation.api.gold import ERRORS, GoldView
from annotation.services import set_data
from config.api import NewestFirst
from config.api_index import doors_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet
    from rest_framework.request import Request


def case_url(request: Request, name: str, case_id: int) -> str:
    """Where a case of a set is given in full."""
    path = reverse("api-set-case", args=[name, case_id])
    return request.build_absolute_uri(path)


class InOrder(NewestFirst):
    """Cases and pairs in the order in which they were imported."""

    ordering = "pk"


class ListsView(GoldView):
    """A view that gives its rows page by page."""

    pagination_class: type[NewestFirst] = InOrder

    def page(
        self, rows: QuerySet[Any], shape: Callable[[Any], dict[str, Any]]
    ) -> Response:
        """One page of rows as the caller asks for it."""
        pager = self.pagination_class()
        found = pager.paginate_queryset(rows, self.request, view=self) or []
        return pager.get_paginated_response([shape(row) for row in found])

    def wanted_split(self) -> str:
        """The split that the query names, or none."""
        query = shapes.SplitQuerySerializer(data=self.request.query_params)
        query.is_valid(raise_exception=True)
        return str(query.validated_data["split"])


class GoldSetsView(ListsView):
    """The gold sets there are."""

    pagination_class = NewestFirst

    @extend_schema(
        operation_id="gold_sets_list",
        tags=["gold"],
        responses={200: shapes.GoldSetSerializer(many=True), 403: ERRORS[403]},
    )
    def get(self, request: Request) -> Response:
        """List the gold sets, newest first."""
        del request
        return self.page(set_data.gold_sets(), shapes.set_row)


class GoldSetView(GoldView):
    """One gold set."""

    @extend_schema(
        operation_id="gold_sets_get",
        tags=["gold"],
        responses={200: shapes.GoldSetStateSerializer, **ERRORS},
    )
    def get(self, request: Request, name: str) -> Response:
        """Say what a set is, what it holds, and what of it you may open."""
        del name
        gold_set = self.gold_set
        data = shapes.state_data(set_data.set_state(gold_set))
        doors = doors_for(request, "gold-sets/<slug:name>/", name=gold_set.name)
        return Response(data | {"doors": doors})


class CasesView(ListsView):
    """The cases of a set."""

    @extend_schema(
        operation_id="gold_set_cases_list",
        tags=["gold"],
        parameters=[shapes.SplitQuerySerializer],
        responses={200: shapes.CaseSerializer(many=True), **ERRORS},
    )
    def get(self, request: Request, name: str) -> Response:
        """List the cases without their texts; those under a seal are left out."""
        rows = set_data.cases_of(self.gold_set, split=self.wanted_split())
        return self.page(
            rows, lambda one: shapes.case_row(one, case_url(request, name, one.pk))
        )


class CaseView(GoldView):
    """One case."""

    @extend_schema(
        operation_id="gold_set_cases_get",
        tags=["gold"],
        responses={200: shapes.FullCaseSerializer, **ERRORS},
    )
    def get(self, request: Request, name: str, case_id: int) -> Response:
        """Give a case with its responses by system.

        This is noted: you are not given its pairs to label or to rule on. 403
        `held_out_sealed` while it is under a seal.
        """
        found = set_data.case_shown(
            gold_set=self.gold_set, case_id=case_id, to=self.person, now=timezone.now()
        )
        return Response(shapes.full_case(found, case_url(request, name, case_id)))


class PairsView(ListsView):
    """The pairs of a set."""

    @extend_schema(
        operation_id="gold_set_pairs_list",
        tags=["gold"],
        parameters=[shapes.SplitQuerySerializer],
        responses={200: shapes.PairRowSerializer(many=True), **ERRORS},
    )
    def get(self, request: Request, name: str) -> Response:
        """List the pairs without their texts; those under a seal are left out."""
        del request, name
        rows = set_data.pairs_of(self.gold_set, split=self.wanted_split())
        return self.page(rows, shapes.pair_row)
