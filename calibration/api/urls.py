"""Addresses of the calibration API, below /api/v1/."""

from __future__ import annotations

from django.urls import path

from calibration.api import (
    comparisons,
    downloads,
    exports,
    looks,
    planner,
    reviews,
    views,
)
from calibration.services.exports import ExportKind

urlpatterns = [
    path("reports/", views.ReportsView.as_view(), name="api-reports"),
    path(
        "reports/compare",
        comparisons.ReportsView.as_view(),
        name="api-compare-reports",
    ),
    path(
        "gold-sets/<slug:name>/compare",
        comparisons.JudgesView.as_view(),
        name="api-compare-judges",
    ),
    path(
        "gold-sets/<slug:name>/plan",
        planner.PlannerView.as_view(),
        name="api-plan-labels",
    ),
    path("reports/<int:report_id>/", views.ReportView.as_view(), name="api-report"),
    path(
        "reports/<int:report_id>/csv",
        downloads.ReportCsvView.as_view(),
        name="api-report-csv",
    ),
    path(
        "reports/<int:report_id>/html",
        downloads.ReportHtmlView.as_view(),
        name="api-report-html",
    ),
    *[
        path(
            f"gold-sets/<slug:name>/exports/{kind.value}",
            exports.ExportView.as_view(),
            {"kind": kind.value},
            name=f"api-export-{kind.value}",
        )
        for kind in ExportKind
    ],
    path(
        "reports/<int:report_id>/cases/",
        reviews.CasesView.as_view(),
        name="api-cases",
    ),
    path(
        "reports/<int:report_id>/disagreements/",
        reviews.DisagreementsView.as_view(),
        name="api-disagreements",
    ),
    path(
        "reports/<int:report_id>/disagreements/open",
        reviews.OpenHeldOutView.as_view(),
        name="api-open-held-out",
    ),
    path(
        "reports/<int:report_id>/disagreements/<int:pair_id>/",
        reviews.DisagreementView.as_view(),
        name="api-disagreement",
    ),
    path(
        "reports/<int:report_id>/disagreements/<int:pair_id>/disposition",
        reviews.DispositionView.as_view(),
        name="api-disposition",
    ),
    path(
        "reports/<int:report_id>/look",
        looks.SealedLookView.as_view(),
        name="api-sealed-look",
    ),
    path("gold-sets/<slug:name>/looks/", looks.LogView.as_view(), name="api-looks"),
    path(
        "gold-sets/<slug:name>/looks/plan",
        looks.PlanView.as_view(),
        name="api-plan-looks",
    ),
    path(
        "gold-sets/<slug:name>/looks/unseal",
        looks.UnsealView.as_view(),
        name="api-unseal",
    ),
    path("runs/<int:run_id>/", views.RunView.as_view(), name="api-run"),
]
