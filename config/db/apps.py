"""The app that installs the database guards."""

from __future__ import annotations

from django.apps import AppConfig


class GuardsConfig(AppConfig):
    """Installs the guards after each migrate (config/db/guards.py)."""

    name = "config.db"
    label = "guards"
