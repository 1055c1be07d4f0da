"""The judging app."""

from __future__ import annotations

from django.apps import AppConfig


class JudgingConfig(AppConfig):
    """Registers the app under its own name."""

    name = "judging"
    default_auto_field = "django.db.models.BigAutoField"
