"""The calibration app."""

from __future__ import annotations

from django.apps import AppConfig


class CalibrationConfig(AppConfig):
    """Registers the app under its own name."""

    name = "calibration"
    default_auto_field = "django.db.models.BigAutoField"
