"""What the database refuses by itself, tried with bulk SQL past every service."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, transaction

from annotation.domain.outcomes import Order, Outcome, SlotChoice, outcome_of
from annotation.models import Assignment, Exposure, Label, Pair, Round, Seat, Skip
from annotation.services.queue import skip
from tests.annotation.factory import START, Desk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import Model


def refused(rows: list[Any]) -> None:
    """Insert by bulk SQL; the database must refuse."""
    with pytest.raises(IntegrityError), transaction.atomic():
        type(rows[0])._default_manager.bulk_create(rows)


def copy(row: Model, **changes: object) -> Any:
    twin = type(row)._default_manager.get(pk=row.pk)
    twin.pk = None
    for name, value in changes.items():
        setattr(twin, name, value)
    return twin


@pytest.fixture
def label(desk: Desk) -> Label:
    return desk.submit(desk.claim())


def test_no_more_seats_than_labels_wanted(round_: Round) -> None:
    seat = Seat.objects.filter(round=round_)[0]
    refused([copy(seat)])


def test_no_second_first_label_on_a_seat(label: Label) -> None:
    refused([copy(label)])
    refused([copy(label, note="other")])


def test_one_person_has_one_seat_of_a_pair(label: Label, desk: Desk) -> None:
    other = Seat.objects.filter(pair=label.pair, reviewer=None)
    with pytest.raises(IntegrityError), transaction.atomic():
        other.update(reviewer=desk.reviewer)


def test_one_person_holds_one_reservation(desk: Desk) -> None:
    held = desk.claim()
    free = Seat.objects.exclude(pair_id=held.pair_id).filter(reviewer=None)[:1]
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.filter(pk__in=list(free.values_list("pk", flat=True))).update(
            reviewer=desk.reviewer
        )


def test_a_labelled_seat_has_a_reviewer(round_: Round) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.filter(round=round_).update(available_at=None)


def test_one_open_assignment_each(desk: Desk) -> None:
    import uuid

    refused([copy(desk.claim(), token=uuid.uuid4())])


def wrong_mappings() -> Iterator[tuple[Order, SlotChoice, Outcome]]:
    for order in Order:
        for choice in SlotChoice:
            for outcome in Outcome:
                if outcome is not outcome_of(choice, order):
                    yield order, choice, outcome


@pytest.mark.parametrize(("order", "choice", "outcome"), list(wrong_mappings()))
def test_an_outcome_that_contradicts_the_order_is_refused(
    order: Order, choice: SlotChoice, outcome: Outcome, label: Label
) -> None:
    refused(
        [
            copy(
                label,
                revision=2,
                order=order.value,
                choice=choice.value,
                outcome=outcome.value,
            )
        ]
    )


@pytest.mark.parametrize(
    "change",
    [
        {"order": ""},
        {"choice": ""},
        {"order": "", "choice": ""},
        {"outcome": "invalid"},
        {"outcome": ""},
        {"strength": 0},
        {"strength": 3},
        {"choice": "tie", "outcome": "tie", "strength": 1},
        {"reviewer": None},
        {"external_reviewer": "somebody"},
        {"seat": None},
    ],
    ids=str,
)
def test_a_label_of_the_queue_must_be_whole(
    change: dict[str, object], label: Label
) -> None:
    refused([copy(label, revision=2, **change)])


@pytest.mark.parametrize(
    "change",
    [
        {"external_reviewer": ""},
        {"outcome": "invalid"},
        {"order": "baseline_first"},
        {"choice": "first"},
    ],
    ids=str,
)
def test_an_outside_label_needs_its_reviewer_and_no_half_order(
    change: dict[str, str], round_: Round
) -> None:
    fields: dict[str, Any] = {
        "pair": Pair.objects.all()[0],
        "external_reviewer": "vendor-1",
        "outcome": "tie",
        "created_at": START,
    }
    Label.objects.bulk_create([Label(**fields)])
    refused([Label(**fields)])
    refused([Label(**(fields | {"external_reviewer": "vendor-2"} | change))])


def test_skip_and_exposure_are_stored_once(desk: Desk) -> None:
    assignment = desk.claim()
    skip(token=str(assignment.token), reviewer=desk.reviewer, now=START)
    refused([copy(Skip.objects.get())])
    seen = Exposure(
        user=desk.reviewer, pair_id=assignment.pair_id, kind="labels", seen_at=START
    )
    Exposure.objects.bulk_create([seen])
    refused([copy(seen)])
    refused([copy(seen, kind="rumours")])


FIXED = [
    (Label, {"outcome": "tie", "choice": "tie"}),
    (Label, {"note": "changed"}),
    (Assignment, {"order": "baseline_first", "claimed_at": START + timedelta(1)}),
    (Seat, {"rank": 1}),
    (Seat, {"pass_no": 4}),
    (Round, {"seed": "known"}),
    (Round, {"labels_per_pair": 5}),
]


@pytest.mark.parametrize(("model", "change"), FIXED, ids=str)
def test_what_was_said_shown_or_scheduled_cannot_be_changed(
    model: type[Model], change: dict[str, Any], label: Label
) -> None:
    rows: Any = model._default_manager
    with pytest.raises(IntegrityError, match="guard"), transaction.atomic():
        rows.update(**change)


@pytest.mark.parametrize("model", [Label, Assignment, Seat, Round])
def test_nothing_of_a_round_can_be_deleted(model: type[Model], label: Label) -> None:
    rows = model._default_manager.all()
    with pytest.raises(IntegrityError, match="guard"), transaction.atomic():
        rows._raw_delete("default")
