"""Addresses of the judge API, below /api/v1/."""

from __future__ import annotations

from django.urls import path

from judging.api import (
    judges,
    marks,
    panels,
    providers,
    runs,
    trials,
    verdict_files,
)

app_name = "judging-api"

JUDGE = "judges/<slug:name>/<int:version>/"
RUN = "runs/<int:run_id>/"

urlpatterns = [
    path("judges/", judges.JudgesView.as_view(), name="judges"),
    path("judges/template/", judges.TemplateView.as_view(), name="template"),
    path("judges/<slug:name>/", judges.VersionsView.as_view(), name="judge-versions"),
    path("panels/", panels.PanelsView.as_view(), name="panels"),
    path(JUDGE, judges.JudgeView.as_view(), name="judge"),
    path(f"{JUDGE}lint/", judges.LintView.as_view(), name="lint"),
    path(f"{JUDGE}freeze/", judges.FreezeView.as_view(), name="freeze"),
    path(f"{JUDGE}copy/", judges.CopyView.as_view(), name="copy"),
    path(
        f"{JUDGE}test-connection/",
        trials.ConnectionView.as_view(),
        name="test-connection",
    ),
    path(f"{JUDGE}test-pair/", trials.TrialView.as_view(), name="test-pair"),
    path(f"{JUDGE}retire/", judges.RetireView.as_view(), name="retire"),
    path(
        "judges/<slug:name>/<int:old>/<int:new>/",
        judges.DifferenceView.as_view(),
        name="difference",
    ),
    path("providers/", providers.ProvidersView.as_view(), name="providers"),
    path("providers/<slug:alias>/", providers.ProviderView.as_view(), name="provider"),
    path(
        "providers/<slug:alias>/prices/",
        providers.PricesView.as_view(),
        name="prices",
    ),
    path("runs/", runs.RunsView.as_view(), name="runs"),
    path("runs/import/", verdict_files.VerdictFilesView.as_view(), name="import"),
    path("runs/estimate/", runs.EstimateView.as_view(), name="estimate"),
    path(f"{RUN}progress/", runs.ProgressView.as_view(), name="progress"),
    path(f"{RUN}pause/", runs.PauseView.as_view(), name="pause"),
    path(f"{RUN}resume/", runs.ResumeView.as_view(), name="resume"),
    path(f"{RUN}stop/", runs.StopView.as_view(), name="stop"),
    path(f"{RUN}budget/", runs.BudgetView.as_view(), name="budget"),
    path(f"{RUN}marks/", marks.MarksView.as_view(), name="marks"),
    path(
        f"{RUN}marks/systems/",
        marks.SystemMarksView.as_view(),
        name="marks-by-system",
    ),
    path(f"{RUN}calls/", runs.CallsView.as_view(), name="calls"),
]
