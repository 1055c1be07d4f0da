"""The annotation app."""

from __future__ import annotations

from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    """Registers the app under its own name."""

    name = "annotation"
    default_auto_field = "django.db.models.BigAutoField"
