"""Addresses of the calibration API, below /api/v1/."""

from __future__ import annotations

from django.urls import path

from calibration.api import views

urlpatterns = [
    path("reports/", views.ReportsView.as_view(), name="api-reports"),
    path("reports/<int:report_id>/", views.ReportView.as_view(), name="api-report"),
    path("runs/<int:run_id>/", views.RunView.as_view(), name="api-run"),
]
