"""Addresses of the labelling API, below /api/v1/."""

from __future__ import annotations

from django.urls import path

from annotation.api import (
    adjudication,
    gold,
    gold_quality,
    imports,
    own_labels,
    rounds,
    set_data,
    set_options,
    views,
)

urlpatterns = [
    path("gold-sets/", set_data.GoldSetsView.as_view(), name="api-gold-sets"),
    path("gold-sets/<slug:name>/", set_data.GoldSetView.as_view(), name="api-gold-set"),
    path(
        "gold-sets/<slug:name>/cases/",
        set_data.CasesView.as_view(),
        name="api-set-cases",
    ),
    path(
        "gold-sets/<slug:name>/cases/<int:case_id>/",
        set_data.CaseView.as_view(),
        name="api-set-case",
    ),
    path(
        "gold-sets/<slug:name>/pairs/",
        set_data.PairsView.as_view(),
        name="api-set-pairs",
    ),
    path("rounds/", views.RoundsView.as_view(), name="api-rounds"),
    path("rounds/<int:round_id>/next", views.NextView.as_view(), name="api-next"),
    path(
        "assignments/<uuid:token>/label",
        views.LabelView.as_view(),
        name="api-label",
    ),
    path(
        "rounds/<int:round_id>/labels",
        own_labels.OwnLabelsView.as_view(),
        name="api-own-labels",
    ),
    path(
        "rounds/<int:round_id>/guideline",
        own_labels.GuidelineReadView.as_view(),
        name="api-guideline-read",
    ),
    path(
        "assignments/<uuid:token>/",
        own_labels.LabelledPairView.as_view(),
        name="api-labelled-pair",
    ),
    path(
        "assignments/<uuid:token>/draft",
        own_labels.DraftView.as_view(),
        name="api-draft",
    ),
    path(
        "gold-sets/<slug:name>/settings",
        set_options.SetOptionsView.as_view(),
        name="api-set-options",
    ),
    path(
        "gold-sets/<slug:name>/guideline",
        set_options.GuidelinesView.as_view(),
        name="api-guidelines",
    ),
    path("assignments/<uuid:token>/skip", views.SkipView.as_view(), name="api-skip"),
    path(
        "adjudications/next",
        adjudication.NextHearingView.as_view(),
        name="api-adjudications-next",
    ),
    path(
        "adjudications/<uuid:token>/first",
        adjudication.FirstRulingView.as_view(),
        name="api-adjudications-first",
    ),
    path(
        "adjudications/<uuid:token>/ruling",
        adjudication.RulingView.as_view(),
        name="api-adjudications-ruling",
    ),
    path(
        "adjudications/<uuid:token>/back",
        adjudication.GiveBackView.as_view(),
        name="api-adjudications-back",
    ),
    path(
        "adjudications/<uuid:token>/history",
        adjudication.HistoryView.as_view(),
        name="api-adjudications-history",
    ),
    path(
        "gold-sets/<slug:name>/rulings/",
        adjudication.ChainsView.as_view(),
        name="api-rulings",
    ),
    path(
        "gold-sets/<slug:name>/rulings/held-out/",
        adjudication.HeldOutChainsView.as_view(),
        name="api-rulings-held-out",
    ),
    path(
        "gold-sets/<slug:name>/corrections/",
        adjudication.CorrectionsView.as_view(),
        name="api-corrections",
    ),
    path("imports/", imports.ImportsView.as_view(), name="api-imports"),
    path("imports/<uuid:token>/", imports.ImportView.as_view(), name="api-import"),
    path(
        "imports/<uuid:token>/commit",
        imports.CommitView.as_view(),
        name="api-import-commit",
    ),
    path(
        "gold-sets/<slug:name>/splits",
        gold.SplitsView.as_view(),
        name="api-splits",
    ),
    path(
        "gold-sets/<slug:name>/gold",
        gold.GoldStateView.as_view(),
        name="api-gold-state",
    ),
    path(
        "gold-sets/<slug:name>/gold/versions",
        gold.VersionsView.as_view(),
        name="api-gold-versions",
    ),
    path(
        "gold-sets/<slug:name>/gold/versions/<int:old>/changes/<int:new>",
        gold.GoldDiffView.as_view(),
        name="api-gold-diff",
    ),
    path(
        "gold-sets/<slug:name>/quality",
        gold_quality.QualityView.as_view(),
        name="api-quality",
    ),
    path(
        "gold-sets/<slug:name>/checks",
        gold_quality.ChecksView.as_view(),
        name="api-checks",
    ),
    path(
        "gold-sets/<slug:name>/set-aside",
        gold_quality.SetAsideView.as_view(),
        name="api-set-aside",
    ),
    path(
        "gold-sets/<slug:name>/let-in",
        gold_quality.LetInView.as_view(),
        name="api-let-in",
    ),
    path(
        "gold-sets/<slug:name>/rounds/",
        rounds.SetRoundsView.as_view(),
        name="api-set-rounds",
    ),
    path("rounds/<int:round_id>/", rounds.RoundView.as_view(), name="api-round"),
    path("rounds/<int:round_id>/close", rounds.CloseView.as_view(), name="api-close"),
    path(
        "rounds/<int:round_id>/reopen", rounds.ReopenView.as_view(), name="api-reopen"
    ),
    path(
        "rounds/<int:round_id>/members/",
        rounds.MembersView.as_view(),
        name="api-round-members",
    ),
    path(
        "rounds/<int:round_id>/members/<str:username>",
        rounds.MemberView.as_view(),
        name="api-round-member",
    ),
    path(
        "rounds/<int:round_id>/balance",
        rounds.BalanceView.as_view(),
        name="api-round-balance",
    ),
]
