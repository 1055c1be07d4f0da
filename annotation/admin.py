"""Stored records for leads to look at; rows are made by the services alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.apps import apps
from django.contrib import admin
from django.db.models import Q
from django.utils import timezone

from annotation import models
from annotation.domain.outcomes import Split
from annotation.services.exposures import record_exposures
from config.accounts.admin_base import ReadOnlyAdmin

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet
    from django.http import HttpRequest, HttpResponse

    from config.accounts.models import User

# Per model: its columns, the fields to filter by, the fields to search in.
LISTS: dict[type[Model], tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    models.GoldSet: (
        ("name", "title", "consensus_rule", "labels_per_pair", "judged_at"),
        ("consensus_rule", "simulated"),
        ("name", "title"),
    ),
    models.System: (("name", "gold_set", "position"), ("gold_set",), ("name",)),
    models.Case: (
        ("external_id", "gold_set", "split", "critical", "group"),
        ("gold_set", "split", "critical"),
        ("external_id", "group"),
    ),
    models.Response: (("id", "case", "system", "length"), (), ("sha256",)),
    models.Pair: (
        ("id", "gold_set", "case", "designed"),
        ("gold_set", "designed"),
        ("digest",),
    ),
    models.Guideline: (("gold_set", "version", "created_at"), ("gold_set",), ()),
    models.Round: (
        ("name", "gold_set", "labels_per_pair", "opened_at", "closed_at"),
        ("gold_set",),
        ("name",),
    ),
    models.RoundMember: (("round", "reviewer", "added_at"), ("round",), ()),
    models.Seat: (
        ("id", "round", "pass_no", "order", "available_at"),
        ("round", "order"),
        (),
    ),
    models.Assignment: (
        ("token", "round", "order", "claimed_at", "ended_at"),
        ("round", "order"),
        (),
    ),
    models.Label: (
        ("id", "pair", "outcome", "order", "revision", "created_at"),
        ("outcome", "order"),
        ("external_reviewer",),
    ),
    models.Upload: (("token", "owner", "uploaded_at", "expires_at"), (), ()),
    models.Skip: (("round", "pair", "skipped_at"), ("round",), ()),
    models.Adjudication: (
        ("pair", "sequence", "outcome", "category", "after_judge", "created_at"),
        ("outcome", "category", "after_judge"),
        ("digest",),
    ),
    models.Exposure: (("user", "pair", "kind", "seen_at"), ("kind",), ()),
    models.GoldVersion: (
        ("gold_set", "number", "rule", "pairs", "left_open", "created_at"),
        ("gold_set", "rule"),
        ("digest",),
    ),
    models.GoldItem: (
        ("version", "pair", "split", "outcome", "source", "open_reason"),
        ("version", "split", "source"),
        (),
    ),
    models.GuidelineSeen: (("user", "guideline", "seen_at"), (), ()),
    models.Draft: (("assignment", "saved_at"), (), ()),
    models.RulingRequest: (
        ("pair", "kind", "category", "requested_at", "closed_at"),
        ("kind", "category"),
        ("note",),
    ),
    models.RulingHold: (("pair", "adjudicator", "held_until"), (), ()),
    models.SplitAssignment: (
        ("gold_set", "held_out_share", "dev", "held_out", "moved", "assigned_at"),
        ("gold_set",),
        ("digest",),
    ),
    models.SetCheck: (("gold_set", "cases", "checked_at"), ("gold_set",), ()),
    models.SetAside: (
        ("pair", "reason", "set_aside_at", "lifted_at"),
        ("reason",),
        (),
    ),
}

# What tells gold, labels or orders of a pair, by the way to the pair. Of held-out pairs
# it is never shown here: nothing on these pages is logged as a look. Nor of pairs that
# people label now, or whose labels were disclosed nowhere yet: nothing on these pages
# asks before it discloses a round.
TELLING: dict[type[Model], str] = {
    models.Label: "pair",
    models.Adjudication: "pair",
    models.GoldItem: "pair",
    models.Hearing: "pair",
    models.RulingRequest: "pair",
    models.Draft: "assignment__pair",
    models.Seat: "pair",
    models.Assignment: "pair",
}
# These tell no more than whose system made what.
SYSTEMS_ONLY = (models.Seat, models.Assignment, models.Response)
EXPOSING = (models.ExposureKind.LABELS, models.ExposureKind.SYSTEMS)


class NotingAdmin(ReadOnlyAdmin):
    """Rows that tell something of a pair: whoever is shown one is noted for it.

    They are never given that pair to label (DESIGN rule 6).
    """

    pair = ""
    kinds: tuple[models.ExposureKind, ...] = EXPOSING

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show a list, and note of which pairs it tells."""
        shown = super().changelist_view(request, extra_context)
        changes = (getattr(shown, "context_data", None) or {}).get("cl")
        if changes is not None:
            self._note(request, [row.pk for row in changes.result_list])
        return shown

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show one row, and note of which pair it tells."""
        self._note_one(request, object_id)
        return super().change_view(request, object_id, form_url, extra_context)

    def history_view(
        self,
        request: HttpRequest,
        object_id: str,
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Django's page on what the admin changed: nothing, but it names the row."""
        self._note_one(request, object_id)
        return super().history_view(request, object_id, extra_context)

    def _note_one(self, request: HttpRequest, object_id: str) -> None:
        found = self.get_object(request, object_id)
        if found is not None and self.has_view_permission(request, found):
            self._note(request, [found.pk])

    def _note(self, request: HttpRequest, keys: list[Any]) -> None:
        rows = self.model._default_manager.filter(pk__in=keys)
        pairs = set(rows.values_list(self.pair, flat=True)) - {None}
        for kind in self.kinds:
            record_exposures(
                user=cast("User", request.user),
                pair_ids=pairs,
                kind=kind,
                now=timezone.now(),
            )


class TellingAdmin(NotingAdmin):
    """Rows of pairs that are held out nowhere, and that nobody labels blind."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Leave out what is held out, here or as the same texts elsewhere, or blind."""
        held_out = models.Pair.objects.filter(case__split=Split.HELD_OUT.value)
        blind = models.Seat.objects.filter(
            Q(round__closed_at__isnull=True)
            | Q(round__disclosed_at__isnull=True, available_at__isnull=True)
        )
        rows: QuerySet[Any] = super().get_queryset(request)
        same_texts = {f"{self.pair}__texts_digest__in": held_out.values("texts_digest")}
        return rows.exclude(**same_texts).exclude(
            **{f"{self.pair}__in": blind.values("pair")}
        )


PLAIN: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]] = (("__str__",), (), ())

for model in apps.get_app_config("annotation").get_models():
    columns, filters, searched = LISTS.get(model, PLAIN)
    options = {
        "list_display": columns,
        "list_filter": filters,
        "search_fields": searched,
        "list_select_related": True,
        "show_full_result_count": False,
    }
    if model in SYSTEMS_ONLY:
        options["kinds"] = (models.ExposureKind.SYSTEMS,)
    if model in TELLING:
        options["pair"] = TELLING[model]
        admin.site.register(model, TellingAdmin, **options)
    elif model is models.Response:
        options["pair"] = "case__pairs"
        admin.site.register(model, NotingAdmin, **options)
    else:
        admin.site.register(model, ReadOnlyAdmin, **options)
