"""Addresses of the judge pages. A run's own page is calibration's."""

from __future__ import annotations

from django.urls import path

from judging.views import (
    calls,
    diagnostics,
    drafts,
    judges,
    marks,
    panels,
    providers,
    runs,
    verdict_files,
)

app_name = "judging"

JUDGE = "judges/<slug:name>/<int:version>/"

urlpatterns = [
    path("judges/", judges.index, name="judges"),
    path("judges/new/", drafts.new, name="new-judge"),
    path(
        "judges/new-pointwise/",
        drafts.new,
        {"pointwise": True},
        name="new-pointwise-judge",
    ),
    path("judges/new-panel/", panels.new, name="new-panel"),
    path("judges/preview", drafts.preview, name="preview"),
    path(JUDGE, judges.version, name="judge"),
    path(f"{JUDGE}shown", judges.shown_on, name="shown-on"),
    path(f"{JUDGE}edit", drafts.edit, name="edit-judge"),
    path(f"{JUDGE}freeze", drafts.freeze, name="freeze-judge"),
    path(f"{JUDGE}copy", drafts.copy, name="copy-judge"),
    path(f"{JUDGE}retire", drafts.retire, name="retire-judge"),
    path(f"{JUDGE}test", diagnostics.test, name="test-judge"),
    path("judges/<slug:name>/<int:old>/<int:new>/", judges.diff, name="judge-diff"),
    path("providers/", providers.index, name="providers"),
    path("providers/<slug:alias>/", providers.edit, name="provider"),
    path("providers/<slug:alias>/prices", providers.add_price, name="add-price"),
    path("runs/new/", runs.new, name="new-run"),
    path("runs/import/", verdict_files.start, name="import-verdicts"),
    path("runs/import/<uuid:token>/", verdict_files.show, name="verdicts-preview"),
    path(
        "runs/import/<uuid:token>/confirm",
        verdict_files.confirm,
        name="verdicts-confirm",
    ),
    path(
        "runs/import/<uuid:token>/discard",
        verdict_files.discard,
        name="verdicts-discard",
    ),
    path("runs/<int:run_id>/live", runs.live, name="run-live"),
    path("runs/<int:run_id>/pause", runs.pause, name="pause-run"),
    path("runs/<int:run_id>/resume", runs.resume, name="resume-run"),
    path("runs/<int:run_id>/stop", runs.stop, name="stop-run"),
    path("runs/<int:run_id>/budget", runs.budget, name="run-budget"),
    path("runs/<int:run_id>/calls/", calls.index, name="calls"),
    path("runs/<int:run_id>/calls/<int:pair_id>/", calls.transcript, name="transcript"),
    path("runs/<int:run_id>/marks/", marks.index, name="marks"),
    path("runs/<int:run_id>/marks/export", marks.export, name="export-marks"),
    path("runs/<int:run_id>/marks/<int:response_id>/", marks.response, name="mark"),
]
