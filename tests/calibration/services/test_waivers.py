"""Waivers as rows: a second person, an end, and what decisions say of them."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from annotation.domain.outcomes import Order
from calibration.domain.waivers import WaiverState
from calibration.models import Waiver, WaiverConfirmation, WaiverRevocation
from calibration.services.waivers import (
    LONGEST,
    WaiverWish,
    ask_waiver,
    confirm_waiver,
    revoke_waiver,
    waiver_by_id,
    waiver_state,
)
from config.accounts.roles import Role
from config.errors import Conflict, InvalidInput, NotAllowed, NotFound
from tests.annotation.factory import START, add_case, make_set
from tests.calibration.releases import NOW, Released, make_release, release_of, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from calibration.models import Decision
    from config.accounts.models import User
    from judging.models import Run

pytestmark = pytest.mark.django_db
WISH = WaiverWish(("r8",), "a late answer", "support", "fixed soon", NOW + timedelta(9))


@pytest.fixture
def released(db: None) -> Released:
    return make_release("CCCCCCCCBT", critical=[8])


@pytest.fixture
def other(make_user: Callable[..., User]) -> User:
    return make_user("second", Role.LEAD)


def ask(released: Released, by: User, **changes: Any) -> Waiver:
    wish = replace(WISH, **changes)
    return ask_waiver(gold_set=released.gold_set, wish=wish, by=by, now=START)


def told(decision: Decision) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(decision.payload)
    return found


def test_a_confirmed_waiver_lifts_its_case_and_hides_nothing(
    released: Released, lead: User, other: User
) -> None:
    assert released.decide().result == "hold"
    waiver = ask(released, lead)
    assert released.decide().result == "hold"  # nobody stands for it yet
    confirm_waiver(waiver=waiver, by=other, now=START)
    found = released.decide()
    assert found.result == "ship"
    (one,) = told(found)["waivers"]
    assert (one["used"], one["state"]) == (True, "in_force")
    assert (one["asked_by"], one["confirmed_by"]) == (lead.username, "second")
    assert one["reason"] == "fixed soon"
    (rule,) = [c for c in told(found)["conditions"] if c["key"] == "criticalSliceRule"]
    assert (rule["value"], rule["waived"]) == (1, ["r8"])


def test_an_expired_waiver_counts_as_absent(
    released: Released, lead: User, other: User
) -> None:
    waiver = ask(released, lead)
    confirm_waiver(waiver=waiver, by=other, now=START)
    shipped = released.decide()
    late = released.decide(now=WISH.expires_at)
    assert (shipped.result, late.result) == ("ship", "hold")
    (one,) = told(late)["waivers"]
    assert (one["used"], one["state"]) == (False, "expired")
    shipped.refresh_from_db()
    assert shipped.result == "ship"


def test_a_revoked_waiver_counts_no_more(
    released: Released, lead: User, other: User
) -> None:
    waiver = ask(released, lead)
    confirm_waiver(waiver=waiver, by=other, now=START)
    revoke_waiver(waiver=waiver, reason="worse than thought", by=lead, now=NOW)
    found = released.decide()
    assert found.result == "hold"
    assert told(found)["waivers"][0]["revoked_because"] == "worse than thought"


def test_a_waiver_for_another_case_lifts_nothing(lead: User, other: User) -> None:
    released = make_release("CCCCCCCCBT", critical=[7, 8])
    waiver = ask(released, lead, case_ids=("r7",))
    confirm_waiver(waiver=waiver, by=other, now=START)
    found = released.decide()
    assert found.result == "hold"
    assert told(found)["waivers"][0]["used"] is False


def test_nobody_confirms_their_own(released: Released, lead: User) -> None:
    waiver = ask(released, lead)
    with pytest.raises(NotAllowed, match="other than who asked"):
        confirm_waiver(waiver=waiver, by=lead, now=START)
    with pytest.raises(IntegrityError), transaction.atomic():
        WaiverConfirmation.objects.create(
            waiver=waiver, asked_by=lead, confirmed_by=lead, confirmed_at=START
        )


def test_what_is_settled_is_not_confirmed(
    released: Released, lead: User, other: User
) -> None:
    waiver = ask(released, lead)
    with pytest.raises(Conflict, match="expired already"):
        confirm_waiver(waiver=waiver, by=other, now=WISH.expires_at)
    confirm_waiver(waiver=waiver, by=other, now=START)
    with pytest.raises(Conflict, match="confirmed already"):
        confirm_waiver(waiver=waiver_by_id(waiver.pk), by=other, now=START)
    revoke_waiver(waiver=waiver, reason="no", by=other, now=START)
    with pytest.raises(Conflict, match="revoked already"):
        revoke_waiver(waiver=waiver, reason="no", by=other, now=START)
    with pytest.raises(Conflict, match="revoked already"):
        confirm_waiver(waiver=waiver_by_id(waiver.pk), by=other, now=START)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"case_ids": ()}, "case_ids"),
        ({"case_ids": (" ",)}, "case_ids"),
        ({"case_ids": ("r8", "nowhere")}, "nowhere"),
        ({"case_ids": ("r1",)}, "'r1' is not critical"),
        ({"impact": " "}, "impact"),
        ({"owner": ""}, "owner"),
        ({"owner": "x" * 201}, "owner"),
        ({"reason": ""}, "reason"),
        ({"expires_at": START}, "expires_at"),
    ],
)
def test_a_waiver_that_says_too_little_is_refused(
    released: Released, lead: User, changes: dict[str, Any], named: str
) -> None:
    with pytest.raises(InvalidInput, match=named):
        ask(released, lead, **changes)


def test_revoking_needs_a_reason(released: Released, lead: User) -> None:
    with pytest.raises(InvalidInput, match="reason"):
        revoke_waiver(waiver=ask(released, lead), reason=" ", by=lead, now=NOW)


def test_rows_only_grow(released: Released, lead: User, other: User) -> None:
    waiver = ask(released, lead)
    confirm_waiver(waiver=waiver, by=other, now=START)
    revoke_waiver(waiver=waiver, reason="no", by=other, now=START)
    for model, change in (
        (Waiver, {"expires_at": NOW + timedelta(99)}),
        (WaiverConfirmation, {"confirmed_at": NOW}),
        (WaiverRevocation, {"reason": "other"}),
    ):
        with pytest.raises(DatabaseError, match="guard"), transaction.atomic():
            model.objects.update(**change)
        with pytest.raises(DatabaseError, match="guard"), transaction.atomic():
            model.objects.all()._raw_delete("default")


def test_one_that_is_not_there(released: Released) -> None:
    with pytest.raises(NotFound):
        waiver_by_id(0)


def test_its_state_is_told_from_its_rows(
    released: Released, lead: User, other: User
) -> None:
    waiver = ask(released, lead)
    assert waiver_state(waiver, START) is WaiverState.UNCONFIRMED
    confirm_waiver(waiver=waiver, by=other, now=START)
    assert waiver_state(waiver_by_id(waiver.pk), START) is WaiverState.IN_FORCE


def test_a_waiver_lasts_a_year_at_most(released: Released, lead: User) -> None:
    with pytest.raises(InvalidInput, match="a waiver lasts 366 days at most") as no:
        ask(released, lead, expires_at=datetime(9999, 1, 1, tzinfo=UTC))
    assert no.value.code == "waiver_invalid"
    with pytest.raises(InvalidInput, match="366 days"):
        ask(released, lead, expires_at=START + LONGEST + timedelta(seconds=1))
    last = ask(released, lead, expires_at=START + LONGEST)
    assert last.expires_at == START + timedelta(days=366)


def lost_to_the_baseline(released: Released, *candidates: str) -> list[Run]:
    """A run for each candidate of one set, that loses the critical case."""
    gold_set = make_set(0, systems=("a", "b", "c"), name="three")
    add_case(gold_set, list(gold_set.systems.all()), "vital", (), critical=True)
    released.gold_set, found = gold_set, []
    for name in candidates:
        run = release_of(released.world, gold_set, (), set())
        pair = gold_set.pairs.get(
            baseline__system__name="a", candidate__system__name=name
        )
        for order in Order:
            say(run, pair, order, "B")
        found.append(run)
    return found


def rule(decision: Decision) -> tuple[str, list[str]]:
    (found,) = [
        one for one in told(decision)["conditions"] if one["key"] == "criticalSliceRule"
    ]
    return found["result"], found["waived"]


def test_a_waiver_of_one_candidate_lifts_nothing_of_another(
    released: Released, lead: User, other: User
) -> None:
    first, second = lost_to_the_baseline(released, "b", "c")
    waiver = ask(released, lead, case_ids=("vital",), systems=("a", "b"))
    confirm_waiver(waiver=waiver, by=other, now=START)
    mine, theirs = (released.decide(run=run) for run in (first, second))
    assert (rule(mine), rule(theirs)) == (("pass", ["vital"]), ("fail", []))
    used = [told(each)["waivers"][0]["used"] for each in (mine, theirs)]
    assert used == [True, False]
    assert told(theirs)["waivers"][0]["systems"] == ["a", "b"]


def test_an_older_waiver_without_systems_lifts_only_where_there_are_two(
    released: Released, lead: User, other: User
) -> None:
    def older(*cases: str) -> None:
        row = Waiver.objects.create(
            gold_set=released.gold_set, case_ids=[*cases], impact="i", owner="o",
            reason="r", expires_at=WISH.expires_at, asked_at=START, asked_by=lead,
        )  # fmt: skip
        confirm_waiver(waiver=row, by=other, now=START)

    older("r8")
    assert rule(released.decide()) == ("pass", ["r8"])
    (run,) = lost_to_the_baseline(released, "b")
    older("vital")
    assert rule(released.decide(run=run)) == ("fail", [])


def test_where_there_are_more_systems_a_waiver_names_them(
    released: Released, lead: User
) -> None:
    assert ask(released, lead).systems == ["v12", "v13"]
    assert ask(released, lead, systems=("v12", "v13")).systems == ["v12", "v13"]
    lost_to_the_baseline(released)
    for systems in ((), ("b", "a"), ("a",), ("a", "z"), ("a", "b", "c")):
        with pytest.raises(InvalidInput, match=r"a\|b, a\|c, b\|c") as refused:
            ask(released, lead, case_ids=("vital",), systems=systems)
        assert refused.value.code == "waiver_invalid"
    found = ask(released, lead, case_ids=("vital",), systems=("b", "c"))
    assert found.systems == ["b", "c"]
