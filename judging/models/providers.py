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
    use_env_proxy = models.BooleanField(default=False)
    simulated = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.alias
