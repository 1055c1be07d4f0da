"""Members of rounds: roles, warnings, coming, going, counting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db.models import Count

from annotation.models import ExposureKind, Label, Pair, RoundMember, Seat
from annotation.services.exposures import record_exposures
from annotation.services.progress import progress
from annotation.services.queue import AllDone
from annotation.services.round_members import add_members, remove_member, warnings
from annotation.services.round_reports import round_progress
from annotation.services.rounds import close_round, reopen_round
from config.accounts.roles import Role
from config.errors import Conflict, InvalidInput
from tests.annotation.factory import START, Clock, Desk, make_round, make_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from annotation.models import GoldSet, Round
    from config.accounts.models import User


def test_only_who_may_label_is_let_in(
    round_: Round, outsider: User, lead: User, adjudicator: User, clock: Clock
) -> None:
    for user in (outsider, lead):
        with pytest.raises(InvalidInput) as refusal:
            add_members(round_=round_, reviewers=[adjudicator, user], now=clock.now)
        assert refusal.value.code == "member_no_labeller"
    assert not round_.members.filter(reviewer=adjudicator).exists()


def test_a_lead_who_labels_and_one_who_knows_pairs_are_warned_of(
    make_user: Callable[..., Any], gold_set: GoldSet, reviewer: User, clock: Clock
) -> None:
    both = make_user("both", Role.LEAD, Role.REVIEWER)
    round_ = make_round(gold_set, both, reviewer)
    other_set = make_set(cases=1)
    known = [Pair.objects.first(), other_set.pairs.get()]
    for kind in (ExposureKind.SYSTEMS, ExposureKind.VERDICTS):
        ids = [pair.pk for pair in known if pair]
        record_exposures(user=reviewer, pair_ids=ids, kind=kind, now=clock.now)
    found = warnings(round_=round_, users=[both, reviewer])

    assert "Not blind" in found[both.pk].words()
    assert found[reviewer.pk].words() == (
        "Has seen something of 1 pair of this round, and is not given them."
    )


def test_who_is_removed_sees_nothing_and_their_pair_goes_back(
    desk: Desk, other_desk: Desk, clock: Clock
) -> None:
    desk.submit(desk.claim())
    held = desk.claim()
    remove_member(round_=desk.round, reviewer=desk.reviewer, now=clock.now)

    for act in (desk.next, lambda: desk.submit(held)):
        with pytest.raises(Conflict) as refusal:
            act()
        assert refusal.value.code == "member_removed"
    assert Seat.objects.get(pk=held.seat_id).reviewer_id is None
    now = progress(round_=other_desk.round, reviewer=other_desk.reviewer, now=clock.now)
    assert (now.labelled, now.reserved) == (1, 0)
    other_desk.label_all()
    add_members(round_=desk.round, reviewers=[desk.reviewer], now=clock.now)
    desk.label_all()
    assert Label.objects.count() == 12
    assert RoundMember.objects.count() == 2


def test_members_count_what_labels_say(
    desk: Desk, other_desk: Desk, clock: Clock
) -> None:
    """Through revisions, late answers, repeats of a request."""
    first = desk.claim()
    desk.submit(first)
    desk.submit(first)
    desk.submit(first, note="second thoughts")
    late = desk.claim()
    clock.pass_minutes(31)
    other_desk.label_all()
    desk.submit(late)
    desk.label_all()
    for member in RoundMember.objects.all():
        rows = Label.objects.filter(reviewer=member.reviewer_id, revision=1)
        orders = dict(rows.values_list("order").annotate(n=Count("pk")))
        assert member.baseline_first == orders["baseline_first"]
        assert member.candidate_first == orders["candidate_first"]


def test_nothing_left_is_remembered_and_asked_for_once(
    reviewer: User,
    other_reviewer: User,
    clock: Clock,
    django_assert_max_num_queries: Any,
) -> None:
    """All seats that are open are second labels of pairs that I labelled."""
    round_ = make_round(make_set(cases=8), reviewer, other_reviewer, labels_per_pair=3)
    desk, other = Desk(round_, reviewer, clock), Desk(round_, other_reviewer, clock)
    for _ in range(3):
        other.submit(other.claim())
    desk.label_all()
    assert desk.next() == AllDone()
    with django_assert_max_num_queries(8) as queries:
        assert desk.next() == AllDone()
    assert not any("LIMIT 1" in q["sql"] and "skip" in q["sql"] for q in queries)
    assert not any("MIN(" in q["sql"] for q in queries)
    assert len(other.label_all()) == 5


def test_what_is_exhausted_opens_again_for_who_comes_back(
    desk: Desk, clock: Clock
) -> None:
    desk.label_all()
    remove_member(round_=desk.round, reviewer=desk.reviewer, now=clock.now)
    add_members(round_=desk.round, reviewers=[desk.reviewer], now=clock.now)
    assert desk.next() == AllDone()


def test_a_round_reopens_until_its_labels_were_shown(
    desk: Desk, other_desk: Desk, adjudicator: User, clock: Clock
) -> None:
    label = desk.submit(desk.claim())
    round_ = desk.round
    with pytest.raises(Conflict) as refusal:
        reopen_round(round_=round_, now=START)
    assert refusal.value.code == "round_open"
    untouched = Pair.objects.exclude(pk=label.pair_id).first()
    assert untouched is not None
    for pair_id, kind in (
        (untouched.pk, ExposureKind.LABELS),  # it has none yet
        (label.pair_id, ExposureKind.SYSTEMS),
        (label.pair_id, ExposureKind.VERDICTS),
    ):
        record_exposures(user=adjudicator, pair_ids=[pair_id], kind=kind, now=clock.now)
    close_round(round_=round_, by=None, now=clock.now)
    reopen_round(round_=round_, now=START)
    other_desk.submit(other_desk.claim())
    record_exposures(
        user=adjudicator,
        pair_ids=[label.pair_id],
        kind=ExposureKind.LABELS,
        now=clock.now,
    )
    close_round(round_=round_, by=None, now=clock.now)
    with pytest.raises(Conflict) as refusal:
        reopen_round(round_=round_, now=START)
    assert refusal.value.code == "round_disclosed"


def test_progress_by_split_slice_and_reviewer(
    reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    gold_set = make_set(cases=0)
    from annotation.models import System
    from tests.annotation.factory import add_case

    systems = list(
        System.objects.bulk_create(
            System(gold_set=gold_set, name=name, position=10 + place)
            for place, name in enumerate(("x1", "x2"))
        )
    )
    for n in range(6):
        add_case(
            gold_set, systems, f"c-{n}", split="dev" if n < 2 else "held_out",
            slices={"topic": "a" if n % 2 else "b"},
        )  # fmt: skip
    round_ = make_round(gold_set, reviewer, other_reviewer, labels_per_pair=2)
    desk, other = Desk(round_, reviewer, clock), Desk(round_, other_reviewer, clock)
    desk.label_all()
    other.claim()
    found = round_progress(round_=round_, now=clock.now)

    assert (found.pairs, found.complete) == (6, 0)
    total = found.total
    assert (total.seats, total.labelled, total.reserved, total.waiting) == (12, 6, 1, 5)
    assert [(p.name, p.seats, p.labelled) for p in found.splits] == [
        ("dev", 4, 2),
        ("held_out", 8, 4),
    ]
    [(key, values)] = found.slices
    assert (key, [(p.name, p.labelled) for p in values]) == (
        "topic",
        [("a", 3), ("b", 3)],
    )
    mine = {one.member.reviewer: one for one in found.members}
    assert (mine[reviewer].labels, mine[reviewer].holds) == (6, False)
    assert (mine[other_reviewer].labels, mine[other_reviewer].holds) == (0, True)


def test_nobody_is_added_to_a_round_that_stays_closed(
    round_: Round, adjudicator: User, clock: Clock
) -> None:
    close_round(round_=round_, by=None, now=clock.now)
    round_.refresh_from_db()
    # One that may be reopened can be made ready for that.
    add_members(round_=round_, reviewers=[adjudicator], now=clock.now)
    remove_member(round_=round_, reviewer=adjudicator, now=clock.now)
    round_.disclosed_at = clock.now
    round_.save(update_fields=["disclosed_at"])

    with pytest.raises(Conflict, match="can't be reopened") as refusal:
        add_members(round_=round_, reviewers=[adjudicator], now=clock.now)
    assert refusal.value.code == "round_disclosed"
    assert not round_.members.active().filter(reviewer=adjudicator).exists()
