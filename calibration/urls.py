"""Addresses of the calibration pages."""

from __future__ import annotations

from django.urls import path

from calibration.views import (
    ablations,
    audits,
    comparisons,
    contradictions,
    decisions,
    exports,
    gold_sets,
    looks,
    planner,
    policies,
    ranking,
    release_starts,
    releases,
    reports,
    reviews,
    runs,
    sentinels,
    waivers,
)

app_name = "calibration"

urlpatterns = [
    path("audit/", audits.bundles, name="audit"),
    path("activity/", audits.log, name="activity"),
    path("reports/", reports.index, name="reports"),
    path("reports/compare/", comparisons.reports, name="compare-reports"),
    path("reports/<int:report_id>/", reports.report, name="report"),
    path("reports/<int:report_id>.json", reports.as_json, name="report-json"),
    path("reports/<int:report_id>.html", reports.as_html, name="report-html"),
    path("gold-sets/", gold_sets.index, name="gold-sets"),
    path("gold-sets/<slug:name>/", gold_sets.detail, name="gold-set"),
    path("gold-sets/<slug:name>/compare/", comparisons.judges, name="compare-judges"),
    path("gold-sets/<slug:name>/ablations/", ablations.ablations, name="ablations"),
    path("gold-sets/<slug:name>/plan/", planner.plan, name="plan-labels"),
    path("gold-sets/<slug:name>/plan/round", planner.open_round, name="plan-round"),
    path("gold-sets/<slug:name>/export", exports.export, name="export"),
    path("gold-sets/<slug:name>/looks/", looks.index, name="looks"),
    path("gold-sets/<slug:name>/looks/plan", looks.plan, name="plan-looks"),
    path("gold-sets/<slug:name>/looks/unseal", looks.open_seal, name="unseal"),
    path("reports/<int:report_id>.csv", reports.as_csv, name="report-csv"),
    path("reports/<int:report_id>/cases/", reviews.case_list, name="cases"),
    path(
        "reports/<int:report_id>/contradictions/",
        contradictions.contradictions,
        name="contradictions",
    ),
    path("reports/<int:report_id>/disagreements/", reviews.index, name="disagreements"),
    path(
        "reports/<int:report_id>/disagreements/open",
        reviews.open_look,
        name="open-held-out",
    ),
    path(
        "reports/<int:report_id>/disagreements/<int:pair_id>/",
        reviews.pair,
        name="disagreement",
    ),
    path(
        "reports/<int:report_id>/disagreements/<int:pair_id>/decide",
        reviews.decide,
        name="decide",
    ),
    path("reports/<int:report_id>/look", looks.sealed, name="sealed-look"),
    path("sentinels/", sentinels.index, name="sentinels"),
    path("sentinels/new/", sentinels.new, name="sentinel-new"),
    path("sentinels/panels/<slug:name>/", sentinels.detail, name="sentinel"),
    path("sentinels/panels/<slug:name>/check", sentinels.check, name="sentinel-check"),
    path(
        "sentinels/panels/<slug:name>/settle", sentinels.settle, name="sentinel-settle"
    ),
    path("sentinels/panels/<slug:name>/end", sentinels.end, name="sentinel-end"),
    path(
        "sentinels/panels/<slug:name>/alarms/<int:alarm_id>/acknowledge",
        sentinels.acknowledge,
        name="sentinel-acknowledge",
    ),
    path("runs/<int:run_id>/", runs.detail, name="run"),
    path("releases/", releases.index, name="releases"),
    path("releases/new/", release_starts.new, name="release-new"),
    path("releases/<int:run_id>/", releases.detail, name="release"),
    path("releases/<int:run_id>/decide", releases.decide, name="decide-release"),
    path("releases/<int:run_id>/review", releases.review, name="review-release"),
    path("decisions/<int:decision_id>/", decisions.detail, name="decision"),
    path("decisions/<int:decision_id>.json", decisions.as_json, name="decision-json"),
    path("decisions/<int:decision_id>.xml", decisions.as_junit, name="decision-junit"),
    path("policies/", policies.index, name="policies"),
    path("policies/<int:policy_id>/", policies.detail, name="policy"),
    path("policies/<int:policy_id>/freeze", policies.freeze, name="freeze-policy"),
    path("waivers/", waivers.index, name="waivers"),
    path("waivers/<int:waiver_id>/confirm", waivers.confirm, name="confirm-waiver"),
    path("waivers/<int:waiver_id>/revoke", waivers.revoke, name="revoke-waiver"),
    path("runs/<int:run_id>/report", runs.make_report, name="make-report"),
    path("runs/<int:run_id>/ranking/", ranking.ranking, name="ranking"),
]
