"""The bar that a run is watched by."""

from __future__ import annotations

import uuid
from contextlib import contextmanager

import pytest
from django.core.management import call_command

from judging.management.commands import run_judge
from judging.models import Attempt, Reply
from judging.services import worklist
from judging.services.storing import Result, store
from judging.services.tallies import Progress
from tests.annotation.factory import START
from tests.judging.factory import ADDRESS, make_run

pytestmark = pytest.mark.django_db(transaction=True)
OWNER = uuid.UUID(int=1)


class Bar:
    """Keeps what it is told."""

    def __init__(self):
        self.shown = []

    def add_task(self, _name, **numbers):
        self.shown.append(numbers)
        return 1

    def update(self, _task, **numbers):
        self.shown.append(numbers)

    @contextmanager
    def opened(self):
        yield self


def answer_two(run):
    """One verdict and one reply that is none, by a session that then ended."""
    first, second = worklist.claim(run_id=run.pk, owner=OWNER, limit=2, now=START)
    rows = [
        Reply(call_id=first.pk, choice="first", answered_at=START),
        Reply(call_id=second.pk, invalid_reason="unparsed", answered_at=START),
    ]
    results = [
        Result(
            row.call_id, Attempt(call_id=row.call_id, owner=OWNER, sent_at=START), row
        )
        for row in rows
    ]
    store(owner=OWNER, results=results)


def test_the_bar_of_a_resumed_run_goes_on_from_what_is_stored(monkeypatch):
    run, bar = make_run(ADDRESS, cases=2), Bar()
    answer_two(run)

    def carry_out(_run, *, on_progress, **_more):
        on_progress(Progress(answered=1, invalid=1))
        on_progress(Progress(answered=1, invalid=1, trouble="Nobody is there"))

    monkeypatch.setattr(run_judge, "_bar", bar.opened)
    monkeypatch.setattr(run_judge, "carry_out", carry_out)
    with pytest.raises(run_judge.CommandError, match="Resume it with"):
        call_command("run_judge", run=run.pk)
    assert bar.shown == [
        {"total": 4, "completed": 2, "invalid": 1, "trouble": ""},
        {"completed": 3, "invalid": 2, "trouble": ""},
        {"completed": 3, "invalid": 2, "trouble": "Nobody is there"},
    ]
