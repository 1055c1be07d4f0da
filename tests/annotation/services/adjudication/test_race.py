"""Adjudicators in processes of their own, at one queue and at one pair."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.utils import timezone

from annotation.domain.outcomes import Order
from annotation.domain.rulings import verify_chain
from annotation.models import Adjudication, Hearing, RulingHold
from annotation.services.adjudicating import link_of
from config.accounts.roles import Role
from tests.annotation.court import DISPUTE, label, pairs_of
from tests.annotation.factory import make_set
from tests.processes import ROOT, environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from config.accounts.models import User

SECONDS = 90
ROUNDS = 6


class Bar:
    """Processes that start together."""

    def __init__(self, folder: Path) -> None:
        self.go = folder / "go"
        self.environment = environment(folder)
        self.people: list[subprocess.Popen[str]] = []

    def call(self, user: User, *token: str) -> None:
        command = [sys.executable, "-m", "tests.annotation.ruling_worker"]
        self.people.append(
            subprocess.Popen(
                [*command, str(self.go), str(user.pk), *token],
                cwd=ROOT,
                env=self.environment,
                stdout=subprocess.PIPE,
                text=True,
            )
        )

    def run(self) -> list[list[str]]:
        for person in self.people:
            assert person.stdout is not None
            assert person.stdout.readline() == "ready\n"
        self.go.touch()
        said = [p.communicate(timeout=SECONDS)[0].splitlines() for p in self.people]
        assert [lines.pop() for lines in said] == ["end"] * len(said)
        return said

    def dismiss(self) -> None:
        for person in self.people:
            if person.poll() is None:
                person.kill()
                person.communicate()


@pytest.fixture
def bar(tmp_path: Path) -> Iterator[Bar]:
    bar = Bar(tmp_path)
    yield bar
    bar.dismiss()


def lay_before(user: User, pair: Any) -> str:
    """As if this person had the pair on the screen, whoever holds it now."""
    now = timezone.now()
    hearing = Hearing.objects.create(
        pair=pair,
        adjudicator=user,
        order=Order.BASELINE_FIRST.value,
        opened_at=now,
        revealed_at=now,
    )
    return str(hearing.token)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_of_two_processes_that_rule_on_one_pair_one_wins(
    bar: Bar, make_user: Callable[..., Any]
) -> None:
    """Several pairs, each before two processes; all of them go off at once."""
    gold_set = make_set(cases=ROUNDS // 2)
    labellers = [make_user(f"r{n}", Role.REVIEWER) for n in range(3)]
    label(gold_set, labellers, [DISPUTE] * (ROUNDS // 2))
    for number, pair in enumerate(pairs_of(gold_set)):
        for side in "ab":
            user = make_user(f"{side}{number}", Role.ADJUDICATOR)
            bar.call(user, lay_before(user, pair))
    said = [line for lines in bar.run() for line in lines]

    assert Counter(line.split()[0] for line in said) == {
        "ruling": ROUNDS // 2,
        "ruling_raced": ROUNDS // 2,
    }
    stored = {row.pair_id: row.sequence for row in Adjudication.objects.all()}
    assert stored == {pair.pk: 1 for pair in pairs_of(gold_set)}


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_many_processes_rule_on_every_dispute_once(
    bar: Bar, make_user: Callable[..., Any]
) -> None:
    """Four people, one of them in two windows; none is ever told that they lost."""
    count = 60 if connection.vendor == "postgresql" else 24
    gold_set = make_set(cases=count)
    labellers = [make_user(f"r{n}", Role.REVIEWER) for n in range(3)]
    label(gold_set, labellers, [DISPUTE] * count)
    users = [make_user(f"a{n}", Role.ADJUDICATOR) for n in range(4)]
    for user in [*users, users[0]]:
        bar.call(user)
    said = [line for lines in bar.run() for line in lines]

    assert {line.split()[0] for line in said} == {"ruling"}
    rulings = list(Adjudication.objects.select_related("pair", "adjudicator"))
    assert sorted(ruling.pair_id for ruling in rulings) == sorted(
        pair.pk for pair in pairs_of(gold_set)
    )
    assert {int(line.split()[1]) for line in said} == {r.pk for r in rulings}
    assert not RulingHold.objects.exists()
    assert all(verify_chain([link_of(ruling)]) == () for ruling in rulings)
    assert Hearing.objects.count() == count
