"""What the API takes where held-out gold may be looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from annotation.services.held_out import Viewer
from annotation.services.look_plans import LONGEST_REASON
from config.api import Strict
from config.middleware import LARGEST_ID

if TYPE_CHECKING:
    from rest_framework.request import Request

    from config.accounts.models import User


class LookRequestSerializer(Strict):
    """Asking for a look."""

    look_reason = serializers.CharField(
        max_length=LONGEST_REASON, help_text="Why you look; it is logged."
    )


class LookReasonSerializer(Strict):
    """Why one looks, where what is sent is a look only of some sets."""

    look_reason = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=LONGEST_REASON,
        help_text="Why you look; it is logged, and needed once the looks are used up.",
    )
    reason = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=LONGEST_REASON,
        help_text="The older name of `look_reason`.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Both names say the same, where both are given."""
        said = {attrs["look_reason"], attrs.pop("reason", "")} - {""}
        if len(said) > 1:
            raise serializers.ValidationError(
                {"look_reason": ["It says something else than `reason`."]}
            )
        return attrs | {"look_reason": said.pop() if said else ""}


def viewer_of(request: Request, user: User) -> Viewer:
    """Who looks: a POST asks for a look with its reason, a GET never takes one."""
    if request.method != "POST":
        return Viewer(user=user, door="api", asked=False)
    sent = LookRequestSerializer(data=request.data)
    sent.is_valid(raise_exception=True)
    return Viewer(user=user, door="api", reason=sent.validated_data["look_reason"])


class HeldOutQuerySerializer(serializers.Serializer[object]):
    """Whether held-out pairs are shown too: a look, which locks the splits."""

    held_out = serializers.BooleanField(default=False)


class DisclosingSerializer(serializers.Serializer[object]):
    """Which rounds a reading may show for the first time."""

    disclose = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST_ID),
        default=list,
        help_text="Rounds whose labels you know this to show for the first time; they "
        "can't be reopened afterwards.",
    )
