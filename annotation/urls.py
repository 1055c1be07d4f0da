"""Addresses of the annotation pages."""

from __future__ import annotations

from django.urls import path

from annotation.views import (
    adjudication,
    drafts,
    gold,
    history,
    hygiene,
    imports,
    labelling,
    quality,
    rounds,
    rulings,
    set_aside,
    set_options,
)

app_name = "annotation"

urlpatterns = [
    path("label/<int:round_id>/", labelling.label, name="label"),
    path("label/<int:round_id>/answer", labelling.answer, name="answer"),
    path("label/<int:round_id>/skip", labelling.skip, name="skip"),
    path("label/<int:round_id>/mine/", history.mine, name="my-labels"),
    path("label/<int:round_id>/last/", history.last, name="my-last-label"),
    path(
        "label/<int:round_id>/guideline",
        labelling.guideline_read,
        name="guideline-read",
    ),
    path("label/draft", drafts.keep, name="draft"),
    path("label/pairs/<uuid:token>/", history.again, name="reopen"),
    path("label/pairs/<uuid:token>/texts", labelling.texts, name="texts"),
    path("adjudicate/", adjudication.adjudicate, name="adjudicate"),
    path("adjudicate/<uuid:token>/", adjudication.history, name="ruling-history"),
    path("adjudicate/<uuid:token>/texts", adjudication.texts, name="hearing-texts"),
    path("adjudicate/<uuid:token>/first", adjudication.first, name="first-ruling"),
    path("adjudicate/<uuid:token>/rule", adjudication.rule, name="rule"),
    path("adjudicate/<uuid:token>/back", adjudication.give_back, name="give-back"),
    path("adjudicate/<uuid:token>/keep", adjudication.keep, name="keep-hearing"),
    path("gold-sets/<slug:name>/settings/", set_options.options, name="set-options"),
    path("gold-sets/<slug:name>/guideline/", set_options.guideline, name="guideline"),
    path("gold-sets/<slug:name>/rulings/", rulings.index, name="rulings"),
    path("gold-sets/<slug:name>/corrections/", rulings.correct, name="corrections"),
    path("gold-sets/<slug:name>/splits/", gold.splits, name="splits"),
    path("gold-sets/<slug:name>/gold/", gold.freeze, name="freeze"),
    path(
        "gold-sets/<slug:name>/gold/<int:old>/<int:new>/", gold.diff, name="gold-diff"
    ),
    path("gold-sets/<slug:name>/quality/", quality.quality, name="quality"),
    path("gold-sets/<slug:name>/checks/", hygiene.checks, name="checks"),
    path(
        "gold-sets/<slug:name>/checks/<slug:check>.csv",
        hygiene.findings_csv,
        name="findings",
    ),
    path("gold-sets/<slug:name>/set-aside", set_aside.keep_out, name="keep-out"),
    path("gold-sets/<slug:name>/let-in", set_aside.let_in, name="let-in"),
    path("gold-sets/<slug:name>/cases/<int:case_id>/", set_aside.case, name="case"),
    path("imports/", imports.start, name="import"),
    path("imports/<uuid:token>/", imports.show, name="import-preview"),
    path("imports/<uuid:token>/confirm", imports.confirm, name="import-confirm"),
    path("imports/<uuid:token>/discard", imports.discard, name="import-discard"),
    path("gold-sets/<slug:name>/rounds/new", rounds.new, name="round-new"),
    path("rounds/<int:round_id>/", rounds.detail, name="round"),
    path("rounds/<int:round_id>/close", rounds.close, name="round-close"),
    path("rounds/<int:round_id>/reopen", rounds.reopen, name="round-reopen"),
    path("rounds/<int:round_id>/add", rounds.add, name="round-add"),
    path("rounds/<int:round_id>/remove", rounds.remove, name="round-remove"),
    path("rounds/<int:round_id>/balance/", rounds.slot_balance, name="round-balance"),
]
