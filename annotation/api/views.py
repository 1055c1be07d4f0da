"""The labelling API: the same services as the page, the same things to see."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api import serializers
from annotation.api.doors import round_doors
from annotation.api.pair_data import next_data
from annotation.api.round_data import round_data
from annotation.models import Label, Round
from annotation.services import queue
from annotation.services.drafting import kept_if_refused
from annotation.services.progress import progress
from annotation.services.turns import take_turn
from annotation.services.unsent import unsent_counts
from config.accounts.models import User
from config.accounts.permissions import api_role, reads_all
from config.accounts.roles import LABELLERS, READERS

if TYPE_CHECKING:
    import uuid

    from rest_framework.request import Request

    from annotation.services.queue import Closed, Next

ERRORS = {
    400: serializers.ErrorSerializer,
    403: serializers.ErrorSerializer,
    404: serializers.ErrorSerializer,
    409: serializers.ErrorSerializer,
}


class ReviewerView(APIView):
    """Something a reviewer asks for."""

    permission_classes = [api_role(*LABELLERS)]

    @property
    def reviewer(self) -> User:
        """The caller; the permission let only users in."""
        user = self.request.user
        assert isinstance(user, User)  # noqa: S101 - guaranteed by the permission
        return user

    def next_after(self, round_id: int) -> dict[str, object]:
        """What comes next, once something was stored."""
        found = queue.next_or_closed(
            round_id=round_id,
            reviewer=self.reviewer,
            now=timezone.now(),
            rng=secrets.SystemRandom(),
        )
        return self.next_data(found, round_id)

    def next_data(self, found: Next | Closed, round_id: int) -> dict[str, object]:
        """What the queue gave, as plain data."""

        def unsent() -> int:
            found = unsent_counts(reviewer=self.reviewer, round_ids=[round_id])
            return found[round_id]

        return next_data(found, self.request, unsent=unsent)


class RoundsView(ReviewerView):
    """The rounds the caller may label in, or leads."""

    permission_classes = [api_role(*LABELLERS, *READERS)]

    @extend_schema(
        operation_id="rounds_list",
        tags=["labelling"],
        responses={200: serializers.RoundSerializer(many=True)},
    )
    def get(self, request: Request) -> Response:
        """List my rounds, the open ones first with their progress.

        For leads and auditors all rounds: what one is as its leads see it stands in
        `led`. The `doors` of a round say where its next pair and my labels are.
        """
        del request
        me, reads = self.reviewer.pk, reads_all(self.reviewer)
        at_work, over = Round.objects.open_for(me), Round.objects.closed_for(me)
        if reads:
            wanted = list(Round.objects.order_by("-pk").select_related("gold_set"))
        else:
            wanted = [
                *at_work.select_related("gold_set"),
                *over.select_related("gold_set"),
            ]
        own = set(at_work.values_list("pk", flat=True))
        past = own | set(over.values_list("pk", flat=True))
        return Response(
            [
                self._row(
                    one, at_work=one.pk in own, member=one.pk in past, reads=reads
                )
                for one in wanted
            ]
        )

    def _row(
        self, round_: Round, *, at_work: bool, member: bool, reads: bool
    ) -> dict[str, object]:
        row: dict[str, object] = {
            "id": round_.pk,
            "name": round_.name,
            # A name may tell the systems, so that who labels blind is given none.
            "gold_set": round_.gold_set.title
            or (round_.gold_set.name if reads else ""),
            "open": round_.is_open,
            "blind": not reads,
            "progress": self._progress(round_) if at_work else None,
            "doors": round_doors(
                self.request, round_.pk, member=member, at_work=at_work
            ),
        }
        return row | {"led": round_data(round_, self.request)} if reads else row

    def _progress(self, round_: Round) -> dict[str, object]:
        found = progress(round_=round_, reviewer=self.reviewer, now=timezone.now())
        return dict(serializers.ProgressSerializer(found).data)


class NextView(ReviewerView):
    """The next pair of a round."""

    @extend_schema(
        operation_id="rounds_next",
        tags=["labelling"],
        request=None,
        responses={200: serializers.NextSerializer, **ERRORS},
    )
    def post(self, request: Request, round_id: int) -> Response:
        """Give the pair I hold, or claim one."""
        del request
        found = queue.next_assignment(
            round_id=round_id,
            reviewer=self.reviewer,
            now=timezone.now(),
            rng=secrets.SystemRandom(),
        )
        return Response(self.next_data(found, round_id))


class LabelView(ReviewerView):
    """The label of one assignment."""

    @extend_schema(
        operation_id="assignments_label",
        tags=["labelling"],
        request=serializers.AnswerSerializer,
        responses={200: serializers.SubmittedSerializer, **ERRORS},
    )
    def post(self, request: Request, token: uuid.UUID) -> Response:
        """Store my answer; the reply carries the next pair.

        The same answer sent again is stored once. A changed one is a new revision, if
        `revision` is the number of the label it changes; if that is not the newest, or
        left out where there is one, nothing is stored: 409 `label_changed`. What is
        refused with 403 or 409 is kept as a draft.
        """
        sent = serializers.AnswerSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        given: Any = {
            "token": str(token),
            "reviewer": self.reviewer,
            "answer": sent.answer(),
            "now": timezone.now(),
        }
        with kept_if_refused(**given):
            turn = take_turn(
                **given,
                rng=secrets.SystemRandom(),
                revision=sent.validated_data["revision"],
            )
        following = self.next_data(turn.next, turn.member.round_id)
        return Response({"saved": _saved(token, turn.label), "next": following})


class SkipView(ReviewerView):
    """Giving a pair back."""

    @extend_schema(
        operation_id="assignments_skip",
        tags=["labelling"],
        request=None,
        responses={200: serializers.NextSerializer, **ERRORS},
    )
    def post(self, request: Request, token: uuid.UUID) -> Response:
        """Give the pair back, not to be offered it again, and bring the next."""
        del request
        given_back = queue.skip(
            token=str(token), reviewer=self.reviewer, now=timezone.now()
        )
        return Response(self.next_after(given_back.round_id))


def _saved(token: uuid.UUID, label: Label) -> dict[str, object]:
    return {
        "token": token,
        "choice": label.choice,
        "revision": label.revision,
        "saved_at": label.created_at,
    }
