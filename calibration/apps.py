"""The calibration app."""

from __future__ import annotations

from django.apps import AppConfig

TEND_SECONDS = 60.0


def _tend_sentinels() -> None:
    """Celery is imported by whoever works, and by no web process."""
    from calibration.tasks import tend_sentinels  # noqa: PLC0415 - as said

    tend_sentinels()


class CalibrationConfig(AppConfig):
    """Registers the app under its own name, and answers what earlier apps ask of it."""

    name = "calibration"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Be told of held-out gold that is shown, and asked where judges differ."""
        # Models can be imported only once all apps are known.
        from annotation.services.corrections import ask_of_judges  # noqa: PLC0415
        from annotation.services.held_out import tell_of_showings  # noqa: PLC0415
        from calibration.services.differing import differing_pairs  # noqa: PLC0415
        from calibration.services.looks import log_showing  # noqa: PLC0415
        from judging.services.chores import Chore, add_chore  # noqa: PLC0415

        add_chore(Chore("sentinels", TEND_SECONDS, _tend_sentinels))
        ask_of_judges(differing_pairs)
        tell_of_showings(log_showing)
