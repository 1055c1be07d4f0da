"""Judges, runs and replies among the records: read only.

Replies are not registered: they tell held-out verdicts, and every look at those is
logged on the pages that show them.
"""

from __future__ import annotations

from django.contrib import admin

from config.accounts.admin_base import ReadOnlyAdmin
from judging.models import (
    Batch,
    JudgeConfig,
    PanelSeat,
    Price,
    Provider,
    Retirement,
    Run,
)


@admin.register(Provider)
class ProviderAdmin(ReadOnlyAdmin):
    """Where judges live."""

    list_display = ("alias", "base_url", "api_key_env", "simulated")
    search_fields = ("alias", "base_url")


@admin.register(JudgeConfig)
class JudgeConfigAdmin(ReadOnlyAdmin):
    """Judges in all their versions."""

    list_display = (
        "name",
        "version",
        "kind",
        "provider",
        "verdict_format",
        "recorded",
        "frozen_at",
        "digest",
    )
    list_filter = ("kind", "recorded", "verdict_format")
    list_select_related = ("provider",)
    search_fields = ("name", "digest")


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    """Runs and how they stand."""

    list_display = (
        "id",
        "config",
        "gold_set",
        "status",
        "concurrency",
        "created_at",
        "finished_at",
    )
    list_filter = ("status", "gold_set")
    list_select_related = ("config", "gold_set")
    search_fields = ("config__name", "gold_set__name")


@admin.register(Price)
class PriceAdmin(ReadOnlyAdmin):
    """What models cost, by day; entered on the providers' pages."""

    list_display = (
        "provider",
        "model",
        "valid_from",
        "prompt",
        "completion",
        "currency",
        "created_at",
    )
    list_filter = ("provider",)
    list_select_related = ("provider",)
    search_fields = ("model",)


@admin.register(Retirement)
class RetirementAdmin(ReadOnlyAdmin):
    """Judges that no new run may use."""

    list_display = ("config", "retired_at", "retired_by", "reason")
    list_select_related = ("config", "retired_by")
    search_fields = ("config__name", "reason")


@admin.register(PanelSeat)
class PanelSeatAdmin(ReadOnlyAdmin):
    """Which members' runs a panel's run takes its votes from."""

    list_display = ("run", "member_run")
    list_select_related = ("run", "member_run")


@admin.register(Batch)
class BatchAdmin(ReadOnlyAdmin):
    """Batches that providers were given, and what became of them."""

    list_display = (
        "id",
        "run",
        "state",
        "provider_id",
        "provider_status",
        "requests",
        "answered",
        "submitted_at",
        "ended_at",
    )
    list_filter = ("state",)
    list_select_related = ("run",)
    search_fields = ("provider_id", "key")
