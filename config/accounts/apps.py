"""The accounts app."""

from __future__ import annotations

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Users and roles."""

    name = "config.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"
