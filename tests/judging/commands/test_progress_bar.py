"""The bar that a run is watched by, and the lines where nobody watches."""

from __future__ import annotations

import io
import threading
import time
import uuid

import pytest
from django.core.management import call_command

from judging.management import showing
from judging.management.commands import run_judge
from judging.management.showing import Lines, Standing
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

    def __call__(self, *_columns, **_options):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        return None


class Terminal(io.StringIO):
    """Standard error that somebody looks at."""

    def isatty(self):
        return True


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

    monkeypatch.setattr(showing, "Progress", bar)
    monkeypatch.setattr(run_judge, "carry_out", carry_out)
    with pytest.raises(run_judge.CommandError, match="Resume it with"):
        call_command("run_judge", run=run.pk, stderr=Terminal())
    assert bar.shown == [
        {"total": 4, "completed": 2, "invalid": "1", "trouble": ""},
        {"completed": 3, "invalid": "2", "trouble": ""},
        {"completed": 3, "invalid": "2", "trouble": "Nobody is there"},
    ]


def test_where_nobody_watches_a_line_tells_what_it_waits_for(monkeypatch):
    run, err = make_run(ADDRESS, cases=2), io.StringIO()

    def carry_out(_run, *, on_progress, **_more):
        on_progress(Progress(answered=1))
        on_progress(Progress(answered=1, trouble="Nobody is there"))
        on_progress(Progress(answered=2, trouble="Nobody is there"))
        on_progress(Progress(answered=3, invalid=1))

    monkeypatch.setattr(run_judge, "carry_out", carry_out)
    with pytest.raises(run_judge.CommandError):
        call_command("run_judge", run=run.pk, stderr=err)
    assert err.getvalue().splitlines() == [
        "1 of 4 calls done, invalid: 0; Nobody is there",
        "3 of 4 calls done, invalid: 1",
    ]


def test_lines_tell_what_changed_and_now_and_then_that_nothing_did():
    told = []
    lines = Lines(told.append, Standing(4, 0, 0, sealed=False), every=0.05)
    clock = threading.Thread(target=lines.keep_telling)
    clock.start()
    lines.show(Progress(answered=1))
    time.sleep(0.4)
    once = list(told)
    lines.at_least_every = 0.05
    time.sleep(0.4)
    lines.ended.set()
    clock.join()
    assert once == ["1 of 4 calls done, invalid: 0"]
    assert len(told) > 2
    assert set(told) == set(once)
