"""`run_judge` with a budget that can't be leaves no run that a worker would buy."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command

from judging.models import Run
from tests.annotation.factory import make_set
from tests.judging.factory import ADDRESS, make_judge, make_run

pytestmark = pytest.mark.django_db


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
