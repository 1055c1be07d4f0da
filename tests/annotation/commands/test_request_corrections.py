"""`request_corrections`: lists from files, a lead's name, and plain refusals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import RequestKind, RulingRequest
from config.accounts.roles import Role
from tests.annotation.court import AGREED, label
from tests.annotation.factory import make_set

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from annotation.models import GoldSet
    from config.accounts.models import User


@pytest.fixture
def gold_set(make_user: Callable[..., Any], lead: User) -> GoldSet:
    gold_set = make_set(cases=3)
    people = [make_user(f"labeller{n}", Role.REVIEWER) for n in range(3)]
    label(gold_set, people, [AGREED] * 3)
    return gold_set


def run(folder: Path, name: str, **change: str) -> None:
    options = {
        "pairs": "\ufeffcase-0000\n",
        "controls": "case-0001\r\ncase-0002\n",
        "by": "lead",
        "category": "gold_wrong",
    } | change
    for file in ("pairs", "controls"):
        if file in options:
            (folder / file).write_text(options[file], encoding="utf-8")
    call_command(
        "request_corrections",
        name,
        pairs=str(folder / "pairs"),
        controls=str(folder / "controls"),
        category=options["category"],
        note="Doubt.",
        by=options["by"],
    )


def test_pairs_and_controls_wait(
    tmp_path: Path, gold_set: GoldSet, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tmp_path, gold_set.name)
    said = capsys.readouterr().out
    assert (
        said == f"{gold_set.name}: 3 pairs wait to be ruled on, 2 of them controls.\n"
    )
    kinds = dict(RulingRequest.objects.values_list("pair__case__external_id", "kind"))
    assert kinds == {
        "case-0000": RequestKind.CORRECTION,
        "case-0001": RequestKind.CONTROL,
        "case-0002": RequestKind.CONTROL,
    }


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"controls": ""}, "at least as many controls"),
        ({"pairs": "nowhere"}, "no such case"),
        ({"by": "nobody"}, "nobody is no lead"),
        ({"by": "labeller0"}, "labeller0 is no lead"),
        ({"category": "bad_case"}, "invalid choice|not one for corrections"),
    ],
)
def test_refusals(
    change: dict[str, str], said: str, tmp_path: Path, gold_set: GoldSet
) -> None:
    with pytest.raises(CommandError, match=said):
        run(tmp_path, gold_set.name, **change)
    assert not RulingRequest.objects.exists()


def test_a_missing_file_and_an_unknown_set(tmp_path: Path, gold_set: GoldSet) -> None:
    with pytest.raises(CommandError, match="none-such"):
        run(tmp_path, "none-such")
    with pytest.raises(CommandError, match="pairs"):
        call_command(
            "request_corrections", gold_set.name, pairs=str(tmp_path / "gone/pairs"),
            controls="-", category="gold_wrong", note="x", by="lead",
        )  # fmt: skip
