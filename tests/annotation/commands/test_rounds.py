"""`open_round` and `close_round` from the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Round, RoundMember
from config.accounts.roles import Role

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from annotation.models import GoldSet
    from config.accounts.models import User


def test_a_round_is_opened_with_what_was_asked_for(
    gold_set: GoldSet,
    reviewer: User,
    make_user: Callable[..., Any],
    capsys: pytest.CaptureFixture[str],
) -> None:
    make_user("both", Role.LEAD, Role.REVIEWER)
    options = ["--labels-per-pair=2", "--sample=4", "--seed=s", "--retest-share=0.25"]
    people = ["--reviewer=reviewer", "--reviewer=both"]
    call_command("open_round", gold_set.name, "Spring", *options, *people)

    round_ = Round.objects.get()
    told = capsys.readouterr()
    assert told.out == (
        f"Round {round_.pk} 'Spring': 4 pairs, 8 labels wanted, planned repeats: 1, "
        "sample seed s\n"
        "The round asks 2 labels of each pair, and the set wants 3: a pair that gets "
        "no others stays open with too few labels, and goes to no adjudicator even "
        "where its labels disagree.\n"
        "The checks of the set have not been run before this round.\n"
    )
    assert "both: Not blind" in told.err
    assert "reviewer:" not in told.err
    assert round_.seats.count() == 8
    assert RoundMember.objects.count() == 2


def test_cases_are_listed_in_a_file(gold_set: GoldSet, tmp_path: Path) -> None:
    names = tmp_path / "cases.txt"
    names.write_text("case-0002\n\n case-0004 \n", encoding="utf-8")
    call_command("open_round", gold_set.name, "Two", f"--cases={names}")

    seats = Round.objects.get().seats.select_related("case")
    assert {seat.case.external_id for seat in seats} == {"case-0002", "case-0004"}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--reviewer=nobody"], "'nobody' is nobody who"),
        (["--cases=/nowhere/at/all"], "No such file"),
        (["--slice==x"], "write it as KEY=VALUE"),
        (["--which=disputed"], "at least one pair"),
        (["--labels-per-pair=7"], "labels-per-pair: must be 1 to 5"),
        (["--retest-share=1.5"], "retest-share: must be 0 to 1"),
    ],
)
def test_refusals_are_in_words(
    options: list[str], reason: str, gold_set: GoldSet
) -> None:
    with pytest.raises(CommandError, match=reason):
        call_command("open_round", gold_set.name, "r", *options)
    assert not Round.objects.exists()


def test_a_round_is_closed_and_reopened_by_name(
    round_: Round, capsys: pytest.CaptureFixture[str]
) -> None:
    where = (round_.gold_set.name, round_.name)
    call_command("close_round", *where)
    assert not Round.objects.get().is_open
    with pytest.raises(CommandError, match="closed already"):
        call_command("close_round", *where)
    call_command("close_round", *where, "--reopen")
    assert Round.objects.get().is_open
    assert capsys.readouterr().out.splitlines() == [
        f"Round {round_.pk} 'Round one' is closed",
        f"Round {round_.pk} 'Round one' takes labels again",
    ]
    with pytest.raises(CommandError, match="there are: 'Round one'"):
        call_command("close_round", round_.gold_set.name, "Other")
