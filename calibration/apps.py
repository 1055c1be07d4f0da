"""The calibration app."""

from __future__ import annotations

from django.apps import AppConfig


class CalibrationConfig(AppConfig):
    """Registers the app under its own name, and counts what others show as looks."""

    name = "calibration"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Be told whenever pages of gold sets show held-out gold."""
        from annotation.services.held_out import tell_of_showings  # noqa: PLC0415
        from calibration.services.looks import log_showing  # noqa: PLC0415

        tell_of_showings(log_showing)
