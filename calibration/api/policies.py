"""Policies and waivers over the API: the same services as the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from annotation.services.gold_sets import gold_set_named
from calibration.api import release_serializers as shapes
from calibration.api.readers import ERRORS, ReadersView
from calibration.domain.policy_keys import json_schema
from calibration.models import Policy, Waiver
from calibration.services.policies import (
    draft_policy,
    edit_policy,
    freeze_policy,
    policy_by_id,
)
from calibration.services.release_evidence import waiver_json
from calibration.services.waivers import (
    WaiverWish,
    ask_waiver,
    confirm_waiver,
    revoke_waiver,
    waiver_by_id,
)
from config.api import NewestFirst

if TYPE_CHECKING:
    from rest_framework.request import Request

TAGS = ["policies"]
WAIVER_TAGS = ["waivers"]
POLICY = {200: shapes.PolicySerializer, **ERRORS}
WAIVER = {200: shapes.WaiverSerializer, **ERRORS}


class PoliciesView(ReadersView):
    """All policies."""

    pagination_class = NewestFirst

    @extend_schema(
        operation_id="policies_list",
        tags=TAGS,
        responses={200: shapes.PolicySerializer(many=True), **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """List policies, newest first."""
        pager = NewestFirst()
        rows = Policy.objects.for_pages().order_by()
        found = pager.paginate_queryset(rows, request, view=self)
        data = shapes.PolicySerializer(found, many=True).data
        return pager.get_paginated_response(data)

    @extend_schema(
        operation_id="policies_draft",
        tags=TAGS,
        request=shapes.PolicyWishSerializer,
        responses={201: shapes.PolicySerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        """Write a draft: a new version, or new content of the draft there is."""
        sent = shapes.PolicyWishSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        made = draft_policy(
            name=sent.validated_data["name"],
            document=sent.validated_data["document"],
            by=self.person,
            now=timezone.now(),
        )
        return Response(shapes.PolicySerializer(made).data, status=201)


class PolicyView(ReadersView):
    """One policy."""

    @extend_schema(operation_id="policies_get", tags=TAGS, responses=POLICY)
    def get(self, request: Request, policy_id: int) -> Response:
        """Give a policy as it was written."""
        del request
        return Response(shapes.PolicySerializer(policy_by_id(policy_id)).data)

    @extend_schema(
        operation_id="policies_edit",
        tags=TAGS,
        request=shapes.DocumentSerializer,
        responses=POLICY,
    )
    def put(self, request: Request, policy_id: int) -> Response:
        """Give a draft new content; a frozen policy refuses."""
        sent = shapes.DocumentSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        made = edit_policy(
            policy=policy_by_id(policy_id),
            document=sent.validated_data["document"],
            by=self.person,
            now=timezone.now(),
        )
        return Response(shapes.PolicySerializer(made).data)


class FreezePolicyView(ReadersView):
    """The end of a draft."""

    @extend_schema(
        operation_id="policies_freeze", tags=TAGS, request=None, responses=POLICY
    )
    def post(self, request: Request, policy_id: int) -> Response:
        """Freeze a draft; it decides runs that begin afterwards."""
        del request
        policy = policy_by_id(policy_id)
        made = freeze_policy(policy=policy, by=self.person, now=timezone.now())
        return Response(shapes.PolicySerializer(made).data)


class PolicySchemaView(ReadersView):
    """What a policy file may hold."""

    @extend_schema(
        operation_id="policies_schema",
        tags=TAGS,
        responses={200: OpenApiTypes.OBJECT, **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """Give the JSON schema of policies."""
        del request
        return Response(json_schema())


class WaiversView(ReadersView):
    """All waivers."""

    pagination_class = NewestFirst

    @extend_schema(
        operation_id="waivers_list",
        tags=WAIVER_TAGS,
        responses={200: shapes.WaiverSerializer(many=True), **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """List waivers with their state, newest first."""
        pager, rows = NewestFirst(), Waiver.objects.with_people().order_by()
        found: list[Waiver] = pager.paginate_queryset(rows, request, view=self) or []
        return pager.get_paginated_response([_waiver(one) for one in found])

    @extend_schema(
        operation_id="waivers_ask",
        tags=WAIVER_TAGS,
        request=shapes.WaiverWishSerializer,
        responses={201: shapes.WaiverSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        """Ask for a waiver; it counts once a second person confirms it."""
        sent = shapes.WaiverWishSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        said = dict(sent.validated_data)
        gold_set = gold_set_named(said.pop("gold_set"))
        lists = {name: tuple(said.get(name, ())) for name in ("case_ids", "systems")}
        wish = WaiverWish(**(said | lists))
        made = ask_waiver(
            gold_set=gold_set, wish=wish, by=self.person, now=timezone.now()
        )
        return Response(_waiver(waiver_by_id(made.pk)), status=201)


class ConfirmWaiverView(ReadersView):
    """The second person."""

    @extend_schema(
        operation_id="waivers_confirm", tags=WAIVER_TAGS, request=None, responses=WAIVER
    )
    def post(self, request: Request, waiver_id: int) -> Response:
        """Stand for a waiver that somebody else asked for."""
        del request
        waiver = waiver_by_id(waiver_id)
        confirm_waiver(waiver=waiver, by=self.person, now=timezone.now())
        return Response(_waiver(waiver_by_id(waiver_id)))


class RevokeWaiverView(ReadersView):
    """The end of a waiver."""

    @extend_schema(
        operation_id="waivers_revoke",
        tags=WAIVER_TAGS,
        request=shapes.RevokeSerializer,
        responses=WAIVER,
    )
    def post(self, request: Request, waiver_id: int) -> Response:
        """Revoke a waiver; decisions that used it stay as they are."""
        sent = shapes.RevokeSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        reason, waiver = sent.validated_data["reason"], waiver_by_id(waiver_id)
        revoke_waiver(waiver=waiver, reason=reason, by=self.person, now=timezone.now())
        return Response(_waiver(waiver_by_id(waiver_id)))


def _waiver(waiver: Waiver) -> dict[str, Any]:
    found = waiver_json(waiver, timezone.now()) | {"gold_set": waiver.gold_set.name}
    return dict(shapes.WaiverSerializer(found).data)
