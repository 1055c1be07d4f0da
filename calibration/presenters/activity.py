"""Events of the activity log in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.urls import reverse

from calibration.services.activity import ActivityFilter, Event, activity, told
from calibration.services.activity_sources import SOURCES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

SHORT = 12
KINDS = [(kind, source.label) for kind, source in SOURCES.items()]

__all__ = ["KINDS", "ActivityFilter", "ActivityLine", "activity", "lines"]


@dataclass(frozen=True, slots=True)
class ActivityLine:
    """One row of the log: when, who, what kind of thing, and the particulars."""

    at: datetime
    kind: str
    did: str
    who: str
    what: str
    gold_set: str
    reason: str
    url: str


def lines(page: Iterable[Sequence[Any]]) -> list[ActivityLine]:
    """Give the lines of one page of the log."""
    return [_line(event) for event in told(page)]


def _line(event: Event) -> ActivityLine:
    row, gold_set = event.row, event.gold_set
    hidden = bool(event.unnamed) and not event.cases
    return ActivityLine(
        at=event.at,
        kind=event.kind,
        did=event.source.label,
        who=_who(event),
        what=_what(event),
        gold_set=gold_set.name if gold_set else "",
        reason="" if hidden else str(getattr(row, "reason", "") or ""),
        url=_url(event),
    )


def _what(event: Event) -> str:
    if event.kind in OF_CASES:
        return OF_CASES[event.kind](event)
    if event.kind in OF_A_PAIR:
        # Not even the category: it would tell what became of somebody's held-out label.
        said = OF_A_PAIR[event.kind](event.row)
        return f"{event.cases[0]}{said}" if event.cases else UNNAMED
    return WORDS[event.kind](event.row)


def _who(event: Event) -> str:
    if event.user is not None:
        return str(event.user.shown_name)
    if event.source.by is None:
        return "a sentinel"
    actor = getattr(event.row, "actor", "")
    return f"{actor} (command)" if actor else "nobody signed in (a command)"


def _url(event: Event) -> str:
    row = event.row
    reports = {"reported": row.pk, "looked": getattr(row, "report_id", None)}
    if (report := reports.get(event.kind)) is not None:
        return reverse("calibration:report", args=[report])
    if event.kind == "ran":
        return reverse("calibration:run", args=[row.pk])
    if event.kind == "decided":
        return reverse("calibration:decision", args=[row.pk])
    return ""


def _looked(row: Any) -> str:
    seen = row.what or f"report {row.report_id} on {row.report.run.config}"
    word = f": {row.word.replace('_', ' ')}" if row.word else ""
    return f"look {row.number}, {seen}, by {row.door}{word}"


def _ruled(row: Any) -> str:
    when = "after judge results" if row.after_judge else "before judge results"
    return f", ruling {row.sequence}: {row.category}, {when}"


def _exported(row: Any) -> str:
    about = ", ".join(row.scope.get("gold_sets", []))
    return f"{about}: {row.rows} rows, manifest {row.manifest_digest}"


def _waiver(event: Event) -> str:
    row = getattr(event.row, "waiver", event.row)
    names = list(event.cases)
    if event.unnamed:
        noun = "case" if event.unnamed == 1 else "cases"
        names.append(f"{event.unnamed} {noun} not named here")
    return f"waiver {row.pk} for {', '.join(names)}, {row.owner}"


UNNAMED = "a pair that is not named here"
OF_CASES: dict[str, Callable[[Event], str]] = {
    "waived": _waiver,
    "confirmed_waiver": _waiver,
    "revoked_waiver": _waiver,
}
# What follows the name of the pair that an event is about.
OF_A_PAIR: dict[str, Callable[[Any], str]] = {
    "set_aside": lambda row: f": {row.note or row.reason}",
    "ruled": _ruled,
    "corrected": _ruled,
    "asked_correction": lambda row: f": {row.category}",
    "found": lambda row: f": {row.get_finding_display()}",
}
WORDS: dict[str, Callable[[Any], str]] = {
    "made_set": lambda row: str(row.name),
    "wrote_guideline": lambda row: f"version {row.version}",
    "assigned_splits": lambda row: (
        f"{row.dev} dev, {row.held_out} held out, {row.moved} moved"
    ),
    "opened_round": lambda row: f"“{row.name}”, {row.labels_per_pair} labels a pair",
    "closed_round": lambda row: f"“{row.name}”",
    "brought_labels": lambda row: (
        f"{row.added} label{'' if row.added == 1 else 's'}, {row.known} known already"
    ),
    "froze_gold": lambda row: (
        f"version {row.number}: {row.pairs} pairs, {row.left_open} open, "
        f"{row.digest[:SHORT]}"
    ),
    "planned_looks": lambda row: f"{row.mode}, {row.budget} looks",
    "unsealed": lambda _row: "the held-out split is used up",
    "looked": _looked,
    "froze_judge": lambda row: f"{row}, {row.digest[:SHORT]}",
    "retired_judge": lambda row: str(row.config),
    "set_price": lambda row: f"{row.provider.alias}: {row}",
    "ran": lambda row: f"run {row.pk} of {row.config} ({row.purpose})",
    "held_run": lambda row: f"run {row.run_id} of {row.run.config}: {row.event}",
    "reported": lambda row: (
        f"report {row.pk} on {row.run.config}, {row.digest[:SHORT]}"
    ),
    "froze_policy": lambda row: f"{row}, {row.digest[:SHORT]}",
    "decided": lambda row: (
        f"decision {row.pk} on run {row.run_id} by {row.policy}: "
        f"{row.result.replace('_', ' ')}"
    ),
    "sent_to_review": lambda row: f"{row.pairs} pairs of run {row.run_id}",
    "drew_panel": lambda row: (
        f"{row.drawn} of {row.pairs} pairs for run {row.run_id}, seed {row.seed}"
    ),
    "set_sentinel": lambda row: f"{row.name}: {row.judge} every {row.period_hours} h",
    "ended_sentinel": lambda row: str(row.name),
    "alarmed": lambda row: f"{row.panel.name}, {row.kind_words}: {row.detail}",
    "acknowledged": lambda row: (
        f"{row.alarm.panel.name}, {row.alarm.kind_words}: {row.note}"
    ),
    "exported": _exported,
}
