"""How far a round is, for those who lead it: by split, by slice and by reviewer."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, Exists, Max, OuterRef, Q

from annotation.models import Assignment, Case, Exposure, RoundMember, Seat, Skip
from annotation.services.round_members import Warned, warnings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.db.models import QuerySet

    from annotation.models import Round


@dataclass(frozen=True, slots=True)
class Part:
    """Seats of one part of a round: wanted, labelled, and reserved now."""

    name: str
    seats: int
    labelled: int
    reserved: int

    @property
    def waiting(self) -> int:
        """Seats that nobody has."""
        return self.seats - self.labelled - self.reserved


@dataclass(frozen=True, slots=True)
class Repeats(Part):
    """Planned repeats. Each is for one person, so that some will never be given.

    ``skipped`` were given back; ``lost``: whose reviewer was taken out of the round, or
    has seen results of the pair.
    """

    skipped: int
    lost: int

    @property
    def waiting(self) -> int:
        """Repeats that somebody will be given yet."""
        return self.seats - self.labelled - self.reserved - self.skipped - self.lost


@dataclass(frozen=True, slots=True)
class MemberProgress:
    """One reviewer of a round: what they did, and whether they hold a pair now."""

    member: RoundMember
    labels: int
    retests: int
    skips: int
    holds: bool
    last_seen: datetime | None
    warned: Warned

    @property
    def active(self) -> bool:
        """Whether they were not removed."""
        return self.member.removed_at is None


@dataclass(frozen=True, slots=True)
class RoundProgress:
    """A round as a lead sees it. Planned repeats are apart: they count to no pair."""

    round: Round
    total: Part
    pairs: int
    complete: int
    retests: Repeats
    splits: tuple[Part, ...]
    slices: tuple[tuple[str, tuple[Part, ...]], ...]
    members: tuple[MemberProgress, ...]


def round_progress(*, round_: Round, now: datetime) -> RoundProgress:
    """Count a round's seats. Reads each case once, for its slices."""
    by_case = _by_case(round_, now)
    cases = Case.objects.filter(gold_set=round_.gold_set_id).only("split", "slices")
    splits: defaultdict[str, Counter[str]] = defaultdict(Counter)
    slices: defaultdict[str, defaultdict[str, Counter[str]]]
    slices = defaultdict(lambda: defaultdict(Counter))
    for case in cases.iterator(chunk_size=2000):
        counts = by_case.get(case.pk)
        if counts is None:
            continue
        splits[case.split].update(counts)
        for key, value in case.slices.items():
            slices[key][str(value)].update(counts)
    total: Counter[str] = sum(splits.values(), Counter())
    return RoundProgress(
        round=round_,
        total=_part("all", total),
        pairs=_pairs(round_),
        complete=_complete(round_),
        retests=_retests(round_, now),
        splits=tuple(_parts(splits)),
        slices=tuple((key, tuple(_parts(slices[key]))) for key in sorted(slices)),
        members=_members(round_, now),
    )


def _counts(now: datetime) -> dict[str, Count]:
    return {
        "seats": Count("pk"),
        "labelled": Count("pk", filter=Q(available_at__isnull=True)),
        "reserved": Count("pk", filter=Q(available_at__gt=now, reviewer__isnull=False)),
    }


def _by_case(round_: Round, now: datetime) -> dict[int, dict[str, int]]:
    rows = (
        Seat.objects.filter(round=round_, retest_of__isnull=True)
        .order_by()
        .values_list("case")
        .annotate(**_counts(now))
    )
    return {
        case: {"seats": seats, "labelled": labelled, "reserved": reserved}
        for case, seats, labelled, reserved in rows.iterator(chunk_size=2000)
    }


def _part(name: str, counts: Counter[str]) -> Part:
    return Part(name, counts["seats"], counts["labelled"], counts["reserved"])


def _parts(found: dict[str, Counter[str]]) -> Iterator[Part]:
    return (_part(name, found[name]) for name in sorted(found))


def _pairs(round_: Round) -> int:
    first = Seat.objects.filter(round=round_, pass_no=1)
    return first.count()


def _complete(round_: Round) -> int:
    """Pairs with all the labels that the round wants of them."""
    open_ones = Seat.objects.filter(
        round=round_, retest_of__isnull=True, available_at__isnull=False
    )
    begun = open_ones.order_by().aggregate(n=Count("pair", distinct=True))["n"]
    return _pairs(round_) - int(begun)


def _retests(round_: Round, now: datetime) -> Repeats:
    """Planned repeats: those not due yet have no seat, and count as wanted."""
    found = Seat.objects.filter(round=round_, retest_of__isnull=False)
    reviewer, pair = OuterRef("retest_of__reviewer"), OuterRef("pair")
    skips = Skip.objects.filter(round=round_, reviewer=reviewer, pair=pair)
    seen = Exposure.objects.filter(user=reviewer, pair=pair)
    members = RoundMember.objects.active().filter(round=round_, reviewer=reviewer)
    reserved = Q(available_at__gt=now, reviewer__isnull=False)
    free = Q(available_at__isnull=False) & ~reserved
    skipped, out = Q(Exists(skips)), Q(Exists(seen)) | ~Q(Exists(members))
    counts = found.aggregate(
        **_counts(now),
        skipped=Count("pk", filter=free & skipped),
        lost=Count("pk", filter=free & ~skipped & out),
    )
    chosen = Seat.objects.filter(round=round_, retest_wanted=True)
    planned = chosen.order_by().values("pair").distinct().count()
    numbers = (counts[key] for key in ("labelled", "reserved", "skipped", "lost"))
    return Repeats("repeats", planned, *numbers)


def _members(round_: Round, now: datetime) -> tuple[MemberProgress, ...]:
    members = list(
        round_.members.select_related("reviewer").order_by("reviewer__username")
    )
    skips = _by_reviewer(Skip.objects.filter(round=round_))
    holding = set(
        Seat.objects.filter(
            round=round_, available_at__gt=now, reviewer__isnull=False
        ).values_list("reviewer", flat=True)
    )
    seen = dict(
        Assignment.objects.filter(round=round_)
        .order_by()
        .values_list("reviewer")
        .annotate(at=Max("claimed_at"))
    )
    warned = warnings(round_=round_, users=[one.reviewer for one in members])
    return tuple(
        MemberProgress(
            member=one,
            labels=one.labels - one.retests,
            retests=one.retests,
            skips=skips.get(one.reviewer_id, 0),
            holds=one.reviewer_id in holding,
            last_seen=seen.get(one.reviewer_id),
            warned=warned[one.reviewer_id],
        )
        for one in members
    )


def _by_reviewer(rows: QuerySet[Skip]) -> dict[int, int]:
    counted = rows.order_by().values_list("reviewer").annotate(n=Count("pk"))
    return dict(counted)
