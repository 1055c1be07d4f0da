"""Looks: every disclosure of held-out results is logged against its budget."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Max, Q

from annotation.domain.digests import digest_of
from annotation.domain.outcomes import Split
from annotation.domain.texts import says_something
from annotation.models import GoldItem, GoldSet, Pair
from annotation.services.held_out import LooksSpent, Viewer, note_held_out_seen
from annotation.services.look_plans import terms_of
from annotation.services.seals import any_seal, refuse_sealed, under_seal
from calibration.models import Look
from calibration.services.findings import finding_counts
from calibration.services.look_asking import asking
from calibration.services.look_counts import (
    budget_of,
    looks_at,
    looks_before,
    looks_used,
    open_elsewhere,
    splits_moved,
    subjects_seen,
    unsealed_at,
)
from calibration.services.reporting import open_corrections
from config.errors import Conflict
from judging.models import Call
from judging.services.panels import runs_behind

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from annotation.services.held_out import Showing
    from calibration.models import Report


@dataclass(frozen=True, slots=True)
class LooksState:
    """How many different results were disclosed, of how many, and which one this is.

    ``this`` is None where the report speaks of no held-out pair, or was not shown.
    ``before_judge`` counts what was seen before the judge was frozen: above 0 it may
    have been informed by the very pairs that it is measured on. ``words`` are what
    looks at a sealed set said, and ``retired`` is when its texts were unsealed.
    ``splits_moved`` pairs stand in another split now than in the report's gold, and of
    ``open_elsewhere`` held-out ones the texts were judged where they are not held out.
    """

    n: int
    budget: int
    this: int | None
    over_budget: bool
    mode: str = "open"
    sealed: bool = False
    retired: str | None = None
    before_judge: int = 0
    splits_moved: int = 0
    open_elsewhere: int = 0
    words: tuple[dict[str, Any], ...] = ()


def disclosed(*, report: Report, viewer: Viewer, now: datetime) -> dict[str, Any]:
    """The report as every door gives it out: payload, digest, and the looks so far.

    Of a sealed set that is the dev part alone.
    """
    if is_under_seal(report):
        return without_held_out(report)
    state = disclose(report=report, viewer=viewer, now=now)
    payload: dict[str, Any] = json.loads(report.payload)
    return {
        **payload,
        "digest": report.digest,
        "looks": asdict(state),
        "disagreements": finding_counts(report, payload["splits"], held_out=True),
    }


def without_held_out(report: Report) -> dict[str, Any]:
    """The part of a report that is no look: dev only, since `all` tells the rest.

    Refused where dev holds texts that are sealed as held-out ones, under any name.
    """
    refuse_sealed(report_pairs(report, held_out=False))
    payload: dict[str, Any] = json.loads(report.payload)
    state = asdict(_state(report, held_out_digest(report))) | {"this": None}
    splits = {"dev": payload["splits"]["dev"], "held_out": None, "all": None}
    return {
        **payload,
        "gold": payload["gold"] | {"corrections": open_corrections(report)},
        "splits": splits,
        "comparison": None,
        "digest": report.digest,
        "looks": state,
        "disagreements": finding_counts(report, payload["splits"], held_out=False),
    }


def is_under_seal(report: Report) -> bool:
    """Whether held-out pairs of a report are sealed."""
    return any_seal() and under_seal(report_pairs(report, held_out=True)).exists()


def dev_under_seal(report: Report) -> bool:
    """Whether pairs that are no held-out pairs here are sealed as ones elsewhere."""
    return any_seal() and under_seal(report_pairs(report, held_out=False)).exists()


@dataclass(frozen=True, slots=True)
class Seen:
    """What a look is at: a report, or something else by name."""

    gold_set: GoldSet
    held_out: str
    subject: str
    report: Report | None = None
    what: str = ""
    config_digest: str = ""


@transaction.atomic
def disclose(*, report: Report, viewer: Viewer, now: datetime) -> LooksState:
    """Log that held-out results of a report are being shown, and say how many were.

    The same person seeing the same report again learns nothing new and is not logged
    again. Past the budget a report that nobody has seen still opens, but only with a
    reason; without one this raises ``LooksSpent``. Raises ``Sealed`` while any pair of
    the report is sealed.
    """
    gold_set = locked(report.gold_version.gold_set_id)
    for held in (False, True):
        refuse_sealed(report_pairs(report, held_out=held))
    held_out = held_out_digest(report)
    if held_out is not None:
        check_frozen(report)
        digest = report.run.config.digest
        log_once(
            Seen(gold_set, held_out, report.digest, report, config_digest=digest),
            viewer,
            now,
        )
        note_held_out_seen(gold_set_id=gold_set.pk, now=now)
    return _state(report, held_out)


@transaction.atomic
def disclose_export(
    *, gold_set: GoldSet, what: str, state: str, viewer: Viewer, now: datetime
) -> None:
    """Log that held-out labels, rulings or gold are being handed out: a look as well.

    ``state`` is a digest of what they come to: as long as it is the same, the same
    person learns nothing new. The budget holds as in :func:`disclose`.
    """
    gold_set = locked(gold_set.pk)
    pairs = Pair.objects.filter(gold_set=gold_set, case__split=Split.HELD_OUT.value)
    refuse_sealed(pairs)
    digests = pairs.order_by("digest").values_list("digest", flat=True)
    held_out = digest_of(list(digests))
    log_once(Seen(gold_set, held_out, state, what=what), viewer, now)
    note_held_out_seen(gold_set_id=gold_set.pk, now=now)


def log_showing(showing: Showing, now: datetime) -> None:
    """Log what the pages of gold sets show of held-out pairs."""
    disclose_export(
        gold_set=showing.gold_set,
        what=showing.what,
        state=showing.state,
        viewer=showing.viewer,
        now=now,
    )


def report_pairs(report: Report, *, held_out: bool) -> QuerySet[Pair]:
    """The judged pairs of a report that were held out when its gold was frozen."""
    items = GoldItem.objects.filter(version_id=report.gold_version_id)
    split = {"split": Split.HELD_OUT.value}
    items = items.filter(**split) if held_out else items.exclude(**split)
    # A panel has no calls of its own: its pairs are those of its members.
    judged = Call.objects.filter(run__in=runs_behind(report.run)).values("pair")
    return Pair.objects.filter(pk__in=items.filter(pair__in=judged).values("pair"))


def locked(gold_set_id: int) -> GoldSet:
    """The set's row, locked."""
    # Held for the numbering: two looks at once must not take the same number.
    return GoldSet.objects.select_for_update().get(pk=gold_set_id)


def log_once(seen: Seen, viewer: Viewer, now: datetime) -> None:
    """Log a look that this viewer has not had yet, within the budget."""
    # Rows from before there were subjects name their report alone.
    older = Q(subject="", report__digest=seen.subject)
    known = Look.objects.filter(Q(subject=seen.subject) | older)
    if known.filter(looked_by=viewer.user, actor=viewer.actor).exists():
        return
    is_new = not known.exists()
    if is_new:
        _check_budget(seen, viewer)
    if not viewer.asked:
        raise asking(seen.gold_set, new=int(is_new))
    _log(seen, viewer, now)


def check_frozen(report: Report) -> None:
    """Refuse a look at what a judge says that can still be changed."""
    if report.run.config.frozen_at is None:
        raise Conflict(
            "judge_unfrozen", "Held-out results are shown for frozen judges only."
        )


def _check_budget(seen: Seen, viewer: Viewer) -> None:
    used, budget = looks_used(seen.gold_set), budget_of(seen.gold_set)
    if used >= budget and not says_something(viewer.reason):
        raise LooksSpent(
            "looks_spent",
            f"All {budget} looks at the held-out results of "
            f"{seen.gold_set.name} are used; a further one needs a reason.",
            {"n": used, "budget": budget},
        )


def _log(seen: Seen, viewer: Viewer, now: datetime) -> None:
    Look.objects.create(
        gold_set=seen.gold_set,
        number=next_number(seen.gold_set),
        report=seen.report,
        what=seen.what,
        subject=seen.subject,
        looked_at=now,
        looked_by=viewer.user,
        actor=viewer.actor,
        door=viewer.door,
        reason=viewer.reason.strip(),
        held_out_digest=seen.held_out,
        config_digest=seen.config_digest,
    )


def next_number(gold_set: GoldSet) -> int:
    """The number of a set's next look; the set must be locked."""
    last = Look.objects.filter(gold_set=gold_set).aggregate(n=Max("number"))["n"]
    return (last or 0) + 1


def _state(report: Report, held_out: str | None) -> LooksState:
    gold_set = report.gold_version.gold_set
    shown, terms = subjects_seen(gold_set), terms_of(gold_set)
    budget = budget_of(gold_set, terms)
    counts_here = held_out is not None and report.digest in shown
    unsealed = unsealed_at(gold_set)
    return LooksState(
        n=len(shown),
        budget=budget,
        this=shown.index(report.digest) + 1 if counts_here else None,
        over_budget=len(shown) > budget,
        mode=terms.mode.value,
        sealed=is_under_seal(report),
        retired=unsealed.isoformat() if unsealed else None,
        before_judge=looks_before(gold_set, report.run.config),
        splits_moved=splits_moved(report),
        open_elsewhere=open_elsewhere(report_pairs(report, held_out=True)),
        words=words_of(gold_set),
    )


def words_of(gold_set: GoldSet) -> tuple[dict[str, Any], ...]:
    """What looks at a set said while it was sealed, in their order."""
    rows = looks_at(gold_set).exclude(word="").order_by("looked_at", "pk")
    return tuple(
        {
            "number": look.number,
            "report": look.report_id,
            "judge_digest": look.config_digest,
            "word": look.word,
            "at": look.looked_at.isoformat(),
        }
        for look in rows
    )


def held_out_digest(report: Report) -> str | None:
    """Digest of the held-out pairs that a report speaks of; None if there are none."""
    pairs = report_pairs(report, held_out=True).order_by("digest")
    found = list(pairs.values_list("digest", flat=True))
    return digest_of(found) if found else None
