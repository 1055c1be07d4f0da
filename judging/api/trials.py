"""Trying a judge over the API before a run is bought; nothing of it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from annotation.services.gold_sets import gold_set_named
from config.errors import Conflict
from judging.api.common import ERRORS, JudgingView, note_seen
from judging.api.kind_serializers import (
    ConnectionSerializer,
    TrialSerializer,
    TrialWishSerializer,
)
from judging.clients.opening import open_chat
from judging.presenters.judges import judge_version
from judging.presenters.previews import chosen_pair
from judging.presenters.trials import tried_connection, tried_pair

if TYPE_CHECKING:
    from rest_framework.request import Request

    from judging.presenters.trials import ShownOrder

TAGS = ["judges"]


class ConnectionView(JudgingView):
    """Whether the provider answers."""

    @extend_schema(
        operation_id="judges_test_connection",
        tags=TAGS,
        request=None,
        responses={200: ConnectionSerializer, **ERRORS},
    )
    def post(self, request: Request, name: str, version: int) -> Response:
        """Send one short request with the judge's parameters."""
        del request
        tried = tried_connection(judge_version(name, version), open_chat)
        reply = tried.reply
        data = {
            "answered": reply is not None,
            "kind": tried.kind,
            "failure": tried.failure,
            "text": None if reply is None else reply.text,
            "served_model": None if reply is None else reply.served_model,
            "finish_reason": None if reply is None else reply.finish_reason,
            "latency_ms": None if reply is None else reply.latency_ms,
        }
        return Response(ConnectionSerializer(data).data)


class TrialView(JudgingView):
    """A judge on one dev pair."""

    @extend_schema(
        operation_id="judges_test_pair",
        tags=TAGS,
        request=TrialWishSerializer,
        responses={200: TrialSerializer, **ERRORS},
    )
    def post(self, request: Request, name: str, version: int) -> Response:
        """Ask about a dev pair in both orders, or about each response by itself."""
        sent = TrialWishSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        said = sent.validated_data
        config = judge_version(name, version)
        chosen = chosen_pair(gold_set_named(said["gold_set"]), said["number"])
        if chosen is None:
            raise Conflict("no_dev_pair", f"{said['gold_set']} has no dev pair.")
        note_seen(self.person, [chosen.pair.pk])
        trial = tried_pair(config, chosen.pair, open_chat)
        data = {
            "case_id": chosen.pair.case.external_id,
            "result": trial.result,
            "replies": [_reply(each) for each in trial.orders],
        }
        return Response(TrialSerializer(data).data)


def _reply(shown: ShownOrder) -> dict[str, Any]:
    reply = shown.reply
    return {
        "what": shown.title,
        "reading": shown.reading,
        "invalid": shown.invalid,
        "detail": shown.detail,
        "flags": list(shown.flags),
        "text": None if reply is None else reply.text,
        "served_model": None if reply is None else reply.served_model,
        "latency_ms": None if reply is None else reply.latency_ms,
    }
