"""Many real processes at one queue, some of them killed in the middle.

`python -m benchmarks.contention` does the same at full size.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.utils import timezone

from annotation.models import Assignment, Label, Seat
from tests.annotation.crew import Crew, Faults, faults, finish_after_expiry
from tests.annotation.factory import make_round, make_set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SMALL_ROUNDS = 5
NONE = Faults(0, 0, 0, 0, 0, 0)


@pytest.fixture
def make_crew(tmp_path: Path) -> Iterator[Callable[..., Crew]]:
    crews: list[Crew] = []

    def make(**options: Any) -> Crew:
        crews.append(Crew(tmp_path, **options))
        return crews[-1]

    yield make
    for crew in crews:
        crew.dismiss()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_no_double_no_extra_and_no_lost_label(
    make_crew: Callable[..., Crew], make_user: Callable[..., Any]
) -> None:
    """Eight processes on PostgreSQL, four on SQLite; two of them are one person.

    First come rounds with a single seat, which all want at once. Workers are killed
    and replaced meanwhile.
    """
    on_postgres = connection.vendor == "postgresql"
    people, cases = (7, 120) if on_postgres else (3, 70)
    users = [make_user(f"r{n}") for n in range(people)]
    now, crew = timezone.now(), make_crew()
    single = make_set(cases=1)
    rounds = [
        make_round(single, *users, name=f"One seat {n}", now=now)
        for n in range(SMALL_ROUNDS)
    ]
    large = make_set(cases=cases // 2, systems=("a1", "b2", "c3"))
    main = make_round(large, *users, labels_per_pair=2, now=now)
    for user in [*users, users[0]]:
        crew.hire(user.pk, [*rounds, main])
    crew.start()
    killed = crew.kill_some([main], random.Random(3), times=3)
    crew.finish()

    assert killed
    for hand in crew.hands:
        assert hand.lines()[-1] == "end"
    for round_ in rounds:
        labels = Label.objects.filter(seat__round=round_).count()
        held = round_.seats.filter(available_at__isnull=False).count()
        assert labels + held == 1  # a killed one may hold the only seat
    assert faults(main, crew.replied()) == NONE
    open_ones = Seat.objects.filter(round=main, available_at__isnull=False)
    assert open_ones.count() <= killed  # what the killed had on the screen
    finish_after_expiry(main, users)
    assert faults(main, crew.replied()) == NONE
    assert Label.objects.filter(seat__round=main).count() == main.seats.count()
    balance_within_one(main.pk)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_reservations_that_run_out_all_the_time(
    make_crew: Callable[..., Crew], make_user: Callable[..., Any]
) -> None:
    """A minute lasts a tenth of a second, and a third of the pairs are held longer."""
    users = [make_user(f"r{n}") for n in range(4)]
    round_ = make_round(
        make_set(cases=15), *users, labels_per_pair=2, minutes=1, now=timezone.now()
    )
    crew = make_crew(haste=600, dawdle=0.3)
    for user in users:
        crew.hire(user.pk, [round_])
    crew.start()
    crew.finish()

    assert faults(round_, crew.replied()) == NONE
    shown = Assignment.objects.filter(round=round_).count()
    stored = Label.objects.filter(seat__round=round_).count()
    assert shown > stored  # some lost their pair to others
    finish_after_expiry(round_, users, days=400)
    assert faults(round_) == NONE
    assert Label.objects.filter(seat__round=round_).count() == 30


def balance_within_one(round_id: int) -> None:
    """Left and right of each person, save what the last pairs left no choice in."""
    rows = Label.objects.filter(seat__round=round_id)
    for reviewer in rows.values_list("reviewer", flat=True).distinct():
        mine = rows.filter(reviewer=reviewer).values_list("order", flat=True)
        counts = [*Counter(mine).values(), 0][:2]
        assert abs(counts[0] - counts[1]) <= max(2, 0.15 * sum(counts))


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_label_survives_kill_9_after_the_reply(
    make_crew: Callable[..., Crew], make_user: Callable[..., Any]
) -> None:
    user, crew = make_user("r1"), make_crew()
    round_ = make_round(make_set(cases=60), user, now=timezone.now())
    hand = crew.hire(user.pk, [round_])
    crew.start()
    replies = crew.kill_after(hand, labels=10)

    stored = set(Label.objects.values_list("pk", flat=True))
    assert len(replies) >= 10
    assert {int(reply.split()[1]) for reply in replies} <= stored
