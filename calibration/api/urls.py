"""Addresses of the calibration API, below /api/v1/."""

from __future__ import annotations

from django.urls import path

from calibration.api import exports, views
from calibration.services.exports import ExportKind

urlpatterns = [
    path("reports/", views.ReportsView.as_view(), name="api-reports"),
    path("reports/<int:report_id>/", views.ReportView.as_view(), name="api-report"),
    *[
        path(
            f"gold-sets/<slug:name>/exports/{kind.value}",
            exports.ExportView.as_view(),
            {"kind": kind.value},
            name=f"api-export-{kind.value}",
        )
        for kind in ExportKind
    ],
    path("runs/<int:run_id>/", views.RunView.as_view(), name="api-run"),
]
