"""Addresses of the annotation pages."""

from __future__ import annotations

from django.urls import path

from annotation.views import adjudication, labelling, rulings

app_name = "annotation"

urlpatterns = [
    path("label/<int:round_id>/", labelling.label, name="label"),
    path("label/<int:round_id>/answer", labelling.answer, name="answer"),
    path("label/<int:round_id>/skip", labelling.skip, name="skip"),
    path("adjudicate/", adjudication.adjudicate, name="adjudicate"),
    path("adjudicate/<uuid:token>/", adjudication.history, name="ruling-history"),
    path("adjudicate/<uuid:token>/first", adjudication.first, name="first-ruling"),
    path("adjudicate/<uuid:token>/rule", adjudication.rule, name="rule"),
    path("adjudicate/<uuid:token>/back", adjudication.give_back, name="give-back"),
    path("adjudicate/<uuid:token>/keep", adjudication.keep, name="keep-hearing"),
    path("gold-sets/<slug:name>/rulings/", rulings.index, name="rulings"),
    path("gold-sets/<slug:name>/corrections/", rulings.correct, name="corrections"),
]
