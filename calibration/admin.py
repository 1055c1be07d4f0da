"""Reports and looks among the records: read only, and no door to held-out results."""

from __future__ import annotations

from django.contrib import admin

from calibration.models import Look, Report
from config.accounts.admin_base import ReadOnlyAdmin


@admin.register(Report)
class ReportAdmin(ReadOnlyAdmin):
    """What a report is of; its figures are on its page, where looks are logged."""

    exclude = ("payload",)
    list_display = ("id", "run", "gold_version", "created_at", "created_by", "digest")
    list_select_related = ("run", "gold_version__gold_set", "created_by")
    search_fields = ("digest", "run__config__name", "gold_version__gold_set__name")


@admin.register(Look)
class LookAdmin(ReadOnlyAdmin):
    """Who saw held-out results."""

    list_display = ("gold_set", "number", "report", "looked_at", "looked_by", "door")
    list_filter = ("gold_set", "door")
    list_select_related = ("gold_set", "report", "looked_by")
