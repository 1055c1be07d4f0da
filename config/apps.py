"""The project's own apps: system checks, and the admin for leads."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class ProjectConfig(AppConfig):
    """Registers the system checks."""

    name = "config"
    label = "project"

    def ready(self) -> None:
        """Register the checks of this project."""
        import_module("config.checks")


class EvenhandAdminConfig(AdminConfig):
    """Django's admin behind our site class."""

    default_site = "config.accounts.admin_base.LeadAdminSite"
