"""Opening, closing and reopening labelling rounds."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from annotation.domain.round_notes import label_facts
from annotation.domain.schedule import ScheduleItem, plan_seats, seeded
from annotation.models import Case, GoldSet, Pair, Round, RoundMember, Seat
from annotation.models.gold_sets import new_seed
from annotation.services.claims import TOP_RANK
from annotation.services.round_checks import check_facts
from annotation.services.round_members import add_members
from annotation.services.round_planning import RoundPlan, Selection, choose_pairs
from annotation.services.ruling_holds import refuse_held, refuse_reopening
from annotation.services.told_names import names_before_round
from config.db.statistics import refresh_statistics
from config.errors import Conflict, InvalidInput, NotFound

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from annotation.domain.schedule import SeatPlan
    from config.accounts.models import User


def round_by_id(round_id: int) -> Round:
    """One round, for those who may read all; raises ``NotFound``."""
    found = Round.objects.select_related("gold_set").filter(pk=round_id).first()
    if found is None:
        raise NotFound("round_unknown", f"There is no round {round_id}.")
    return found


def round_named(gold_set: GoldSet, name: str) -> Round:
    """A round by its name, or say which there are."""
    found = Round.objects.filter(gold_set=gold_set, name=name).first()
    if found is None:
        names = gold_set.rounds.order_by("pk").values_list("name", flat=True)
        known = ", ".join(repr(one) for one in names) or "none yet"
        raise NotFound(
            "round_unknown", f"There is no round {name!r}; there are: {known}."
        )
    return found


@transaction.atomic
def open_chosen(
    *,
    gold_set: GoldSet,
    plan: RoundPlan,
    selection: Selection,
    reviewers: Iterable[User],
    by: User | None,
    now: datetime,
) -> Round:
    """Open a round over the pairs that a selection finds, designed ones mixed in."""
    seed = new_seed()
    chosen = choose_pairs(
        gold_set=gold_set, plan=plan, selection=selection, seed=seed, now=now
    )
    facts = selection.as_json() | chosen.facts() | check_facts(gold_set)
    if not chosen.all:
        why = " ".join(("A round needs at least one pair.", *chosen.notes))
        raise InvalidInput("round_empty", why)
    contents = _Contents(gold_set, chosen.all, seed, facts)
    return _open(contents, plan, reviewers, by=by, now=now)


@transaction.atomic
def open_round(
    *,
    gold_set: GoldSet,
    plan: RoundPlan,
    pairs: Sequence[Pair],
    reviewers: Iterable[User],
    by: User | None,
    now: datetime,
) -> Round:
    """Open a round over given pairs; none may be before an adjudicator."""
    named = [pair.pk for pair in pairs]
    refuse_held(gold_set_id=gold_set.pk, pairs=named, now=now)
    if (problem := plan.problem()) is not None:
        raise InvalidInput("round_invalid", problem)
    return _open(
        _Contents(gold_set, pairs, new_seed(), {}), plan, reviewers, by=by, now=now
    )


@dataclass(frozen=True, slots=True)
class _Contents:
    """The pairs of a new round, its secret seed, and how they were chosen."""

    gold_set: GoldSet
    pairs: Sequence[Pair]
    seed: str
    facts: dict[str, object]


def _open(
    contents: _Contents,
    plan: RoundPlan,
    reviewers: Iterable[User],
    *,
    by: User | None,
    now: datetime,
) -> Round:
    """Every seat gets its order and rank here, once and for all."""
    pairs = contents.pairs
    _check_pairs(contents.gold_set, pairs)
    retests = round(plan.retest_share * len(pairs))
    counts = {"pairs": len(pairs), "seats": len(pairs) * plan.labels_per_pair}
    people = list(reviewers)
    short = label_facts(
        wanted=contents.gold_set.labels_per_pair,
        asked=plan.labels_per_pair,
        people=len(people),
    )
    told = names_before_round(contents.gold_set, round_name=plan.name)
    named: dict[str, object] = {"names_told": list(told)} if told else {}
    round_ = _insert(
        gold_set=contents.gold_set,
        name=plan.name.strip(),
        labels_per_pair=plan.labels_per_pair,
        reservation_minutes=plan.reservation_minutes,
        retest_share=plan.retest_share,
        designed_rate=plan.designed_rate,
        selection=contents.facts | short | counts | named | {"retests": retests},
        seed=contents.seed,
        opened_at=now,
        opened_by=by,
    )
    seats = _seats(round_, pairs, retests, now)
    Seat.objects.bulk_create(seats, batch_size=1000)
    refresh_statistics(Seat, rows=len(seats))
    add_members(round_=round_, reviewers=people, now=now)
    return round_


def _insert(**fields: object) -> Round:
    try:
        with transaction.atomic():
            return Round.objects.create(**fields)
    except IntegrityError as error:
        raise Conflict(
            "round_exists", f"There is a round {fields['name']!r} already."
        ) from error


def _check_pairs(gold_set: GoldSet, pairs: Sequence[Pair]) -> None:
    if not pairs:
        raise InvalidInput("round_empty", "A round needs at least one pair.")
    if any(pair.gold_set_id != gold_set.pk for pair in pairs):
        raise InvalidInput("round_foreign_pair", "A pair is from another gold set.")
    if len({pair.pk for pair in pairs}) != len(pairs):
        raise InvalidInput("round_repeated_pair", "A pair is named twice.")


def _seats(
    round_: Round, pairs: Sequence[Pair], retests: int, now: datetime
) -> list[Seat]:
    case_of = {pair.pk: pair.case_id for pair in pairs}
    cases = Case.objects.filter(gold_set=round_.gold_set_id).only("split", "slices")
    by_id = {case.pk: case for case in cases.iterator()}
    key = round_.gold_set.primary_slice
    items = [_item(pair, by_id[pair.case_id], key) for pair in pairs]
    schedule = plan_seats(items, seed=round_.seed, passes=round_.labels_per_pair)
    again = _chosen_for_retest(round_, sorted(case_of), retests)
    step = TOP_RANK // len(schedule)
    return [_seat(round_, one, case_of, again, step, now) for one in schedule]


def _seat(
    round_: Round,
    planned: SeatPlan,
    case_of: dict[int, int],
    again: set[int],
    step: int,
    now: datetime,
) -> Seat:
    pair_id = int(planned.key)
    return Seat(
        round=round_,
        pair_id=pair_id,
        case_id=case_of[pair_id],
        pass_no=planned.pass_no,
        order=planned.order.value,
        rank=planned.rank * step,
        available_at=now,
        retest_wanted=pair_id in again,
    )


def _chosen_for_retest(round_: Round, pairs: list[int], count: int) -> set[int]:
    """Pairs that come back to one of those who label them."""
    return set(seeded(round_.seed, "retests").sample(pairs, count))


def _item(pair: Pair, case: Case, primary: str) -> ScheduleItem:
    values = {key: str(value) for key, value in case.slices.items()}
    others = sorted(f"{key}={value}" for key, value in values.items() if key != primary)
    return ScheduleItem(
        key=pair.pk,
        split=case.split,
        slice_value=values.get(primary, ""),
        others=tuple(others),
    )


@transaction.atomic
def close_round(*, round_: Round, by: User | None, now: datetime) -> None:
    """Close a round: no label is taken or revised from here on.

    Labels on their way hold their author's place in the round (places.locked_member).
    Waiting for all of these makes what is counted after closing all there is.
    """
    closed = Round.objects.filter(pk=round_.pk, closed_at__isnull=True).update(
        closed_at=now, closed_by=by
    )
    if not closed:
        raise Conflict("round_closed", "This round is closed already.")
    places = RoundMember.objects.filter(round=round_).order_by("pk")
    list(places.select_for_update().values_list("pk"))


@transaction.atomic
def reopen_round(*, round_: Round, now: datetime) -> None:
    """Let a closed round take labels again, as long as nothing of it was disclosed.

    Refused while an adjudicator has a pair of it before them: the pair stays with them.
    Whoever knows how the others labelled is not blind any more; opening a new round
    over the same pairs leaves them out of it.
    """
    if round_.disclosed_at is None:
        refuse_reopening(round_=round_, now=now)
    reopened = Round.objects.filter(
        pk=round_.pk, closed_at__isnull=False, disclosed_at__isnull=True
    ).update(closed_at=None, closed_by=None)
    if reopened:
        return
    round_.refresh_from_db(fields=["closed_at", "disclosed_at"])
    if round_.is_open:
        raise Conflict("round_open", "This round is open.")
    raise Conflict(
        "round_disclosed",
        "Labels of this round were shown on "
        f"{round_.disclosed_at:%Y-%m-%d %H:%M} UTC, so it can't be reopened. "
        "Open a new round over the pairs that need more labels.",
    )


def new_sample_seed() -> str:
    """A seed for a sample, where the lead names none; it is kept with the round."""
    return secrets.token_hex(8)
