"""Stored records for leads to look at; rows are made by the services alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.contrib import admin

from annotation import models
from annotation.domain.outcomes import Split
from config.accounts.admin_base import ReadOnlyAdmin

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet
    from django.http import HttpRequest

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

# What tells gold or labels of a pair, by the way to the pair. Of held-out pairs it is
# never shown here: nothing on these pages is logged as a look.
TELLING: dict[type[Model], str] = {
    models.Label: "pair",
    models.Adjudication: "pair",
    models.GoldItem: "pair",
    models.Hearing: "pair",
    models.RulingRequest: "pair",
    models.Draft: "assignment__pair",
}


class TellingAdmin(ReadOnlyAdmin):
    """Rows that are shown of pairs that are held out nowhere."""

    pair = ""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Leave out pairs that are held out, here or as the same texts elsewhere."""
        held_out = models.Pair.objects.filter(case__split=Split.HELD_OUT.value)
        rows: QuerySet[Any] = super().get_queryset(request)
        same_texts = {f"{self.pair}__texts_digest__in": held_out.values("texts_digest")}
        return rows.exclude(**same_texts)


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
    if model in TELLING:
        options["pair"] = TELLING[model]
        admin.site.register(model, TellingAdmin, **options)
    else:
        admin.site.register(model, ReadOnlyAdmin, **options)
