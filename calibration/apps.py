"""The calibration app."""

from __future__ import annotations

from django.apps import AppConfig


class CalibrationConfig(AppConfig):
    """Registers the app under its own name, and answers what earlier apps ask of it."""

    name = "calibration"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Be told of held-out gold that is shown, and asked where judges differ."""
        from annotation.services.corrections import ask_of_judges  # noqa: PLC0415
        from annotation.services.held_out import tell_of_showings  # noqa: PLC0415
        from calibration.services.differing import differing_pairs  # noqa: PLC0415
        from calibration.services.looks import log_showing  # noqa: PLC0415

        ask_of_judges(differing_pairs)
        tell_of_showings(log_showing)
