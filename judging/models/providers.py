"""Where judges live. A secret is named, never stored."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class Provider(models.Model):
    """An OpenAI-compatible endpoint under an alias."""

    guard: ClassVar[str] = "mutable"

    alias = models.SlugField(max_length=80, unique=True)
    base_url = models.URLField(max_length=400, blank=True)
    api_key_env = models.CharField(
        max_length=80, blank=True, help_text="Name of an environment variable."
    )
    headers = models.JSONField(default=dict, blank=True)
    secret_headers = models.JSONField(
        default=dict, blank=True, help_text="Header: name of an environment variable."
    )
    query = models.JSONField(default=dict, blank=True)
    call_seconds = models.FloatField(
        default=120.0, help_text="A call that takes longer is given up and repeated."
    )
    use_env_proxy = models.BooleanField(default=False)
    simulated = models.BooleanField(default=False)

    class Meta:
        ordering = ["alias"]
        constraints = [
            models.CheckConstraint(
                name="provider_seconds_positive",
                condition=models.Q(call_seconds__gt=0),
            )
        ]

    def __str__(self) -> str:
        return self.alias
