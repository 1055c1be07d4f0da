"""Reports and looks among the records: read only, and no door to held-out results."""

from __future__ import annotations

from django.contrib import admin

from calibration.models import AuditExport, Decision, Look, Policy, Report, Waiver
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


@admin.register(Policy)
class PolicyAdmin(ReadOnlyAdmin):
    """Release policies; they are written and frozen on their own pages."""

    list_display = ("name", "version", "created_at", "frozen_at", "frozen_by", "digest")
    list_select_related = ("frozen_by",)
    search_fields = ("name", "digest")


@admin.register(Decision)
class DecisionAdmin(ReadOnlyAdmin):
    """What was decided; why stands on its page, where looks are logged."""

    exclude = ("evidence", "payload")
    list_display = ("id", "run", "policy", "result", "decided_at", "decided_by")
    list_filter = ("result",)
    list_select_related = ("run", "policy", "decided_by")
    search_fields = ("digest", "evidence_digest", "policy__name")


@admin.register(Waiver)
class WaiverAdmin(ReadOnlyAdmin):
    """Waivers as they were asked for."""

    list_display = ("id", "gold_set", "owner", "asked_by", "asked_at", "expires_at")
    list_filter = ("gold_set",)
    list_select_related = ("gold_set", "asked_by")


@admin.register(AuditExport)
class AuditExportAdmin(ReadOnlyAdmin):
    """Bundles that were handed out, with the digests of their manifests."""

    list_display = ("id", "scope", "rows", "exported_at", "exported_by", "actor")
    list_select_related = ("exported_by",)
    search_fields = ("manifest_digest",)
