"""The slot-balance report counts labels submitted, with exact tests."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from annotation.domain.intervals import SignTest
from annotation.models import Label
from annotation.services.aliases import reviewer_aliases
from annotation.services.balance import balance
from tests.annotation.factory import Clock, Desk, make_round, make_set
from tests.annotation.services.test_rounds import sliced_set

if TYPE_CHECKING:
    from annotation.models import Round
    from annotation.services.balance import BalanceRow
    from config.accounts.models import User


def done(round_: Round, *users: User) -> None:
    for user in users:
        Desk(round_, user, Clock(), random.Random(user.pk)).label_all()


def by_hand(round_: Round, **conditions: object) -> tuple[int, int]:
    rows = Label.objects.current().filter(seat__round=round_, **conditions)
    orders = list(rows.values_list("order", flat=True))
    return orders.count("baseline_first"), orders.count("candidate_first")


def counts(row: BalanceRow) -> tuple[int, int]:
    return row.counts.baseline_first, row.counts.candidate_first


def test_every_heading_counts_its_labels(reviewer: User, other_reviewer: User) -> None:
    round_ = make_round(
        sliced_set(), reviewer, other_reviewer, labels_per_pair=2, retest_share=0.3
    )
    done(round_, reviewer, other_reviewer)
    found = balance(round_=round_)
    first = {"seat__retest_of__isnull": True}

    assert counts(found.overall) == by_hand(round_, **first)
    assert found.overall.labels == 62
    assert abs(found.overall.counts.difference) <= 1
    assert found.repeats.labels == 9
    for row in found.splits:
        assert counts(row) == by_hand(round_, seat__case__split=row.name, **first)
    assert {row.name for row in found.slices} == {
        "topic = refund", "topic = delivery", "language = en", "language = de",
    }  # fmt: skip
    for row in found.slices:
        key, value = row.name.split(" = ")
        where = {f"seat__case__slices__{key}": value}
        assert counts(row) == by_hand(round_, **where, **first)
    aliases = reviewer_aliases(round_.gold_set)
    assert [row.name for row in found.reviewers] == sorted(aliases.values())
    assert found.names == {}
    names = balance(round_=round_, revealed_to=reviewer).names
    assert set(names.values()) == {reviewer.shown_name, other_reviewer.shown_name}
    for row in found.reviewers:
        [user] = [
            one
            for one in (reviewer, other_reviewer)
            if one.shown_name == names[row.name]
        ]
        assert counts(row) == by_hand(round_, reviewer=user, **first)
    # Repeats stand in a row of their own and in no other.
    assert sum(row.labels for row in found.reviewers) == found.overall.labels
    assert [row.name for row in found.passes] == ["1", "2"]
    assert {row.verdict for row in found.rows()} == {"even"}


def test_few_labels_are_not_enough_and_lopsided_ones_are_found(
    reviewer: User, clock: Clock
) -> None:
    round_ = make_round(make_set(cases=24), reviewer)
    empty = balance(round_=round_)
    assert (empty.overall.labels, empty.overall.verdict) == (0, "not_enough")
    desk = Desk(round_, reviewer, clock)
    for _ in range(5):
        desk.submit(desk.claim())
    assert balance(round_=round_).overall.verdict == "not_enough"
    # What no queue would do: only pairs with the baseline first were labelled.
    lopsided = make_round(make_set(cases=24), reviewer, name="lopsided")
    desk = Desk(lopsided, reviewer, clock)
    lopsided.seats.filter(order="candidate_first").update(
        reviewer=reviewer, available_at=None
    )
    assert len(desk.label_all()) == 12
    row = balance(round_=lopsided).overall
    assert isinstance(row.test, SignTest)
    assert row.test.p_value == 2 / 2**12
    assert row.verdict == "uneven"
