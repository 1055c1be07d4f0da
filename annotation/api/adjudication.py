"""Adjudication over the API: the same services as the pages, the same things to see."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api import adjudication_serializers as shapes
from annotation.api.look_serializers import (
    DisclosingSerializer,
    LookRequestSerializer,
    viewer_of,
)
from annotation.api.serializers import ErrorSerializer
from annotation.models import Pair, RequestKind
from annotation.services import corrections, hearings
from annotation.services.gold_sets import gold_set_named
from annotation.services.ruling_chains import chains_shown, past_rulings, ruled_pairs
from config.accounts.models import User
from config.accounts.permissions import api_role
from config.accounts.roles import READERS, Role
from config.api import NewestFirst

if TYPE_CHECKING:
    import uuid

    from rest_framework.request import Request

ERRORS = dict.fromkeys((400, 403, 404, 409), ErrorSerializer)

CHAINS: dict[str, Any] = {
    "tags": ["adjudication"],
    "responses": {
        200: shapes.ChainSerializer(many=True),
        403: ErrorSerializer,
        404: ErrorSerializer,
        409: ErrorSerializer,
    },
}


class InOrder(NewestFirst):
    """Pairs in the order in which they were imported."""

    ordering = "pk"
    page_size = 25


class PersonView(APIView):
    """Something that a signed-in person asks for."""

    permission_classes = [api_role(Role.ADJUDICATOR)]

    @property
    def person(self) -> User:
        """The caller; the permission let only users in."""
        user = self.request.user
        assert isinstance(user, User)  # noqa: S101 - guaranteed by the permission
        return user

    def docket(self) -> dict[str, object]:
        """The pair that comes next, or why there is none."""
        found = hearings.next_hearing(adjudicator=self.person, now=timezone.now())
        return shapes.docket_data(found, self.request)


class NextHearingView(PersonView):
    """The next pair to rule on."""

    @extend_schema(
        operation_id="adjudications_next",
        tags=["adjudication"],
        request=None,
        responses={200: shapes.DocketSerializer, 403: ErrorSerializer},
    )
    def post(self, request: Request) -> Response:
        """Give the pair I hold, or hold one for me."""
        del request
        return Response(self.docket())


class FirstRulingView(PersonView):
    """A ruling made before the labels are shown."""

    @extend_schema(
        operation_id="adjudications_first",
        tags=["adjudication"],
        request=shapes.FirstRulingSerializer,
        responses={200: shapes.HearingSerializer, **ERRORS},
    )
    def post(self, request: Request, token: uuid.UUID) -> Response:
        """Keep my first ruling; the reply shows the labels."""
        sent = shapes.FirstRulingSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        hearing = hearings.rule_first(
            token=str(token),
            adjudicator=self.person,
            choice=sent.validated_data["choice"],
            now=timezone.now(),
        )
        return Response(shapes.hearing_data(hearing, request))


class RulingView(PersonView):
    """The ruling on a pair before me."""

    @extend_schema(
        operation_id="adjudications_rule",
        tags=["adjudication"],
        request=shapes.RulingSerializer,
        responses={200: shapes.RuledSerializer, **ERRORS},
    )
    def post(self, request: Request, token: uuid.UUID) -> Response:
        """Store my ruling; the reply carries the pair's history and the next pair.

        The same ruling sent again is stored once. Refused with `ruling_raced` where
        somebody else ruled on the pair first.
        """
        sent = shapes.RulingSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        ruling = hearings.rule(
            token=str(token),
            adjudicator=self.person,
            statement=sent.statement(),
            now=timezone.now(),
        )
        assert ruling.hearing is not None  # noqa: S101 - it was made in one
        history = [asdict(one) for one in past_rulings(ruling.hearing)]
        return Response({"history": history, "next": self.docket()})


class GiveBackView(PersonView):
    """Giving a pair back."""

    @extend_schema(
        operation_id="adjudications_give_back",
        tags=["adjudication"],
        request=None,
        responses={200: shapes.DocketSerializer, **ERRORS},
    )
    def post(self, request: Request, token: uuid.UUID) -> Response:
        """Let somebody else rule on this pair, and bring the next."""
        del request
        hearings.give_back(
            token=str(token), adjudicator=self.person, now=timezone.now()
        )
        return Response(self.docket())


class HistoryView(PersonView):
    """The rulings on a pair that I have ruled on."""

    @extend_schema(
        operation_id="adjudications_history",
        tags=["adjudication"],
        responses={
            200: shapes.PastRulingSerializer(many=True),
            403: ErrorSerializer,
            404: ErrorSerializer,
        },
    )
    def get(self, request: Request, token: uuid.UUID) -> Response:
        """Give the chain, without names, in the slots I saw."""
        del request
        hearing = hearings.ruled_hearing(token=str(token), adjudicator=self.person)
        return Response([asdict(one) for one in past_rulings(hearing)])


class ChainsView(PersonView):
    """The rulings of a gold set, for who may read everything."""

    permission_classes = [api_role(*READERS)]
    pagination_class = InOrder

    @extend_schema(
        operation_id="gold_sets_rulings",
        parameters=[DisclosingSerializer],
        **CHAINS,
    )
    def get(self, request: Request, name: str) -> Response:
        """Give the chains, a page of pairs at a time; never those held out.

        Pairs that an open round labels again are left out. Where labels of a closed
        round would be shown for the first time, `would_disclose` names it first.
        """
        return self.chains(request, name, held_out=False)

    def chains(self, request: Request, name: str, *, held_out: bool) -> Response:
        """A page of chains, noted as seen by the caller."""
        gold_set = gold_set_named(name)
        pager = InOrder()
        rows = ruled_pairs(gold_set, held_out=held_out)
        page: list[Pair] = pager.paginate_queryset(rows, request, view=self) or []
        query = DisclosingSerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        chains = chains_shown(
            page,
            reader=self.person,
            viewer=viewer_of(request, self.person),
            now=timezone.now(),
            disclosing=query.validated_data["disclose"],
        )
        return pager.get_paginated_response([shapes.chain_data(one) for one in chains])


class HeldOutChainsView(ChainsView):
    """The same for held-out pairs."""

    @extend_schema(
        operation_id="gold_sets_rulings_held_out",
        parameters=[DisclosingSerializer],
        **CHAINS,
    )
    def get(self, request: Request, name: str) -> Response:
        """Give the chains of held-out pairs: a look, which locks the set's splits.

        409 `look_needed` until you ask for it by POST.
        """
        return self.chains(request, name, held_out=True)

    @extend_schema(
        operation_id="gold_sets_rulings_held_out_look",
        parameters=[DisclosingSerializer],
        request=LookRequestSerializer,
        **CHAINS,
    )
    def post(self, request: Request, name: str) -> Response:
        """Take a look at the rulings of held-out pairs, and give the first page."""
        return self.chains(request, name, held_out=True)


class CorrectionsView(PersonView):
    """Sending pairs to be ruled on again."""

    permission_classes = [api_role(Role.LEAD)]

    @extend_schema(
        operation_id="gold_sets_corrections",
        tags=["adjudication"],
        request=shapes.CorrectionSerializer,
        responses={201: shapes.CorrectionBatchSerializer, **ERRORS},
    )
    def post(self, request: Request, name: str) -> Response:
        """Send pairs to blind adjudication, mixed with at least as many controls."""
        sent = shapes.CorrectionSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        gold_set = gold_set_named(name)
        given = sent.validated_data
        rows = corrections.request_corrections(
            pairs=corrections.pairs_named(
                gold_set=gold_set, text="\n".join(given["pairs"])
            ),
            controls=corrections.pairs_named(
                gold_set=gold_set, text="\n".join(given["controls"])
            ),
            by=self.person,
            category=sent.reason(),
            note=given["note"],
            now=timezone.now(),
        )
        corrected = sum(row.kind == RequestKind.CORRECTION for row in rows)
        reply = {
            "batch": rows[0].batch,
            "corrections": corrected,
            "controls": len(rows) - corrected,
        }
        return Response(reply, status=201)
