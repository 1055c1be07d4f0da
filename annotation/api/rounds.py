"""The rounds API for leads, and for auditors to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api import round_serializers as shapes
from annotation.api.round_data import balance_data, progress_data, round_data
from annotation.api.views import ERRORS
from annotation.services import rounds
from annotation.services.balance import balance
from annotation.services.gold_sets import gold_set_named
from annotation.services.round_members import (
    add_members,
    labeller_named,
    member_named,
    remove_member,
)
from annotation.services.round_reports import round_progress
from config.accounts.models import User
from config.accounts.permissions import has_role
from config.accounts.roles import READERS, Role

if TYPE_CHECKING:
    from rest_framework.request import Request

    from annotation.models import Round


class LeadsWrite(BasePermission):
    """Leads and auditors read; leads alone change."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Whether the caller may."""
        del view
        roles = READERS if request.method in SAFE_METHODS else (Role.LEAD,)
        return has_role(request.user, *roles)


class LedView(APIView):
    """Something about rounds that their reviewers do not see."""

    permission_classes = [LeadsWrite]

    @property
    def user(self) -> User:
        """The caller; the permission let only users in."""
        user = self.request.user
        assert isinstance(user, User)  # noqa: S101 - guaranteed by the permission
        return user

    def progress(self, round_: Round) -> dict[str, object]:
        """How far a round is, as data."""
        round_ = rounds.round_by_id(round_.pk)
        found = round_progress(round_=round_, now=timezone.now())
        return progress_data(found, self.request)


class SetRoundsView(LedView):
    """The rounds of a gold set."""

    @extend_schema(
        operation_id="gold_set_rounds_list",
        tags=["rounds"],
        responses={200: shapes.LedRoundSerializer(many=True), **ERRORS},
    )
    def get(self, request: Request, name: str) -> Response:
        """List the rounds of a set, newest first."""
        found = gold_set_named(name).rounds.select_related("gold_set").order_by("-pk")
        return Response([round_data(one, request) for one in found])

    @extend_schema(
        operation_id="gold_set_rounds_open",
        tags=["rounds"],
        request=shapes.OpenRoundSerializer,
        responses={201: shapes.RoundProgressSerializer, **ERRORS},
    )
    def post(self, request: Request, name: str) -> Response:
        """Open a round."""
        sent = shapes.OpenRoundSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        gold_set = gold_set_named(name)
        people = [labeller_named(one) for one in sent.validated_data["reviewers"]]
        round_ = rounds.open_chosen(
            gold_set=gold_set,
            plan=sent.plan(gold_set),
            selection=sent.selection(),
            reviewers=people,
            by=self.user,
            now=timezone.now(),
        )
        return Response(self.progress(round_), status=status.HTTP_201_CREATED)


class RoundView(LedView):
    """One round."""

    @extend_schema(
        operation_id="rounds_progress",
        tags=["rounds"],
        responses={200: shapes.RoundProgressSerializer, **ERRORS},
    )
    def get(self, request: Request, round_id: int) -> Response:
        """How far it is: by split, slice and reviewer."""
        del request
        return Response(self.progress(rounds.round_by_id(round_id)))


class CloseView(LedView):
    """Closing."""

    @extend_schema(
        operation_id="rounds_close",
        tags=["rounds"],
        request=None,
        responses={200: shapes.LedRoundSerializer, **ERRORS},
    )
    def post(self, request: Request, round_id: int) -> Response:
        """Close it: no label is taken or revised any more."""
        round_ = rounds.round_by_id(round_id)
        rounds.close_round(round_=round_, by=self.user, now=timezone.now())
        return Response(round_data(rounds.round_by_id(round_id), request))


class ReopenView(LedView):
    """Reopening."""

    @extend_schema(
        operation_id="rounds_reopen",
        tags=["rounds"],
        request=None,
        responses={200: shapes.LedRoundSerializer, **ERRORS},
    )
    def post(self, request: Request, round_id: int) -> Response:
        """Let it take labels again, as long as nothing of it was disclosed."""
        rounds.reopen_round(round_=rounds.round_by_id(round_id), now=timezone.now())
        return Response(round_data(rounds.round_by_id(round_id), request))


class MembersView(LedView):
    """Who labels in a round."""

    @extend_schema(
        operation_id="rounds_members_add",
        tags=["rounds"],
        request=shapes.MemberNameSerializer,
        responses={200: shapes.RoundProgressSerializer, **ERRORS},
    )
    def post(self, request: Request, round_id: int) -> Response:
        """Add a reviewer or adjudicator."""
        sent = shapes.MemberNameSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        round_ = rounds.round_by_id(round_id)
        user = labeller_named(sent.validated_data["username"])
        add_members(round_=round_, reviewers=[user], now=timezone.now())
        return Response(self.progress(round_))


class MemberView(LedView):
    """One member."""

    @extend_schema(
        operation_id="rounds_members_remove",
        tags=["rounds"],
        responses={200: shapes.RoundProgressSerializer, **ERRORS},
    )
    def delete(self, request: Request, round_id: int, username: str) -> Response:
        """Take them out of the round; their labels stay."""
        del request
        round_ = rounds.round_by_id(round_id)
        user = member_named(round_=round_, username=username)
        remove_member(round_=round_, reviewer=user, now=timezone.now())
        return Response(self.progress(round_))


class BalanceView(LedView):
    """Slot balance."""

    @extend_schema(
        operation_id="rounds_balance",
        tags=["rounds"],
        responses={200: shapes.BalanceSerializer, **ERRORS},
    )
    def get(self, request: Request, round_id: int) -> Response:
        """How often each system stood first, with exact tests."""
        found = balance(round_=rounds.round_by_id(round_id))
        return Response(balance_data(found, request))
