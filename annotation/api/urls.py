"""Addresses of the labelling API, below /api/v1/."""

from __future__ import annotations

from django.urls import path

from annotation.api import views

urlpatterns = [
    path("rounds/", views.RoundsView.as_view(), name="api-rounds"),
    path("rounds/<int:round_id>/next", views.NextView.as_view(), name="api-next"),
    path(
        "assignments/<uuid:token>/label",
        views.LabelView.as_view(),
        name="api-label",
    ),
    path("assignments/<uuid:token>/skip", views.SkipView.as_view(), name="api-skip"),
]
