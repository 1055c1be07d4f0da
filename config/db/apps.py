"""The app that installs the database guards."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class GuardsConfig(AppConfig):
    """Installs the guards after each migrate (config/db/guards.py)."""

    name = "config.db"
    label = "guards"

    def ready(self) -> None:
        """Listen to migrations, once each: Django sends one signal for each app."""
        from config.db import guards  # noqa: PLC0415 - needs the loaded registry

        pre_migrate.connect(guards.remove_before_migrate, sender=self)
        post_migrate.connect(guards.install_after_migrate, sender=self)
