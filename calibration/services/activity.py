"""Who did what and when, from the rows that are kept anyway; nothing is noted twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import BigIntegerField, CharField, F, Value
from django.db.models.functions import Cast

from annotation.models import (
    GoldSet,
)
from calibration.services.activity_cases import cases_of, closed_cases
from calibration.services.activity_sources import SOURCES, Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from django.db.models import QuerySet


@dataclass(frozen=True, slots=True)
class ActivityFilter:
    """Which events are wanted; what is empty leaves nothing out."""

    kinds: tuple[str, ...] = ()
    gold_set: str = ""
    person: str = ""
    since: datetime | None = None
    to: datetime | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that somebody did; ``row`` is what tells of it.

    ``cases`` are the cases it is about that may be named, and ``unnamed`` is how many
    may not: what is held out, sealed or being labelled is not told by the log either.
    """

    kind: str
    at: datetime
    row: Any
    cases: tuple[str, ...] = ()
    unnamed: int = 0

    @property
    def source(self) -> Source:
        """Where it was found."""
        return SOURCES[self.kind]

    @property
    def user(self) -> Any:
        """Who did it, where that was somebody who signed in."""
        return getattr(self.row, self.source.by) if self.source.by else None

    @property
    def gold_set(self) -> GoldSet | None:
        """The set it is about, if it is about one."""
        found: Any = self.row
        path = self.source.gold_set
        if path is None or path == "pk":
            return found if path else None
        for step in path.split("__"):
            found = getattr(found, step)
        return found if isinstance(found, GoldSet) else None


def activity(wanted: ActivityFilter) -> QuerySet[Any, Any]:
    """Everything that was done, newest first, as (kind, id, time); made for pages."""
    kinds = wanted.kinds or tuple(SOURCES)
    parts = [_events(kind, wanted) for kind in kinds if kind in SOURCES]
    found = [part for part in parts if part is not None]
    if not found:
        return GoldSet.objects.none().values_list("name", "pk", "created_at")
    first, *others = found
    whole = first.union(*others, all=True) if others else first
    return whole.order_by("-event_at", "event_kind", "-event_row")


def _events(kind: str, wanted: ActivityFilter) -> QuerySet[Any, Any] | None:
    source = SOURCES[kind]
    conditions: dict[str, Any] = {}
    if wanted.gold_set:
        if source.gold_set is None:
            return None
        path = "" if source.gold_set == "pk" else f"{source.gold_set}__"
        conditions[f"{path}name"] = wanted.gold_set
    if wanted.person:
        if source.by is None:
            return None
        conditions[f"{source.by}__username"] = wanted.person
    if wanted.since is not None:
        conditions[f"{source.at}__gte"] = wanted.since
    if wanted.to is not None:
        conditions[f"{source.at}__lt"] = wanted.to
    rows = source.rows().order_by().filter(**conditions)
    named = rows.annotate(
        event_kind=Value(kind, CharField()),
        event_row=Cast(F("pk"), BigIntegerField()),
        event_at=F(source.at),
    )
    found: QuerySet[Any, Any] = named.values_list("event_kind", "event_row", "event_at")
    return found


def told(page: Iterable[Sequence[Any]]) -> list[Event]:
    """Bring the rows of a page's events, with one query a kind, and whom they name."""
    entries = list(page)
    rows: dict[str, dict[int, Any]] = {}
    for kind in {entry[0] for entry in entries}:
        source = SOURCES[kind]
        related = source.related + ((source.by,) if source.by else ())
        ids = [number for each, number, _ in entries if each == kind]
        rows[kind] = source.rows().select_related(*related).in_bulk(ids)
    found = [(kind, at, rows[kind][number]) for kind, number, at in entries]
    closed = closed_cases([row for _, _, row in found])
    return [_event(kind, at, row, closed) for kind, at, row in found]


def _event(kind: str, at: datetime, row: Any, closed: set[tuple[int, str]]) -> Event:
    about = cases_of(row)
    named = tuple(name for set_id, name in about if (set_id, name) not in closed)
    return Event(kind, at, row, named, len(about) - len(named))
