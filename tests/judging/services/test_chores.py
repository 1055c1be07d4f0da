from __future__ import annotations

from threading import Event, current_thread

import pytest

from judging.management.beside import chores_beside
from judging.services import chores as registry
from judging.services.chores import Chore, Chores, add_chore, chores

PATIENCE = 10.0


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def counted(seconds=60.0, name="one", fails=False):
    done: list[int] = []

    def do() -> None:
        done.append(1)
        if fails:
            raise ValueError("no luck")

    return Chore(name, seconds, do), done


def test_a_chore_is_done_at_once_and_then_after_its_time():
    chore, done = counted()
    clock = Clock()
    found = Chores((chore,), clock)
    for now, times in ((100, 1), (159, 1), (160, 2), (161, 2), (400, 3)):
        clock.now = now
        found.do_due()
        assert len(done) == times
    found.do_due(early=True)
    assert len(done) == 4


def test_trouble_with_one_holds_up_no_other_and_waits_its_time(caplog):
    bad, tried = counted(name="bad", fails=True)
    good, done = counted(name="good")
    found = Chores((bad, good), Clock())
    found.do_due()
    found.do_due()
    assert (len(tried), len(done)) == (1, 1)
    assert "bad: it is tried again" in caplog.text


def test_one_name_is_one_chore(monkeypatch):
    monkeypatch.setattr(registry, "_CHORES", {})
    first, second = counted()[0], counted()[0]
    add_chore(first)
    add_chore(second)
    assert chores() == (second,)


def test_sentinels_are_among_them():
    assert {chore.name: chore.seconds for chore in chores()} == {"sentinels": 60.0}


@pytest.mark.django_db(transaction=True)
def test_chores_are_done_beside_and_end_with_the_work():
    done, where = Event(), []

    def do() -> None:
        where.append(current_thread().name)
        done.set()

    with chores_beside(Chores((Chore("one", 60.0, do),))):
        assert done.wait(PATIENCE)
    assert where == ["chores"]
