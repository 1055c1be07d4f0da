"""`run_judge` with a budget that can't be leaves no run that a worker would buy."""

from __future__ import annotations

import io
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from config.errors import Conflict
from judging.models import Run
from judging.services.budgets import Budget, set_budget
from judging.services.controlling import how_to_go_on
from tests.annotation.factory import START, make_set
from tests.judging.factory import ADDRESS, make_judge, make_run
from tests.judging.services.test_pricing import price
from tests.judging.talkers import Talker, work

pytestmark = pytest.mark.django_db(transaction=True)


def run_judge(gold_set, *options):
    out, err = io.StringIO(), io.StringIO()
    asked = ("--judge", "judge", "--gold-set", gold_set.name)
    try:
        call_command("run_judge", *asked, *options, stdout=out, stderr=err)
    finally:
        text = out.getvalue() + err.getvalue()
    return text


@pytest.mark.parametrize(
    "limit",
    [
        ("--max-cost", "1"),  # no price is known
        ("--max-cost", "nan"),
        ("--max-cost", "0"),
        ("--max-cost", "1e30"),
        ("--max-cost", "1", "--currency", "dollars"),
        ("--max-calls", "0"),
        ("--max-calls", str(10**20)),
        ("--max-tokens", str(10**25)),
    ],
)
def test_no_run_is_made(limit):
    make_judge(ADDRESS)
    with pytest.raises(CommandError):
        run_judge(make_set(1), *limit)
    assert not Run.objects.exists()


def test_what_an_unfinished_run_does_not_take_up_is_said(monkeypatch):
    done = []
    monkeypatch.setattr(
        "judging.management.commands.run_judge.carry_out",
        lambda run, **_: done.append(run.pk),
    )
    run = make_run(ADDRESS, cases=1)
    with pytest.raises(CommandError, match="pending"):
        run_judge(run.gold_set, "--max-calls", "9")
    run.refresh_from_db()
    assert (run.max_calls, done) == (9, [run.pk])
    err = io.StringIO()
    with pytest.raises(CommandError):
        call_command("run_judge", "--run", str(run.pk), "--max-calls", "0", stderr=err)
    with pytest.raises(CommandError):
        call_command(
            "run_judge", "--judge", "judge", "--gold-set", run.gold_set.name,
            "--again", stderr=err,
        )  # fmt: skip
    assert "no new one is started" in err.getvalue()
    assert Run.objects.get().max_calls == 9


class TestUsedUp:
    """What is to be done is said as it can be typed."""

    def hint(self, run):
        run.refresh_from_db()
        return how_to_go_on(run).removeprefix("Raise the budget to go on: ")

    def test_the_limit_is_named_and_raising_it_works(self, monkeypatch):
        run, client = make_run(ADDRESS, cases=2), Talker()
        set_budget(run=run, budget=Budget(calls=1), by=None, now=START)
        monkeypatch.setattr(
            "judging.management.commands.run_judge.open_chat", lambda _: client
        )
        with pytest.raises(CommandError, match="Raise the budget") as refused:
            call_command("run_judge", "--run", str(run.pk), stderr=io.StringIO())
        command = f"python manage.py run_judge --run {run.pk} --max-calls MORE"
        assert str(refused.value).endswith(command)
        more = self.hint(run).replace("MORE", "9").split()[2:]
        call_command(*more, stdout=io.StringIO(), stderr=io.StringIO())
        run.refresh_from_db()
        assert (run.status, client.asked) == ("done", 4)

    def test_limits_with_room_are_named_as_they_are(self):
        run = make_run(ADDRESS, cases=2)
        price(model="simulated-judge", prompt="1", completion="1")
        whole = Budget(calls=1, cost=Decimal("5.50"), currency="EUR")
        with pytest.raises(Conflict, match="EUR"):
            set_budget(run=run, budget=whole, by=None, now=START)
        whole = Budget(calls=1, cost=Decimal("5.50"), currency="USD")
        set_budget(run=run, budget=whole, by=None, now=timezone.now())
        work(run, Talker())
        assert self.hint(run).endswith(
            f"--run {run.pk} --max-calls MORE --max-cost 5.5 --currency USD"
        )

    def test_one_that_has_room_is_only_resumed(self):
        run = make_run(ADDRESS, cases=2)
        set_budget(run=run, budget=Budget(calls=9), by=None, now=START)
        assert self.hint(run).startswith("Resume it with: ")
