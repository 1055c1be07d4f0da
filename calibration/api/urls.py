"""Addresses of the calibration API, below /api/v1/."""

from __future__ import annotations

from django.urls import path

from calibration.api import (
    audits,
    comparisons,
    contradictions,
    downloads,
    exports,
    looks,
    planner,
    policies,
    rankings,
    release_starts,
    releases,
    reviews,
    sentinels,
    views,
)
from calibration.services.exports import ExportKind

urlpatterns = [
    path("audit/bundles/", audits.BundlesView.as_view(), name="api-audit-bundles"),
    path("activity/", audits.ActivityView.as_view(), name="api-activity"),
    path(
        "gold-sets/<slug:name>/exports/notes",
        audits.NotesView.as_view(),
        name="api-export-notes",
    ),
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
        "gold-sets/<slug:name>/ablations",
        comparisons.AblationsView.as_view(),
        name="api-ablations",
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
        "reports/<int:report_id>/contradictions/",
        contradictions.ContradictionsView.as_view(),
        name="api-contradictions",
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
    path(
        "runs/<int:run_id>/ranking",
        rankings.RankingView.as_view(),
        name="api-ranking",
    ),
    path("sentinels/", sentinels.SentinelsView.as_view(), name="api-sentinels"),
    path(
        "sentinels/<slug:name>/", sentinels.SentinelView.as_view(), name="api-sentinel"
    ),
    path(
        "sentinels/<slug:name>/check",
        sentinels.SentinelCheckView.as_view(),
        name="api-sentinel-check",
    ),
    path(
        "sentinels/<slug:name>/end",
        sentinels.SentinelEndView.as_view(),
        name="api-sentinel-end",
    ),
    path(
        "sentinels/<slug:name>/alarms/<int:alarm_id>/acknowledge",
        sentinels.AcknowledgeView.as_view(),
        name="api-sentinel-acknowledge",
    ),
    path("policies/", policies.PoliciesView.as_view(), name="api-policies"),
    path(
        "policies/schema",
        policies.PolicySchemaView.as_view(),
        name="api-policy-schema",
    ),
    path("policies/<int:policy_id>/", policies.PolicyView.as_view(), name="api-policy"),
    path(
        "policies/<int:policy_id>/freeze",
        policies.FreezePolicyView.as_view(),
        name="api-freeze-policy",
    ),
    path("releases/", releases.ReleasesView.as_view(), name="api-releases"),
    path(
        "releases/start",
        release_starts.StartView.as_view(),
        name="api-start-release",
    ),
    path(
        "releases/estimate",
        release_starts.EstimateView.as_view(),
        name="api-estimate-release",
    ),
    path("releases/<int:run_id>/", releases.ReleaseView.as_view(), name="api-release"),
    path(
        "releases/<int:run_id>/decide",
        releases.DecideView.as_view(),
        name="api-decide-release",
    ),
    path(
        "releases/<int:run_id>/review",
        releases.ReviewView.as_view(),
        name="api-review-release",
    ),
    path("decisions/", releases.DecisionsView.as_view(), name="api-decisions"),
    path(
        "decisions/<int:decision_id>/",
        releases.DecisionView.as_view(),
        name="api-decision",
    ),
    path("waivers/", policies.WaiversView.as_view(), name="api-waivers"),
    path(
        "waivers/<int:waiver_id>/confirm",
        policies.ConfirmWaiverView.as_view(),
        name="api-confirm-waiver",
    ),
    path(
        "waivers/<int:waiver_id>/revoke",
        policies.RevokeWaiverView.as_view(),
        name="api-revoke-waiver",
    ),
]
