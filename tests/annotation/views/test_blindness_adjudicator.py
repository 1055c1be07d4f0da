"""Rule 8: an adjudicator learns labels, and not whose; no system, split or verdict.

Nor whether a pair was sent to be corrected or is a control, or that a judge took part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.utils import timezone

from annotation.domain.rulings import RulingCategory
from annotation.models import (
    Adjudication,
    Hearing,
    Label,
    Pair,
    Round,
    RulingHold,
    RulingRequest,
)
from annotation.services.corrections import request_corrections
from annotation.services.exposures import note_judged
from annotation.services.hearings import next_hearing
from annotation.services.rounds import close_round
from config.accounts.roles import Role
from tests.annotation.court import AGREED, DISPUTE, give
from tests.annotation.crawling import Answered, ask, crawl
from tests.annotation.planting import ID_START, Planted, number_from, plant, plant_case
from tests.annotation.views.test_blindness import leaks

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from config.accounts.models import User

REASONS = re.compile(
    r"gold.wrong|correction|(?<!cache-)control|after.judge|verdict|label.slip"
    r"|rubric.ambiguous",
    re.IGNORECASE,
)
OWN = ("/adjudicate", "/api/v1/adjudications")


@dataclass
class Court:
    """Two disputes, a correction and its control, all full of canary names."""

    planted: Planted
    me: User
    disputes: list[Pair]
    requested: list[Pair]
    round: Round
    late: Pair
    people: list[User]

    def dispute(self, pair: Pair) -> None:
        for place, outcome in enumerate(DISPUTE):
            give(self.round, pair, self.people[place], outcome, place)


@pytest.fixture
def court(make_user: Callable[..., Any]) -> Court:
    planted = plant(make_user)
    number_from(RulingRequest, ID_START + 500_000)
    number_from(Hearing, ID_START + 510_000)
    number_from(RulingHold, ID_START + 520_000)
    close_round(round_=planted.round, by=None, now=timezone.now())
    people = [make_user(f"canaryrev{n}", Role.REVIEWER) for n in range(3)]
    ruled = Adjudication.objects.get().pair
    for index in (5, 6, 7, 8):
        plant_case(planted.gold_set, index)
    late, control, one, two = Pair.objects.order_by("-pk")[:4]
    later = Round.objects.create(
        gold_set=planted.gold_set, name="canaryround", labels_per_pair=3,
        opened_at=timezone.now(), closed_at=timezone.now(),
    )  # fmt: skip
    # Outside labels count only where the set's own rounds gave too few.
    for pair, said in ((one, DISPUTE[:2]), (two, DISPUTE), (control, AGREED)):
        for place, outcome in enumerate(said):
            give(later, pair, people[place], outcome, place, note="Left is short.")
    Label.objects.create(
        pair=one,
        external_reviewer="canaryoutsider",
        outcome="abstain",
        note="From outside.",
        created_at=timezone.now(),
    )
    note_judged(gold_set_id=planted.gold_set.pk, now=timezone.now())
    request_corrections(
        pairs=[ruled],
        controls=[control],
        by=make_user("canarylead", Role.LEAD),
        category=RulingCategory.GOLD_WRONG,
        note="canarydoubt",
        now=timezone.now(),
    )
    me = make_user("me", Role.ADJUDICATOR)
    return Court(planted, me, [one, two], [ruled, control], later, late, people)


def values(court: Court) -> dict[str, list[object]]:
    tokens = list(
        Hearing.objects.filter(adjudicator=court.me).values_list("token", flat=True)
    )
    theirs = Hearing.objects.exclude(adjudicator=court.me)
    return {
        "int": [court.planted.round.pk, court.disputes[0].pk],
        "uuid": [*tokens, *theirs.values_list("token", flat=True), uuid4()],
        "slug": [court.planted.gold_set.name],
        "str": [court.planted.gold_set.name],
        "path": [court.disputes[0].pk],
    }


def work(client: Client, court: Court) -> list[Answered]:
    """Rule on all that this person may, through page and API by turns."""
    answers = [ask(client, "GET", "/adjudicate/")]
    for step in range(len(court.disputes) + len(court.requested)):
        api = ask(client, "POST", "/api/v1/adjudications/next")
        answers.append(api)
        token = re.search(r'"token":"([^"]+)"', api.text)
        assert token is not None
        said = {"choice": "first", "category": "bad_case", "note": "mine"}
        rest: dict[str, Any]
        if step % 2:
            url, rest = f"/adjudicate/{token[1]}/rule", {"headers": {"HX-Request": "1"}}
        else:
            url = f"/api/v1/adjudications/{token[1]}/ruling"
            rest = {"content_type": "application/json"}
        answers.append(ask(client, "POST", url, said, **rest))
    return answers


def test_an_adjudicator_learns_labels_and_nothing_else(
    court: Court, client_of: Callable[[User], Client], make_user: Callable[..., Any]
) -> None:
    client = client_of(court.me)
    worked = work(client, court)
    court.dispute(court.late)
    next_hearing(adjudicator=make_user("rival", Role.ADJUDICATOR), now=timezone.now())
    RulingHold.objects.all().delete()
    next_hearing(adjudicator=court.me, now=timezone.now())
    walked = crawl(client, values(court))
    unruled = [a.text for a in worked if a.path.endswith("next")]
    assert "canaryruling" not in "".join(unruled)
    # Notes of labels, and after one's own ruling those of others, are shown as written.
    answers = [
        replace(one, text=re.sub("canarynote|canaryruling", "", one.text))
        for one in [*worked, *walked]
    ]

    assert leaks(court.planted, answers) == []
    own = [answer for answer in answers if answer.path.startswith(OWN)]
    assert [a.path for a in own if REASONS.search(a.text)] == []
    assert {answer.status for answer in answers}.isdisjoint({500})
    # The walk must have got somewhere for its silence to mean anything.
    seen = "\n".join(answer.text for answer in own)
    assert "Left is short." in seen
    assert "From outside." in seen
    assert "adjudicator 1" in seen
    ruled = Adjudication.objects.filter(adjudicator=court.me)
    assert {r.pair_id for r in ruled} == {
        pair.pk for pair in [*court.disputes, *court.requested]
    }
    assert all(ruling.after_judge for ruling in ruled)


def test_correction_and_control_look_alike(
    court: Court, client_of: Callable[[User], Client]
) -> None:
    """Of two pairs ruled on alike, only the texts and labels differ."""
    client = client_of(court.me)
    shapes = {}
    for _ in range(4):
        reply = client.post("/api/v1/adjudications/next").json()
        pair = reply["pair"]
        hearing = Hearing.objects.get(token=pair["token"])
        shapes[hearing.pair_id] = (
            sorted(pair),
            pair["question"],
            pair["categories"],
        )
        said = {"choice": "tie", "category": "bad_case", "note": "mine"}
        url = f"/api/v1/adjudications/{pair['token']}/ruling"
        ruled = client.post(url, said, content_type="application/json")
        assert ruled.status_code == 200, ruled.content
    one, two = (shapes[pair.pk] for pair in court.requested)
    assert one == two == shapes[court.disputes[0].pk]
