"""What a bundle is about: a gold set, one decision, or all that a period saw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Q

from annotation.models import GoldSet, GoldVersion
from annotation.services.gold_sets import gold_set_named
from calibration.domain.audit.layout import (
    DEV,
    LEFT_OUT_OF_DEV,
    UNDER_WAY,
    still_under_way,
)
from calibration.models import Decision, Look, Report
from calibration.services.audits.other_decisions import others_not_along
from calibration.services.audits.sentinel_scopes import (
    not_along,
    runs_behind_sentinels,
    sentinels_of,
    sentinels_of_period,
    sets_of_sentinels,
)
from config.errors import InvalidInput, NotFound
from judging.models import Run
from judging.services.panels import runs_behind

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import QuerySet


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for: exactly one of a gold set, a report's or decision's, a span.

    ``since`` and ``to`` go together; ``to`` is not in the span. ``dev_only`` is of a
    gold set: its dev pairs alone, which are no look and may leave a sealed set.
    """

    gold_set: str = ""
    decision: int | None = None
    since: datetime | None = None
    to: datetime | None = None
    dev_only: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """What goes in: whole gold sets, some of their runs, reports and decisions.

    Rows that came after ``until`` stay out, so that a bundle holds still while it is
    written. ``said`` is what the manifest says.
    """

    said: dict[str, Any]
    name: str
    gold_sets: tuple[GoldSet, ...]
    runs: tuple[Run, ...]
    reports: tuple[int, ...]
    until: datetime
    decisions: tuple[int, ...] = ()
    dev_only: bool = False
    sentinels: tuple[int, ...] = ()

    @property
    def set_ids(self) -> list[int]:
        """The rows of the gold sets."""
        return [gold_set.pk for gold_set in self.gold_sets]

    @property
    def run_ids(self) -> list[int]:
        """The rows of the runs."""
        return [run.pk for run in self.runs]

    def left_out(self) -> tuple[str, ...]:
        """What a reader might look for and does not find, in words."""
        open_ones = [run for run in self.runs if run.status in UNDER_WAY]
        return (
            *(LEFT_OUT_OF_DEV if self.dev_only else ()),
            *(still_under_way(run.pk, run.status) for run in open_ones),
            *not_along(self.sentinels, self.gold_sets, self.until),
            *others_not_along(self.decisions, self.run_ids, self.until),
        )

    def finished(self) -> list[Run]:
        """The runs whose calls stand as they are."""
        return [run for run in self.runs if run.status not in UNDER_WAY]


def scope_of(wanted: Wanted, *, now: datetime) -> Scope:
    """Work out what a wish takes in."""
    spans = wanted.since is not None or wanted.to is not None
    asked = [bool(wanted.gold_set), wanted.decision is not None, spans]
    if sum(asked) != 1:
        raise InvalidInput(
            "audit_scope", "Choose one: a gold set, a decision, or a period."
        )
    if wanted.dev_only:
        return _dev_of(wanted, now)
    if wanted.gold_set:
        return _of_set(gold_set_named(wanted.gold_set), now)
    if wanted.decision is not None:
        return _of_decision(wanted.decision, now)
    return _of_period(wanted, now)


def _of_set(gold_set: GoldSet, now: datetime) -> Scope:
    runs = _runs(Q(gold_set=gold_set, created_at__lte=now))
    # By their sets and not by the runs above: whatever is said of a run, no report or
    # decision on it stays out. Their runs come along.
    reports = Report.objects.filter(
        gold_version__gold_set=gold_set, created_at__lte=now
    )
    decisions = Decision.objects.filter(run__gold_set=gold_set, decided_at__lte=now)
    said = {"kind": "gold_set"}
    chosen = Chosen(
        {gold_set.pk}, runs, reports, decisions, sentinels_of(gold_set, now)
    )
    return _whole(said, gold_set.name, chosen, now)


def _dev_of(wanted: Wanted, now: datetime) -> Scope:
    """Of one set alone: what decisions rest on is not only dev."""
    if not wanted.gold_set:
        raise InvalidInput(
            "audit_scope",
            "Dev pairs alone are handed out of a gold set: name it. A decision or a "
            "period rests on all pairs.",
        )
    gold_set = gold_set_named(wanted.gold_set)
    runs = _runs(Q(gold_set=gold_set, created_at__lte=now))
    reports = Report.objects.filter(
        gold_version__gold_set=gold_set, run__in=runs, created_at__lte=now
    )
    return Scope(
        said={"kind": "gold_set", "part": DEV, "gold_sets": [gold_set.name]},
        name=f"{gold_set.name}-dev",
        gold_sets=(gold_set,),
        runs=runs,
        reports=tuple(reports.order_by("pk").values_list("pk", flat=True)),
        until=now,
        dev_only=True,
        sentinels=sentinels_of(gold_set, now),
    )


def _of_decision(number: int, now: datetime) -> Scope:
    found = Decision.objects.filter(pk=number)
    decision = found.select_related("run").first()
    if decision is None:
        raise NotFound("decision_unknown", f"There is no decision {number}.")
    return _whole(
        {"kind": "decision", "decision": number},
        f"decision-{number}",
        Chosen(
            {decision.run.gold_set_id}, [decision.run], Report.objects.none(), found
        ),
        now,
    )


def _of_period(wanted: Wanted, now: datetime) -> Scope:
    since, to = wanted.since, wanted.to
    if since is None or to is None:
        given, other = ("first", "last") if to is None else ("last", "first")
        raise InvalidInput(
            "audit_scope",
            f"A period has a first and a last day: its {given} day is given, its "
            f"{other} day is not.",
        )
    if since >= to:
        raise InvalidInput("audit_scope", "The period ends before it begins.")
    runs = _runs(Q(created_at__gte=since, created_at__lt=to))
    reports = Report.objects.filter(created_at__gte=since, created_at__lt=to)
    decisions = Decision.objects.filter(decided_at__gte=since, decided_at__lt=to)
    gold_sets = _sets_of_period(since, to, runs)
    return _whole(
        {"kind": "period", "from": since.isoformat(), "to": to.isoformat()},
        f"{since:%Y-%m-%d}-to-{to:%Y-%m-%d}",
        Chosen(gold_sets, runs, reports, decisions, sentinels_of_period(since, to)),
        min(to, now),
    )


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was asked for itself, before what it rests on is brought along."""

    gold_sets: set[int]
    runs: Iterable[Run]
    reports: QuerySet[Report]
    decisions: QuerySet[Decision]
    sentinels: tuple[int, ...] = ()


def _whole(said: dict[str, Any], name: str, chosen: Chosen, until: datetime) -> Scope:
    """Bring along what the chosen things rest on, so that all can be computed again.

    A decision rests on a report, perhaps of another set; a report on its run, and on
    the marks beside it; a panel's run on those of its members; a sentinel's point on
    the whole series before it.
    """
    decided = list(chosen.decisions.order_by("pk").select_related("run"))
    numbers = set(chosen.reports.values_list("pk", flat=True))
    numbers |= {each.report_id for each in decided if each.report_id is not None}
    rested = Report.objects.filter(pk__in=numbers).select_related("run")
    every = [*chosen.runs, *(d.run for d in decided), *(r.run for r in rested)]
    sentinels = chosen.sentinels
    known = chosen.gold_sets | {run.gold_set_id for run in every}
    known |= sets_of_sentinels(sentinels)
    every += runs_behind_sentinels(sentinels, known, until)
    behind = _with_behind(every, until)
    wanted = known | {run.gold_set_id for run in behind}
    # Databases differ in how they sort names.
    found = GoldSet.objects.filter(pk__in=wanted)
    sets = tuple(sorted(found, key=lambda gold_set: gold_set.name))
    if not sets:
        raise NotFound("audit_empty", "Nothing was judged, frozen or seen then.")
    return Scope(
        said={**said, "gold_sets": [gold_set.name for gold_set in sets]},
        name=name,
        gold_sets=sets,
        runs=behind,
        reports=tuple(sorted(numbers)),
        until=until,
        decisions=tuple(each.pk for each in decided),
        sentinels=sentinels,
    )


def _sets_of_period(since: datetime, to: datetime, runs: Iterable[Run]) -> set[int]:
    """The sets on which somebody ran, froze, looked, labelled or ruled then."""
    found = {run.gold_set_id for run in runs}
    span = {"created_at__gte": since, "created_at__lt": to}
    for rows in (
        GoldVersion.objects.filter(**span),
        Look.objects.filter(looked_at__gte=since, looked_at__lt=to),
    ):
        found |= set(rows.values_list("gold_set", flat=True))
    pairs = {f"pairs__adjudications__{key}": value for key, value in span.items()}
    labels = {f"pairs__labels__{key}": value for key, value in span.items()}
    for condition in (pairs, labels):
        found |= set(GoldSet.objects.filter(**condition).values_list("pk", flat=True))
    return found


def _runs(condition: Q) -> tuple[Run, ...]:
    found = Run.objects.filter(condition).select_related("config", "gold_set")
    return tuple(found.order_by("pk").distinct())


def _with_behind(runs: Iterable[Run], until: datetime) -> tuple[Run, ...]:
    """Runs with those of a panel's members, and the marks that stand beside them."""
    found = {run.pk: run for run in runs}
    found |= {each.pk: each for run in found.values() for each in runs_behind(run)}
    marks = _runs(
        Q(
            gold_set__in={run.gold_set_id for run in found.values()},
            config__kind="pointwise",
            status="done",
            created_at__lte=until,
        )
    )
    numbers = {*found, *(run.pk for run in marks)}
    return _runs(Q(pk__in=numbers))
