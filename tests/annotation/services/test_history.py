"""My labels: all of them, each as it stands, and opened again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from annotation.domain.outcomes import SlotChoice
from annotation.models import ExposureKind
from annotation.services.exposures import record_exposures
from annotation.services.history import my_labels, reopen, reopen_last
from annotation.services.rounds import close_round
from config.errors import Conflict, NotAllowed, NotFound

if TYPE_CHECKING:
    from annotation.models import Assignment, Label
    from tests.annotation.factory import Clock, Desk


def mine(desk: Desk) -> list[Any]:
    return list(my_labels(round_id=desk.round.pk, reviewer=desk.reviewer))


def label_two(desk: Desk) -> tuple[Assignment, Assignment]:
    first = desk.claim()
    desk.submit(first)
    second = desk.claim()
    desk.submit(second, SlotChoice.TIE)
    return first, second


def token_of(label: Label) -> object:
    assert label.assignment is not None
    return label.assignment.token


def test_each_label_stands_once_in_the_order_in_which_pairs_were_labelled(
    desk: Desk, other_desk: Desk
) -> None:
    first, second = label_two(desk)
    other_desk.submit(other_desk.claim())
    desk.submit(first, SlotChoice.SECOND)

    found = mine(desk)
    assert [token_of(label) for label in found] == [second.token, first.token]
    assert [(label.choice, label.revision) for label in found] == [
        ("tie", 1), ("second", 2),
    ]  # fmt: skip


def test_the_last_one_and_the_one_before_it(desk: Desk) -> None:
    first, second = label_two(desk)
    place: Any = {"round_id": desk.round.pk, "reviewer": desk.reviewer}
    assert reopen_last(**place).assignment == second
    assert reopen_last(**place, before=str(second.token)).assignment == first
    with pytest.raises(NotFound):
        reopen_last(**place, before=str(first.token))


def test_a_label_that_was_changed_shows_what_it_says_now(desk: Desk) -> None:
    assignment = desk.claim()
    desk.submit(assignment)
    desk.submit(assignment, SlotChoice.TIE, note="so")
    found = reopen(token=str(assignment.token), reviewer=desk.reviewer)
    assert (found.label.choice, found.label.note) == ("tie", "so")
    assert found.assignment.order == assignment.order


def test_it_is_refused_to_others_and_for_what_has_no_label(
    desk: Desk, other_desk: Desk
) -> None:
    first, _ = label_two(desk)
    held = desk.claim()
    for token, who in ((first, other_desk), (held, desk)):
        with pytest.raises(NotFound):
            reopen(token=str(token.token), reviewer=who.reviewer)


def test_a_closed_round_and_a_look_at_results_end_it(desk: Desk, clock: Clock) -> None:
    first, second = label_two(desk)
    record_exposures(
        user=desk.reviewer, pair_ids=[second.pair_id],
        kind=ExposureKind.SYSTEMS, now=clock.now,
    )  # fmt: skip
    with pytest.raises(NotAllowed):
        reopen(token=str(second.token), reviewer=desk.reviewer)
    last = reopen_last(round_id=desk.round.pk, reviewer=desk.reviewer)
    assert last.assignment == first
    assert [label.exposed for label in mine(desk)] == [True, False]
    close_round(round_=desk.round, by=None, now=clock.now)
    with pytest.raises(Conflict):
        reopen(token=str(first.token), reviewer=desk.reviewer)
    assert len(mine(desk)) == 2
