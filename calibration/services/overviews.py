"""What the overview pages and the API read: counts by query, never by pair."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict, cast

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.models import (
    Case,
    GoldSet,
    GoldVersion,
    Label,
    Pair,
    Round,
    RoundMember,
    Seat,
)
from annotation.services.look_plans import Terms, terms_of
from calibration.models import Report
from calibration.services.look_counts import budget_of, looks_at, looks_used
from calibration.services.looks import dev_under_seal
from config.errors import NotFound
from judging.models import Call, CallState, Reply, Run
from judging.services.panels import runs_behind
from judging.services.sealing import not_sealed

if TYPE_CHECKING:
    from django.db.models.expressions import CombinedExpression
    from django_stubs_ext import WithAnnotations

    from calibration.models import Look

    class RunCounts(TypedDict):
        """Calls of a run."""

        total: int
        answered: int
        invalid: int

    class SetCounts(TypedDict):
        """What a gold set holds."""

        case_count: int
        pair_count: int
        version_count: int
        run_count: int

    class RoundCounts(TypedDict):
        """Seats and people of a round."""

        seat_count: int
        labelled: int
        member_count: int

    CountedRun = WithAnnotations[Run, RunCounts]
    CountedGoldSet = WithAnnotations[GoldSet, SetCounts]
    CountedRound = WithAnnotations[Round, RoundCounts]


@dataclass(frozen=True, slots=True)
class SplitCount:
    """How many cases and pairs a split has; no name means: in no split."""

    split: str
    cases: int
    pairs: int


@dataclass(frozen=True, slots=True)
class LabelProgress:
    """Pairs with a label, and with all the labels that the set wants."""

    labels: int
    begun: int
    complete: int
    pairs: int


@dataclass(frozen=True, slots=True)
class GoldSetOverview:
    """Everything on the page of a gold set."""

    gold_set: GoldSet
    systems: tuple[str, ...]
    splits: tuple[SplitCount, ...]
    progress: LabelProgress
    versions: tuple[GoldVersion, ...]
    rounds: tuple[CountedRound, ...]
    runs: tuple[CountedRun, ...]
    looks: tuple[Look, ...]
    looks_used: int
    look_budget: int
    terms: Terms


@dataclass(frozen=True, slots=True)
class RunOverview:
    """A run's state without a single outcome: those would tell held-out results."""

    run: Run
    total: int
    answered: int
    invalid: tuple[tuple[str, int], ...]
    served: tuple[tuple[str, str, int], ...]
    reports: tuple[Report, ...]

    @property
    def invalid_total(self) -> int:
        """Answered calls that gave no outcome."""
        return sum(count for _, count in self.invalid)


def reports() -> QuerySet[Report]:
    """All reports with what a list says about them, newest first."""
    return Report.objects.select_related(
        "run__config__simulation", "gold_version__gold_set", "created_by"
    ).order_by("-pk")


def report_by_id(report_id: int) -> Report:
    """One report; raises ``NotFound``."""
    found = reports().filter(pk=report_id).first()
    if found is None:
        raise NotFound("report_unknown", f"There is no report {report_id}.")
    return found


def dev_agreement(report: Report, *, sealed: bool) -> dict[str, Any] | None:
    """Exact agreement on dev, if it has scored pairs; held-out would be a look.

    None as well where dev pairs are sealed as held-out pairs of another set; ``sealed``
    says whether anything is sealed at all.
    """
    if sealed and dev_under_seal(report):
        return None
    dev = json.loads(report.payload)["splits"]["dev"]
    return dev["exact_agreement"] if dev["scored"] else None


def runs() -> QuerySet[CountedRun]:
    """All runs with their numbers of calls, newest first."""
    replies = Reply.objects.exclude(invalid_reason="").filter(not_sealed("call__"))
    found = (
        Run.objects.select_related("config__provider", "config__simulation", "gold_set")
        .annotate(
            total=_count_calls(Call.objects.all(), "run"),
            answered=_count_calls(Call.objects.filter(state=CallState.DONE), "run"),
            invalid=_count_calls(replies, "call__run"),
        )
        .order_by("-pk")
    )
    # A queryset class of its own does not carry the types of annotations.
    return cast("QuerySet[CountedRun]", found)


def _count_calls(rows: QuerySet[Any], run: str) -> CombinedExpression:
    """Count what belongs to a run; of a panel to the runs of its members."""
    return _count(rows, run) + _count(rows, f"{run}__seats_on_panels__run")


def _count(rows: QuerySet[Any], field: str) -> Coalesce:
    """Count rows in a query of their own: joins would multiply each other."""
    mine = rows.filter(**{field: OuterRef("pk")}).order_by().values(field)
    return Coalesce(Subquery(mine.annotate(n=Count("pk")).values("n")), 0)


def run_overview(run_id: int) -> RunOverview:
    """One run; raises ``NotFound``."""
    run = runs().filter(pk=run_id).first()
    if run is None:
        raise NotFound("run_unknown", f"There is no run {run_id}.")
    replies = Reply.objects.filter(call__run__in=runs_behind(run))
    return RunOverview(
        run=run,
        total=run.total,
        answered=run.answered,
        invalid=tuple(
            replies.exclude(invalid_reason="")
            .filter(not_sealed("call__"))
            .values_list("invalid_reason")
            .annotate(n=Count("pk"))
            .order_by("-n", "invalid_reason")
        ),
        served=tuple(
            replies.values_list("served_model", "fingerprint")
            .annotate(n=Count("pk"))
            .order_by("-n", "served_model", "fingerprint")
        ),
        reports=tuple(reports().filter(run_id=run_id)),
    )


def gold_sets() -> QuerySet[CountedGoldSet]:
    """All gold sets with their numbers of cases, pairs, versions and runs."""
    return GoldSet.objects.annotate(
        case_count=_count(Case.objects.all(), "gold_set"),
        pair_count=_count(Pair.objects.all(), "gold_set"),
        version_count=_count(GoldVersion.objects.all(), "gold_set"),
        run_count=_count(Run.objects.all(), "gold_set"),
    ).order_by("name")


def gold_set_overview(name: str) -> GoldSetOverview:
    """One gold set; raises ``NotFound``."""
    found = GoldSet.objects.filter(name=name).first()
    if found is None:
        raise NotFound("gold_set_unknown", f"There is no gold set {name!r}.")
    splits = _splits(found)
    looks = looks_at(found).select_related(
        "gold_set", "looked_by", "report__run__config"
    )
    return GoldSetOverview(
        gold_set=found,
        systems=found.system_names(),
        splits=splits,
        progress=_progress(found, sum(split.pairs for split in splits)),
        versions=tuple(found.versions.select_related("created_by").order_by("-number")),
        rounds=_rounds(found),
        runs=tuple(runs().filter(gold_set=found)),
        looks=tuple(looks.order_by("number")),
        looks_used=looks_used(found),
        look_budget=budget_of(found),
        terms=terms_of(found),
    )


def _splits(gold_set: GoldSet) -> tuple[SplitCount, ...]:
    rows = (
        gold_set.cases.values_list("split")
        .annotate(
            case_count=Count("pk", distinct=True),
            pair_count=Count("pairs", distinct=True),
        )
        .order_by("split")
    )
    return tuple(SplitCount(*row) for row in rows)


def _progress(gold_set: GoldSet, pairs: int) -> LabelProgress:
    by_pair = (
        Label.objects.of_set(gold_set.pk)
        .votes()
        .order_by()
        .values("pair")
        .annotate(n=Count("pk"))
    )
    found = by_pair.aggregate(
        begun=Count("pair"),
        complete=Count("pair", filter=Q(n__gte=gold_set.labels_per_pair)),
    )
    labels = Label.objects.of_set(gold_set.pk).votes().count()
    return LabelProgress(labels, found["begun"], found["complete"], pairs)


def _rounds(gold_set: GoldSet) -> tuple[CountedRound, ...]:
    found = Round.objects.filter(gold_set=gold_set).annotate(
        seat_count=_count(Seat.objects.all(), "round"),
        labelled=_count(Seat.objects.filter(available_at__isnull=True), "round"),
        member_count=_count(RoundMember.objects.active(), "round"),
    )
    # A queryset class of its own does not carry the types of annotations.
    return tuple(cast("QuerySet[CountedRound]", found.order_by("-opened_at")))
