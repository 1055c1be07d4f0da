"""Which rows the activity log is read from: when, who, and about which set."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db.models import Q

from annotation.models import (
    Adjudication,
    GoldSet,
    GoldVersion,
    Guideline,
    LabelImport,
    LookPlan,
    RequestKind,
    Round,
    RulingRequest,
    SetAside,
    SplitAssignment,
    Unsealing,
)
from calibration.models import (
    AuditExport,
    Decision,
    Disposition,
    Look,
    Policy,
    Report,
    ReviewRound,
    SentinelAcknowledgement,
    SentinelAlarm,
    SentinelPanel,
    SwapPanel,
    Waiver,
    WaiverConfirmation,
    WaiverRevocation,
)
from judging.models import JudgeConfig, Price, Retirement, Run, RunNote

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.db.models import Model, QuerySet

CORRECTION = Q(request__kind=RequestKind.CORRECTION) | Q(after_judge=True)


@dataclass(frozen=True, slots=True)
class Source:
    """Where the events of one kind come from: when, who, and about which set."""

    label: str
    rows: Callable[[], QuerySet[Any]]
    at: str
    by: str | None
    gold_set: str | None
    related: tuple[str, ...] = ()


def _all(model: type[Model], **conditions: Any) -> Callable[[], QuerySet[Any]]:
    return partial(model._default_manager.filter, **conditions)


_RULING = ("adjudicator", "pair__case", "pair__gold_set", "request")
_WAIVER = ("waiver__gold_set",)
SOURCES: Mapping[str, Source] = {
    "made_set": Source(
        "made a gold set", _all(GoldSet), "created_at", "created_by", "pk"
    ),
    "wrote_guideline": Source(
        "wrote a guideline", _all(Guideline), "created_at", "created_by", "gold_set",
        ("gold_set",),
    ),
    "assigned_splits": Source(
        "assigned splits", _all(SplitAssignment), "assigned_at", "assigned_by",
        "gold_set", ("gold_set",),
    ),
    "set_aside": Source(
        "set a pair aside", _all(SetAside), "set_aside_at", "set_aside_by",
        "pair__gold_set", ("pair__case", "pair__gold_set"),
    ),
    "opened_round": Source(
        "opened a round", _all(Round), "opened_at", "opened_by", "gold_set",
        ("gold_set",),
    ),
    "closed_round": Source(
        "closed a round", _all(Round, closed_at__isnull=False), "closed_at",
        "closed_by", "gold_set", ("gold_set",),
    ),
    "ruled": Source(
        "ruled on a dispute", lambda: Adjudication.objects.exclude(CORRECTION),
        "created_at", "adjudicator", "pair__gold_set", _RULING,
    ),
    "corrected": Source(
        "corrected gold", lambda: Adjudication.objects.filter(CORRECTION),
        "created_at", "adjudicator", "pair__gold_set", _RULING,
    ),
    "asked_correction": Source(
        "asked for a correction",
        _all(RulingRequest, kind=RequestKind.CORRECTION.value), "requested_at",
        "requested_by", "pair__gold_set", ("pair__case", "pair__gold_set"),
    ),
    "brought_labels": Source(
        "imported labels", _all(LabelImport), "imported_at", "imported_by", "gold_set",
        ("gold_set",),
    ),
    "froze_gold": Source(
        "froze gold", _all(GoldVersion), "created_at", "created_by", "gold_set",
        ("gold_set",),
    ),
    "planned_looks": Source(
        "planned looks", _all(LookPlan), "planned_at", "planned_by", "gold_set",
        ("gold_set",),
    ),
    "unsealed": Source(
        "unsealed results", _all(Unsealing), "unsealed_at", "unsealed_by", "gold_set",
        ("gold_set",),
    ),
    "looked": Source(
        "looked at held-out results", _all(Look), "looked_at", "looked_by", "gold_set",
        ("gold_set", "report__run__config"),
    ),
    "froze_judge": Source(
        "froze a judge", _all(JudgeConfig, frozen_at__isnull=False), "frozen_at",
        "frozen_by", None,
    ),
    "retired_judge": Source(
        "retired a judge", _all(Retirement), "retired_at", "retired_by", None,
        ("config",),
    ),
    "set_price": Source(
        "entered a price", _all(Price), "created_at", "created_by", None, ("provider",)
    ),
    "ran": Source(
        "started a run", _all(Run), "created_at", "created_by", "gold_set",
        ("config", "gold_set"),
    ),
    "held_run": Source(
        "paused, resumed or stopped a run", _all(RunNote), "noted_at", "noted_by",
        "run__gold_set", ("run__config", "run__gold_set"),
    ),
    "reported": Source(
        "made a report", _all(Report), "created_at", "created_by",
        "gold_version__gold_set", ("run__config", "gold_version__gold_set"),
    ),
    "found": Source(
        "judged a disagreement", _all(Disposition), "decided_at", "decided_by",
        "gold_version__gold_set", ("pair__case", "gold_version__gold_set"),
    ),
    "froze_policy": Source(
        "froze a policy", _all(Policy, frozen_at__isnull=False), "frozen_at",
        "frozen_by", None,
    ),
    "waived": Source(
        "asked for a waiver", _all(Waiver), "asked_at", "asked_by", "gold_set",
        ("gold_set",),
    ),
    "confirmed_waiver": Source(
        "confirmed a waiver", _all(WaiverConfirmation), "confirmed_at", "confirmed_by",
        "waiver__gold_set", _WAIVER,
    ),
    "revoked_waiver": Source(
        "revoked a waiver", _all(WaiverRevocation), "revoked_at", "revoked_by",
        "waiver__gold_set", _WAIVER,
    ),
    "decided": Source(
        "decided on a release", _all(Decision), "decided_at", "decided_by",
        "run__gold_set", ("policy", "run__gold_set"),
    ),
    "sent_to_review": Source(
        "sent pairs to people", _all(ReviewRound), "opened_at", "opened_by",
        "run__gold_set", ("round", "run__gold_set"),
    ),
    "drew_panel": Source(
        "drew a panel of pairs", _all(SwapPanel), "drawn_at", "drawn_by",
        "run__gold_set", ("run__gold_set",),
    ),
    "set_sentinel": Source(
        "set a sentinel", _all(SentinelPanel), "created_at", "created_by",
        "gold_version__gold_set", ("gold_version__gold_set",),
    ),
    "ended_sentinel": Source(
        "ended a sentinel", _all(SentinelPanel, ended_at__isnull=False), "ended_at",
        "ended_by", "gold_version__gold_set", ("gold_version__gold_set",),
    ),
    "alarmed": Source(
        "raised an alarm", _all(SentinelAlarm), "raised_at", None,
        "panel__gold_version__gold_set", ("panel__gold_version__gold_set",),
    ),
    "acknowledged": Source(
        "acknowledged an alarm", _all(SentinelAcknowledgement), "acknowledged_at",
        "acknowledged_by", "alarm__panel__gold_version__gold_set",
        ("alarm__panel__gold_version__gold_set",),
    ),
    "exported": Source(
        "took an audit bundle", _all(AuditExport), "exported_at", "exported_by", None
    ),
}  # fmt: skip
