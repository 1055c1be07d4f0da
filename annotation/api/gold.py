"""Splits and gold versions over the API: the same services as the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api import gold_data
from annotation.api import gold_serializers as shapes
from annotation.api.look_serializers import (
    HeldOutQuerySerializer,
    LookRequestSerializer,
    viewer_of,
)
from annotation.api.serializers import ErrorSerializer
from annotation.domain.consensus import ConsensusRule
from annotation.models import GoldSet, GoldVersion
from annotation.services.freezing import freeze_gold, preview_freeze
from annotation.services.gold_diff import gold_diff
from annotation.services.gold_diff_json import diff_json
from annotation.services.gold_sets import gold_set_named
from annotation.services.held_out import splits_locked
from annotation.services.splitting import (
    propose_splits,
    slice_keys,
    split_counts,
    write_splits,
)
from config.accounts.models import User
from config.accounts.permissions import api_role
from config.accounts.roles import READERS, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request

    VersionsBase = ListAPIView[GoldVersion]
else:
    VersionsBase = ListAPIView

ERRORS = dict.fromkeys((400, 403, 404, 409), ErrorSerializer)


class GoldView(APIView):
    """Something on a gold set: readers may look, leads may change it.

    ``only_shows``: what is sent here asks for a look and changes nothing.
    """

    only_shows = False

    def get_permissions(self) -> Sequence[BasePermission]:
        """Leads alone may send."""
        reads = self.request.method == "GET" or self.only_shows
        roles = READERS if reads else (Role.LEAD,)
        return [api_role(*roles)()]

    @property
    def gold_set(self) -> GoldSet:
        """The set that the address names; raises NotFound."""
        return gold_set_named(self.kwargs["name"])

    @property
    def person(self) -> User:
        """The caller; the permission let only users in."""
        user = self.request.user
        assert isinstance(user, User)  # noqa: S101 - guaranteed by the permission
        return user


class SplitsView(GoldView):
    """The splits of a set."""

    @extend_schema(
        operation_id="splits_get",
        tags=["gold"],
        responses={200: shapes.SplitCountsSerializer, **ERRORS},
    )
    def get(self, request: Request, name: str) -> Response:
        """Count cases by split, and name the slices to stratify by."""
        del request, name
        gold_set = self.gold_set
        counts = split_counts(gold_set)
        return Response(
            {
                "dev": counts["dev"],
                "held_out": counts["held_out"],
                "unassigned": counts[""],
                "locked": splits_locked(gold_set),
                "slices": slice_keys(gold_set),
            }
        )

    @extend_schema(
        operation_id="splits_assign",
        tags=["gold"],
        request=shapes.SplitWishSerializer,
        responses={200: shapes.SplitResultSerializer, **ERRORS},
    )
    def post(self, request: Request, name: str) -> Response:
        """Assign splits; a dry run says what it would come to."""
        del name
        sent = shapes.SplitWishSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        gold_set, wish = self.gold_set, sent.wish()
        proposal = propose_splits(gold_set=gold_set, wish=wish)
        if not sent.validated_data["dry_run"]:
            write_splits(
                gold_set=gold_set,
                wish=wish,
                by=self.person,
                now=timezone.now(),
                expect=sent.validated_data["expect"] or proposal.digest,
            )
        shown = shapes.SplitResultSerializer(
            {
                "written": not sent.validated_data["dry_run"],
                "digest": proposal.digest,
                "dev": proposal.dev,
                "held_out": proposal.held_out,
                "moved": proposal.moved,
                "strata": proposal.strata,
                "notices": proposal.notices,
                "seen": proposal.seen,
                "seed": wish.seed,
            }
        )
        return Response(shown.data)


class GoldStateView(GoldView):
    """Gold as it stands."""

    @extend_schema(
        operation_id="gold_state",
        tags=["gold"],
        parameters=[shapes.RuleQuerySerializer],
        responses={200: shapes.GoldStateSerializer, **ERRORS},
    )
    def get(self, request: Request, name: str) -> Response:
        """Say what freezing would come to, and which pairs are open."""
        del name
        query = shapes.RuleQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        gold_set = self.gold_set
        rule = query.validated_data.get("rule") or gold_set.consensus_rule
        preview = preview_freeze(gold_set=gold_set, rule=ConsensusRule(rule))
        return Response(gold_data.gold_state_data(preview))


class VersionsView(GoldView, VersionsBase):
    """The frozen gold versions of a set."""

    serializer_class = shapes.GoldVersionSerializer
    queryset = GoldVersion.objects.none()

    def get_queryset(self) -> QuerySet[GoldVersion]:
        """All versions, newest first by the paging."""
        return self.gold_set.versions.all()

    def get_serializer_context(self) -> dict[str, Any]:
        """What the address of a version's differences is made of."""
        return {"request": self.request, "set_name": self.kwargs.get("name")}

    @extend_schema(operation_id="versions_list", tags=["gold"])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the versions."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="versions_freeze",
        tags=["gold"],
        request=shapes.FreezeSerializer,
        responses={200: shapes.GoldVersionSerializer, **ERRORS},
    )
    def post(self, request: Request, name: str) -> Response:
        """Freeze the gold; the same gold again is the same version."""
        del name
        sent = shapes.FreezeSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        gold_set = self.gold_set
        rule = sent.validated_data["rule"] or gold_set.consensus_rule
        version = freeze_gold(
            gold_set=gold_set,
            rule=ConsensusRule(rule),
            by=self.person,
            now=timezone.now(),
            leave_open=sent.validated_data["leave_open"],
        )
        return Response(self.get_serializer(version).data)


class GoldDiffView(GoldView):
    """What lies between two versions."""

    only_shows = True

    @extend_schema(
        operation_id="gold_diff",
        tags=["gold"],
        parameters=[HeldOutQuerySerializer],
        responses={200: shapes.GoldDiffSerializer, **ERRORS},
    )
    def get(self, request: Request, name: str, old: int, new: int) -> Response:
        """Say what moved, by whom and why; held-out pairs only when asked for.

        These are a look: 409 `look_needed` until you ask for it by POST.
        """
        del name
        return self._difference(request, old, new)

    @extend_schema(
        operation_id="gold_diff_look",
        tags=["gold"],
        parameters=[HeldOutQuerySerializer],
        request=LookRequestSerializer,
        responses={200: shapes.GoldDiffSerializer, **ERRORS},
    )
    def post(self, request: Request, name: str, old: int, new: int) -> Response:
        """Take a look at held-out pairs, and say what moved."""
        del name
        return self._difference(request, old, new)

    def _difference(self, request: Request, old: int, new: int) -> Response:
        query = HeldOutQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        viewer = viewer_of(request, self.person)
        found = gold_diff(
            gold_set=self.gold_set,
            numbers=(old, new),
            by=self.person,
            now=timezone.now(),
            held_out=viewer if query.validated_data["held_out"] else None,
        )
        return Response(diff_json(found))
