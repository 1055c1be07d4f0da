"""What the API takes where held-out gold may be looked at."""

from __future__ import annotations

from rest_framework import serializers


class LookQuerySerializer(serializers.Serializer[object]):
    """The query of a look."""

    reason = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=2000,
        help_text="Why you look; needed once the budget of looks is used up.",
    )


class HeldOutQuerySerializer(LookQuerySerializer):
    """Whether held-out pairs are shown too: a look, which locks the splits."""

    held_out = serializers.BooleanField(default=False)
