"""Addresses of the annotation pages."""

from __future__ import annotations

from django.urls import path

from annotation.views import labelling

app_name = "annotation"

urlpatterns = [
    path("label/<int:round_id>/", labelling.label, name="label"),
    path("label/<int:round_id>/answer", labelling.answer, name="answer"),
    path("label/<int:round_id>/skip", labelling.skip, name="skip"),
]
