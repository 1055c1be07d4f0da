"""Sending gold to be ruled on again: blind, among controls, by somebody else."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from annotation.domain.rulings import RulingCategory
from annotation.models import Adjudication, ExposureKind, RulingRequest
from annotation.services.adjudicating import Opinion, adjudicate
from annotation.services.adjudication_queue import queue_of
from annotation.services.corrections import batches, pairs_named, request_corrections
from annotation.services.exposures import note_judged, record_exposures
from config.accounts.roles import Role
from config.errors import Conflict, DomainError, InvalidInput, NotAllowed
from tests.annotation.court import AGREED, DISPUTE, B, Bench, C, give, label, pairs_of
from tests.annotation.factory import START, Clock, make_set

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from annotation.models import GoldSet, Pair
    from config.accounts.models import User


@pytest.fixture
def pairs(gold_set: GoldSet, people: list[User]) -> list[Pair]:
    """Five pairs with gold from labels, and one in dispute."""
    label(gold_set, people, [*[AGREED] * 5, DISPUTE])
    return pairs_of(gold_set)


def send(
    pairs: Sequence[Pair],
    controls: Sequence[Pair],
    by: User,
    category: RulingCategory = RulingCategory.GOLD_WRONG,
    note: str = "The judge says otherwise, and it seems right.",
    minutes: float = 0,
) -> tuple[RulingRequest, ...]:
    return request_corrections(
        pairs=pairs,
        controls=controls,
        by=by,
        category=category,
        note=note,
        now=START + timedelta(minutes=minutes),
    )


def test_corrections_and_controls_wait_alike(
    pairs: list[Pair], lead: User, bench: Bench
) -> None:
    requests = send(pairs[:2], pairs[2:4], lead)
    assert [r.kind for r in requests] == [*["correction"] * 2, *["control"] * 2]
    assert len({r.batch for r in requests}) == 1
    assert {(r.category, bool(r.note)) for r in requests} == {
        ("gold_wrong", True),
        ("", False),
    }
    queue = queue_of(adjudicator=bench.person, now=START)
    assert {c.pair_id for c in queue} == {p.pk for p in [*pairs[:4], pairs[5]]}
    waiting = {(c.again, c.agreement, c.head, c.held_until) for c in queue[1:]}
    assert waiting == {(False, 1.0, "", None)}


def test_the_order_of_requests_does_not_tell_their_kind(
    people: list[User], lead: User, make_user: Callable[..., Any]
) -> None:
    gold_set = make_set(cases=10)
    label(gold_set, people, [AGREED] * 10)
    pairs = pairs_of(gold_set)
    send(pairs[:5], pairs[5:], lead)
    asked = {p.pk for p in pairs[:5]}
    orders = []
    for number in range(24):
        person = make_user(f"a{number}", Role.ADJUDICATOR)
        queue = queue_of(adjudicator=person, now=START)
        orders.append([c.pair_id in asked for c in queue])
    # By chance 1 in 126 orders keeps the kinds apart, so that 4 of 24 come once in
    # 400,000 times.
    assert sum(order == sorted(order, reverse=order[0]) for order in orders) < 4
    assert {order[0] for order in orders} == {True, False}


def test_a_ruling_answers_its_request_and_is_a_link_like_any_other(
    pairs: list[Pair], lead: User, bench: Bench
) -> None:
    asked = send(pairs[:2], pairs[2:4], lead)
    seen = bench.seen()
    assert set(seen) == {p.pk for p in [*pairs[:4], pairs[5]]}
    rulings = {r.pair_id: r for r in Adjudication.objects.all()}
    for request in asked:
        ruling = rulings[request.pair_id]
        assert ruling.request == request
        assert (ruling.sequence, ruling.category) == (1, "genuinely_close")
        closed = RulingRequest.objects.get(pk=request.pk)
        assert closed.closed_at == ruling.created_at
    assert rulings[pairs[5].pk].request is None
    assert not RulingRequest.objects.filter(closed_at=None).exists()


def test_who_prompted_it_rules_on_neither_correction_nor_control(
    pairs: list[Pair], make_user: Callable[..., Any], bench: Bench, clock: Clock
) -> None:
    both = make_user("both", Role.ADJUDICATOR, Role.LEAD)
    send(pairs[:1], pairs[1:2], both)
    assert Bench(both, clock).seen() == [pairs[5].pk]
    with pytest.raises(NotAllowed) as refusal:
        adjudicate(
            pair=pairs[0], opinion=Opinion(B, "bad_case", "x"), by=both, now=START
        )
    assert refusal.value.code == "own_request"
    assert len(bench.seen()) == 2


def test_who_ruled_before_may_rule_again_but_later_than_on_others(
    pairs: list[Pair], lead: User, bench: Bench
) -> None:
    bench.seen()
    send([pairs[5]], pairs[:1], lead, minutes=5)
    assert bench.seen() == [pairs[0].pk, pairs[5].pk]
    chain = Adjudication.objects.filter(pair=pairs[5])
    assert [link.sequence for link in chain] == [1, 2]
    assert chain[1].previous_digest == chain[0].digest


def test_a_request_for_a_pair_before_somebody_is_answered_by_them(
    people: list[User], lead: User, bench: Bench
) -> None:
    """The dispute ended by a late label and was sent on: still a blind ruling."""
    gold_set = make_set(cases=2, labels_per_pair=4)
    round_ = label(gold_set, people, [(B, C, C), (C, C, C)])
    one, two = pairs_of(gold_set)
    give(round_, two, lead, C, 3)
    give(round_, one, lead, B, 3)
    hearing = bench.hearing()
    assert hearing.pair == one
    give(round_, one, make_lead("late"), C, 4)
    request = send([one], [two], make_lead(), minutes=1)[0]
    assert bench.rule(hearing).request == request


def make_lead(name: str = "another-lead") -> User:
    from config.accounts.models import User

    return User.objects.create_user(name)


@pytest.mark.parametrize("controls", [0, 1])
def test_fewer_controls_than_corrections_are_refused(
    controls: int, pairs: list[Pair], lead: User
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        send(pairs[:2], pairs[2 : 2 + controls], lead)
    assert refusal.value.code == "too_few_controls"
    assert not RulingRequest.objects.exists()


def test_more_controls_are_welcome(pairs: list[Pair], lead: User) -> None:
    assert len(send(pairs[:1], pairs[1:5], lead)) == 5


def test_what_has_no_gold_cannot_be_corrected(pairs: list[Pair], lead: User) -> None:
    with pytest.raises(Conflict) as refusal:
        send([pairs[5]], pairs[:1], lead)
    assert refusal.value.code == "no_gold_yet"
    assert pairs[5].case.external_id in refusal.value.message


def test_a_pair_waits_once(pairs: list[Pair], lead: User) -> None:
    send(pairs[:1], pairs[1:2], lead)
    with pytest.raises(Conflict) as refusal:
        send(pairs[2:3], pairs[1:2], lead)
    assert refusal.value.code == "already_requested"
    assert pairs[1].case.external_id in refusal.value.message
    assert RulingRequest.objects.count() == 2


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"note": "  "}, "note"),
        ({"note": "x" * 20_001}, "note"),
        ({"category": RulingCategory.BAD_CASE}, "category"),
        ({"pairs": []}, "none is named"),
        ({"controls": "same"}, "twice"),
        ({"controls": "foreign"}, "different gold sets"),
    ],
)
def test_bad_requests(
    change: dict[str, Any], word: str, pairs: list[Pair], lead: User
) -> None:
    given: dict[str, Any] = {"pairs": pairs[:1], "controls": pairs[1:2], **change}
    if given["controls"] == "same":
        given["controls"] = pairs[:1]
    if given["controls"] == "foreign":
        given["controls"] = pairs_of(make_set(cases=1))
    with pytest.raises(DomainError, match=word):
        send(by=lead, **given)
    assert not RulingRequest.objects.exists()


def test_after_judge_also_follows_from_verdicts_that_somebody_saw(
    pairs: list[Pair], lead: User, bench: Bench
) -> None:
    record_exposures(
        user=lead, pair_ids=[pairs[0].pk], kind=ExposureKind.VERDICTS, now=START
    )
    send(pairs[:1], pairs[1:2], lead)
    bench.seen()
    marks = dict(Adjudication.objects.values_list("pair", "after_judge"))
    assert marks == {pairs[0].pk: True, pairs[1].pk: False, pairs[5].pk: False}


def test_after_judge_follows_from_the_sets_first_judge_run(
    pairs: list[Pair], bench: Bench
) -> None:
    note_judged(gold_set_id=pairs[0].gold_set_id, now=START)
    bench.seen()
    assert Adjudication.objects.get().after_judge


def test_batches_are_counted(pairs: list[Pair], lead: User, bench: Bench) -> None:
    send(pairs[:1], pairs[1:3], lead)
    bench.seen()
    send(pairs[3:4], pairs[4:5], lead, RulingCategory.LABEL_SLIP, "two", minutes=9)
    newest, oldest = batches(pairs[0].gold_set)
    assert (oldest.corrections, oldest.controls, oldest.closed) == (1, 2, 3)
    assert (newest.corrections, newest.controls, newest.closed) == (1, 1, 0)
    assert newest.note == "two"
    assert newest.category.startswith("Label slip")
    assert newest.requested_by == "lead"


def test_names_of_systems_may_hold_spaces(db: None) -> None:
    gold_set = make_set(cases=1, systems=("model a", "b", "model c"))
    text = "case-0000 model a|b\ncase-0000 b|model c\ncase-0000 model a|model c"
    found = pairs_named(gold_set=gold_set, text=text)
    assert [p.candidate.system.name for p in found] == ["b", "model c", "model c"]
    assert found[1].baseline.system.name == "b"


def test_pairs_are_named_by_case_and_where_needed_by_systems(db: None) -> None:
    gold_set = make_set(cases=2, systems=("a1", "b2", "c3"))
    found = pairs_named(gold_set=gold_set, text="case-0001 a1|c3\ncase-0000 b2|c3\n")
    assert [
        (p.case.external_id, p.baseline.system.name, p.candidate.system.name)
        for p in found
    ] == [("case-0001", "a1", "c3"), ("case-0000", "b2", "c3")]
    for text, code in (
        ("case-0001", "pair_ambiguous"),
        ("case-0001 c3|a1", "pair_unknown"),
        ("case-9", "pair_unknown"),
    ):
        with pytest.raises(InvalidInput) as refusal:
            pairs_named(gold_set=gold_set, text=text)
        assert refusal.value.code == code
        assert text in refusal.value.message
