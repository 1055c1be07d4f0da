"""Many real processes at one queue, one of them killed in the middle."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from annotation.models import Assignment, Label, Round, Seat
from annotation.services.queue import AllDone
from tests.annotation.factory import Clock, Desk, make_round, make_set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[3]
WORKER = "tests.annotation.worker"
SECONDS = 240
SMALL_ROUNDS = 5


def database_url() -> str:
    """The address of the very database that this test uses."""
    entry = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{entry['NAME']}"
    user, password = quote(entry["USER"] or ""), quote(entry["PASSWORD"] or "")
    secret = f":{password}" if password else ""
    host = str(entry["HOST"] or "")
    if host.startswith("/"):
        return f"postgres://{user}{secret}@/{entry['NAME']}?host={quote(host, safe='')}"
    return f"postgres://{user}{secret}@{host}:{entry['PORT']}/{entry['NAME']}"


class Crew:
    """Worker processes that start together."""

    def __init__(self, folder: Path) -> None:
        self.go = folder / "go"
        self.people: list[subprocess.Popen[str]] = []
        self.environment = os.environ | {
            "DATABASE_URL": database_url(),
            "SECRET_KEY": settings.SECRET_KEY,
            "EVENHAND_VAR": str(folder),
        }

    def hire(self, user_id: int, rounds: list[Round]) -> None:
        ids = [str(r.pk) for r in rounds]
        self.people.append(
            subprocess.Popen(
                [sys.executable, "-m", WORKER, str(self.go), str(user_id), *ids],
                cwd=ROOT,
                env=self.environment,
                stdout=subprocess.PIPE,
                text=True,
            )
        )

    def start(self) -> None:
        for person in self.people:
            assert person.stdout is not None
            assert person.stdout.readline() == "ready\n"
        self.go.touch()

    def finish(self) -> list[list[str]]:
        return [p.communicate(timeout=SECONDS)[0].splitlines() for p in self.people]

    def dismiss(self) -> None:
        for person in self.people:
            if person.poll() is None:
                person.kill()
                person.communicate()


@pytest.fixture
def crew(tmp_path: Path) -> Iterator[Crew]:
    crew = Crew(tmp_path)
    yield crew
    crew.dismiss()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_no_double_no_extra_and_no_lost_label(
    crew: Crew, make_user: Callable[..., Any]
) -> None:
    """Eight processes on PostgreSQL, four on SQLite; two of them are one person.

    First come rounds with a single seat, which all want at once.
    """
    on_postgres = connection.vendor == "postgresql"
    people, cases = (7, 120) if on_postgres else (3, 70)
    users = [make_user(f"r{n}") for n in range(people)]
    now = timezone.now()
    single = make_set(cases=1)
    rounds = [
        make_round(single, *users, name=f"One seat {n}", now=now)
        for n in range(SMALL_ROUNDS)
    ]
    large = make_set(cases=cases // 2, systems=("a1", "b2", "c3"))
    main = make_round(large, *users, labels_per_pair=2, now=now)
    seats = main.seats.count()
    victim = make_user("victim")
    with_victim = [*users, users[0], victim]
    add_to(main, victim)
    for user in with_victim:
        crew.hire(user.pk, [main] if user is victim else [*rounds, main])
    crew.start()
    killed = kill_after(crew.people[-1], labels=5)
    outputs = crew.finish()

    for output in outputs[:-1]:
        assert output[-1] == "end"
    replied = {
        int(line.split()[1]) for o in [*outputs, killed] for line in o if " " in line
    }
    assert replied <= set(Label.objects.values_list("pk", flat=True))
    for round_ in rounds:
        assert Label.objects.filter(seat__round=round_).count() == 1
    check_round(main)
    held = Seat.objects.filter(round=main, available_at__isnull=False)
    assert held.count() <= 1  # what the killed one had on the screen
    finish_after_expiry(main, users)
    check_round(main)
    assert Label.objects.filter(seat__round=main).count() == seats


def add_to(round_: Round, user: Any) -> None:
    from annotation.services.round_members import add_members

    add_members(round_=round_, reviewers=[user], now=timezone.now())


def kill_after(person: subprocess.Popen[str], *, labels: int) -> list[str]:
    assert person.stdout is not None
    seen = [person.stdout.readline().strip() for _ in range(labels)]
    person.kill()
    return seen


def finish_after_expiry(round_: Round, users: list[Any]) -> None:
    """When the reservation has run out, the others get what the killed one held."""
    clock = Clock(timezone.now())
    clock.pass_minutes(31)
    for user in users:
        desk = Desk(round_, user, clock, random.Random(1))
        desk.label_all()
        assert desk.next() == AllDone()


def check_round(round_: Round) -> None:
    labels = list(Label.objects.filter(seat__round=round_).select_related("seat"))
    by_pair = Counter(label.pair_id for label in labels)
    assert max(by_pair.values()) <= round_.labels_per_pair
    own = Counter((label.pair_id, label.reviewer_id) for label in labels)
    assert set(own.values()) == {1}
    assert {label.revision for label in labels} == {1}
    done = Seat.objects.filter(round=round_, available_at__isnull=True)
    assert done.count() == len(labels)
    for label in labels:
        assert label.seat is not None
        assert label.seat.reviewer_id == label.reviewer_id
    balance_within_one(labels)
    neighbours_differ(round_)


def balance_within_one(labels: list[Label]) -> None:
    """Left and right of each person, save what the last pairs left no choice in."""
    for reviewer in {label.reviewer_id for label in labels}:
        orders = Counter(x.order for x in labels if x.reviewer_id == reviewer)
        counts = [*orders.values(), 0][:2]
        assert abs(counts[0] - counts[1]) <= max(2, 0.1 * sum(counts))


def neighbours_differ(round_: Round) -> None:
    shown: dict[int, int] = {}
    rows = Assignment.objects.filter(round=round_).order_by("claimed_at", "pk")
    for row in rows.select_related("pair"):
        if not row.same_case_again:
            assert shown.get(row.reviewer_id) != row.pair.case_id
        shown[row.reviewer_id] = row.pair.case_id


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_label_survives_kill_9_after_the_reply(
    crew: Crew, make_user: Callable[..., Any]
) -> None:
    user = make_user("r1")
    round_ = make_round(make_set(cases=60), user, now=timezone.now())
    crew.hire(user.pk, [round_])
    crew.start()
    replies = kill_after(crew.people[0], labels=10)
    crew.finish()

    stored = set(Label.objects.values_list("pk", flat=True))
    assert len(replies) == 10
    assert {int(reply.split()[1]) for reply in replies} <= stored
