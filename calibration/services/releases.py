"""Release runs: which there are, and what one came to before anything is decided.

The verdicts of pairs that are held out somewhere are as closed here as elsewhere: what
is sealed is refused, and what is not counts as a look.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet

from annotation.domain.digests import digest_of
from annotation.domain.outcomes import Split
from annotation.models import ExposureKind, Pair
from annotation.services.exposures import record_exposures
from annotation.services.held_out import Showing, sets_holding_out, show_held_out
from annotation.services.seals import refuse_sealed
from calibration.domain.human_conditions import is_open, is_regression
from calibration.domain.jsonable import jsonable
from calibration.domain.release import sample_of, summarise
from calibration.services.release_evidence import pair_rows, run_json
from calibration.services.unjudged import unjudged_json
from config.errors import NotFound
from judging.models import ConfigKind, Run, RunPurpose
from judging.services.comparing import refuse_comparisons
from judging.services.panels import runs_behind

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from annotation.services.held_out import Viewer
    from config.accounts.models import User

SEEN = (ExposureKind.SYSTEMS, ExposureKind.VERDICTS)


@dataclass(frozen=True, slots=True)
class Release:
    """A run's counts, and the critical pairs by name."""

    run: Run
    facts: dict[str, Any]
    summary: dict[str, Any]
    pairs: list[dict[str, Any]]
    not_judged: dict[str, Any]

    @property
    def critical(self) -> list[dict[str, Any]]:
        """Critical pairs that speak against the candidate, or that nobody settled."""
        return [pair for pair in self.pairs if is_regression(pair) or is_open(pair)]


def release_runs() -> QuerySet[Run]:
    """Runs that a release can be decided on, newest first.

    A recorded judge's runs come from files, which know no purpose.
    """
    wanted = Q(purpose=RunPurpose.RELEASE) | Q(config__recorded=True)
    rows = Run.objects.filter(wanted).exclude(config__kind=ConfigKind.POINTWISE)
    return rows.select_related(
        "config__provider", "config__simulation", "gold_set", "created_by"
    ).order_by("-pk")


def release_run(run_id: int) -> Run:
    """One of them; raises ``NotFound``."""
    found = release_runs().filter(pk=run_id).first()
    if found is None:
        raise NotFound(
            "release_unknown",
            f"There is no release run {run_id}: a run is one if it was started with "
            "the purpose release, or if its judge is recorded.",
        )
    return found


def release(*, run: Run, viewer: Viewer, now: datetime) -> Release:
    """What a release run came to; a look, where its pairs are held out."""
    refuse_several(run)
    disclose_run(run=run, viewer=viewer, now=now)
    pairs, facts = pair_rows(run), run_json(run)
    left = unjudged_json(run, pairs)
    found = Release(run, facts, _summary(pairs, facts), pairs, left)
    note_seen(viewer.user, found.critical, now)
    return found


def _summary(pairs: list[dict[str, Any]], facts: dict[str, Any]) -> dict[str, Any]:
    made = jsonable(summarise(sample_of(pairs, facts["systems"])))
    assert isinstance(made, dict)  # noqa: S101 - of a dataclass
    return made


def disclose_run(*, run: Run, viewer: Viewer, now: datetime) -> None:
    """Refuse verdicts that are sealed, and log a look at those of held-out pairs.

    Where other sets hold their texts out it is a look at each of those, unless it is
    one already by way of this set.
    """
    judged = run_pairs(run)
    refuse_sealed(judged)
    told = ["release run", run.pk]
    what = f"verdicts of release run {run.pk}"
    own = judged.filter(case__split=Split.HELD_OUT.value)
    if own.exists():
        show_held_out(Showing(run.gold_set, what, digest_of(told), viewer), now=now)
    kin = sets_holding_out(own).values("pk")
    for other in sets_holding_out(judged).exclude(pk__in=kin):
        state = digest_of([*told, other.pk])
        show_held_out(Showing(other, what, state, viewer), now=now)


def refuse_several(run: Run) -> None:
    """Refuse a run over several pairs of systems: there is no one candidate."""
    refuse_comparisons(run_pairs(run), f"Run {run.pk}")


def run_pairs(run: Run) -> QuerySet[Pair]:
    """The pairs that a run judges."""
    calls = Pair.objects.filter(gold_set=run.gold_set_id)
    return calls.filter(calls__run__in=runs_behind(run)).distinct()


def note_seen(
    user: User | None, pairs: Iterable[dict[str, Any]], now: datetime
) -> None:
    """Note whose verdicts somebody saw one by one: they can't label those any more."""
    ids = [int(pair["pair"]) for pair in pairs]
    if user is None or not ids:
        return
    for kind in SEEN:
        record_exposures(user=user, pair_ids=ids, kind=kind, now=now)
