"""A reviewer's own labels and drafts over the API, and reading a changed guideline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers as drf
from rest_framework.response import Response

from annotation.api import serializers
from annotation.api.doors import pair_url
from annotation.api.pair_data import pair_data
from annotation.api.views import ERRORS, ReviewerView
from annotation.presenters.history import excerpt
from annotation.services import history, queue
from annotation.services.drafting import save_draft
from annotation.services.guidelines import confirm_seen
from annotation.services.labelling import said_in
from annotation.services.places import past_member_of
from annotation.services.unsent import unsent_draft, unsent_drafts, why_unsent
from config.api import NewestFirst, Strict

if TYPE_CHECKING:
    import uuid

    from rest_framework.request import Request

    from annotation.models import Draft, Label


class OwnLabelSerializer(drf.Serializer[object]):
    """A label of yours as you gave it; its address opens the pair again."""

    token = drf.UUIDField()
    url = drf.URLField(help_text="Where its pair is, as it was shown to you.")
    choice = drf.CharField()
    strength = drf.IntegerField(allow_null=True)
    note = drf.CharField(allow_blank=True)
    confidence = drf.IntegerField(allow_null=True)
    abstain_reason = drf.CharField(allow_blank=True)
    critical = drf.JSONField()
    criteria = drf.JSONField()
    revision = drf.IntegerField()
    guideline_version = drf.IntegerField(allow_null=True)
    first_at = drf.DateTimeField()
    saved_at = drf.DateTimeField()
    may_change = drf.BooleanField()


class NotCountedSerializer(drf.Serializer[object]):
    """What you wrote of a pair and that did not become an answer.

    `why`: `taken`: others took the pair when your reservation had run out;
    `given_back`: you skipped it; `closed`: the round was closed; `removed`: you were
    taken out of the round.
    """

    token = drf.UUIDField()
    url = drf.URLField(help_text="Where this is given alone.")
    prompt = drf.CharField(help_text="Its beginning.", allow_blank=True)
    choice = drf.CharField(allow_blank=True)
    strength = drf.IntegerField(allow_null=True)
    note = drf.CharField(allow_blank=True)
    confidence = drf.IntegerField(allow_null=True)
    abstain_reason = drf.CharField(allow_blank=True)
    critical = drf.JSONField()
    criteria = drf.JSONField()
    saved_at = drf.DateTimeField()
    why = drf.ChoiceField(["taken", "given_back", "closed", "removed"])


class OwnLabelsSerializer(drf.Serializer[object]):
    """A page of your labels, those of new pairs first; and all that did not count."""

    next = drf.URLField(allow_null=True)
    previous = drf.URLField(allow_null=True)
    results = OwnLabelSerializer(many=True)
    not_counted = NotCountedSerializer(many=True)


class LabelledPairSerializer(drf.Serializer[object]):
    """A pair that you labelled, and your label; or what of it did not count.

    Of a pair that you hold `label` is null.
    """

    pair = serializers.PairSerializer(allow_null=True)
    label = OwnLabelSerializer(allow_null=True)  # type: ignore[assignment]  # moved out of the class by DRF
    not_counted = NotCountedSerializer(allow_null=True)


class VersionSerializer(Strict):
    """Which version of the guideline you have read."""

    version = drf.IntegerField(min_value=1, max_value=1_000_000)


class _LatestFirst(NewestFirst):
    """By time: the number of a row would tell how much others label meanwhile."""

    ordering = ("-first_at", "-first_pk")


def _label_data(label: Any, request: Request, *, may_change: bool) -> dict[str, object]:
    return {
        "token": label.assignment.token,
        "url": pair_url(request, label.assignment.token),
        **said_in(label),
        "revision": label.revision,
        "guideline_version": label.guideline.version if label.guideline else None,
        "first_at": label.first_at,
        "saved_at": label.created_at,
        "may_change": may_change and not getattr(label, "exposed", False),
    }


def _not_counted_data(draft: Draft, request: Request) -> dict[str, object]:
    row = {name: draft.content.get(name) for name in serializers.SAID}
    row |= {
        "token": draft.assignment.token,
        "url": pair_url(request, draft.assignment.token),
        "prompt": excerpt(draft.assignment.pair.case.prompt),
        "saved_at": draft.saved_at,
        "why": why_unsent(draft).value,
    }
    return dict(NotCountedSerializer(row).data)


class OwnLabelsView(ReviewerView):
    """My labels of a round."""

    @extend_schema(
        operation_id="rounds_labels",
        tags=["labelling"],
        parameters=[
            OpenApiParameter("cursor", str),
            OpenApiParameter("page_size", int),
        ],
        responses={200: OwnLabelsSerializer, **ERRORS},
    )
    def get(self, request: Request, round_id: int) -> Response:
        """List every label I gave in this round, each as it stands now.

        Also for who was taken out of it.
        """
        place = past_member_of(round_id=round_id, reviewer=self.reviewer)
        may_change = place.round.is_open and place.removed_at is None
        labels = history.my_labels(round_id=round_id, reviewer=self.reviewer)
        pages = _LatestFirst()
        found = pages.paginate_queryset(labels, request, view=self) or []
        rows = [_label_data(label, request, may_change=may_change) for label in found]
        reply = pages.get_paginated_response(OwnLabelSerializer(rows, many=True).data)
        drafts = unsent_drafts(round_id=round_id, reviewer=self.reviewer)
        reply.data["not_counted"] = [_not_counted_data(one, request) for one in drafts]
        return reply


class LabelledPairView(ReviewerView):
    """A pair of mine."""

    @extend_schema(
        operation_id="assignments_reopen",
        tags=["labelling"],
        responses={200: LabelledPairSerializer, **ERRORS},
    )
    def get(self, request: Request, token: uuid.UUID) -> Response:
        """Give the pair as it was shown, and my label, if I gave one.

        To change it, post a label with its revision. Of a pair that I lost before I
        answered, give what I kept of it.
        """
        reply: dict[str, object] = {"pair": None, "label": None, "not_counted": None}
        mine: Any = {"token": str(token), "reviewer": self.reviewer}
        if (lost := unsent_draft(**mine)) is not None:
            return Response(reply | {"not_counted": _not_counted_data(lost, request)})
        if (held := history.held_pair(**mine)) is not None:
            return Response(reply | {"pair": pair_data(held, request)})
        found = history.reopen(**mine)
        label: Label = found.label
        pair = pair_data(found.assignment, request, revision=label.revision)
        row = _label_data(label, request, may_change=True)
        return Response(reply | {"pair": pair, "label": OwnLabelSerializer(row).data})


class DraftView(ReviewerView):
    """The draft of an answer."""

    @extend_schema(
        operation_id="assignments_draft",
        tags=["labelling"],
        request=serializers.DraftSerializer,
        responses={200: serializers.KeptSerializer, **ERRORS},
    )
    def put(self, request: Request, token: uuid.UUID) -> Response:
        """Keep what I have so far and renew my reservation."""
        sent = serializers.DraftSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        kept = save_draft(
            token=str(token),
            reviewer=self.reviewer,
            content=sent.content(),
            active_seconds=sent.validated_data["active_seconds"] or 0.0,
            now=timezone.now(),
        )
        return Response(serializers.KeptSerializer(kept).data)


class GuidelineReadView(ReviewerView):
    """Reading what changed in a guideline."""

    @extend_schema(
        operation_id="rounds_guideline_read",
        tags=["labelling"],
        request=VersionSerializer,
        responses={200: VersionSerializer, **ERRORS},
    )
    def post(self, request: Request, round_id: int) -> Response:
        """Confirm that I have read the version in force."""
        sent = VersionSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        round_ = queue.round_for(round_id=round_id, reviewer=self.reviewer)
        read = confirm_seen(
            gold_set_id=round_.gold_set_id,
            reviewer=self.reviewer,
            version=sent.validated_data["version"],
            now=timezone.now(),
        )
        return Response({"version": read.version})
