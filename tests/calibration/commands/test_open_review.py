"""`open_review`: a round of abstained pairs, as the page and the API open it."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Round
from calibration.models import ReviewRound
from tests.calibration.releases import LOOSE, Released, make_release

if TYPE_CHECKING:
    from config.accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def released(db: None) -> Released:
    policy = LOOSE | {"abstainPath": "mandatory-human"}
    return make_release("CCCCCCCCAAA", policy=policy)


def command(run: int, name: str = "Abstained", **options: Any) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    given = {"policy": "usual"} | options
    call_command("open_review", run, name, stdout=out, stderr=err, **given)
    return out.getvalue(), err.getvalue()


def test_the_round_has_the_pairs_that_the_policy_sends(
    released: Released, reviewer: User
) -> None:
    said, warned = command(released.run.pk, reviewer=["reviewer"], labels_per_pair=2)
    made = ReviewRound.objects.get()
    assert f"Round {made.round_id} 'Abstained': 3 pairs of run" in said
    assert "by usual v1" in said
    assert made.round.seats.count() == 6
    assert made.opened_by is None
    assert "Nobody" not in warned
    assert "The round asks 2 labels of each pair, and the set wants 3: a pair" in said


def test_nobody_yet_is_said(released: Released) -> None:
    _, warned = command(released.run.pk)
    assert "Nobody is in the round yet" in warned


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"policy": "none"}, "none"),
        ({"policy_version": 9}, "9"),
        ({"reviewer": ["nobody"]}, "nobody"),
    ],
)
def test_refusals_open_nothing(
    released: Released, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(CommandError, match=words):
        command(released.run.pk, **options)
    assert not Round.objects.filter(name="Abstained").exists()


def test_runs_that_are_no_release_and_pairs_under_way(released: Released) -> None:
    with pytest.raises(CommandError, match="no release run"):
        command(released.world.run.pk)
    command(released.run.pk)
    with pytest.raises(CommandError, match="under way"):
        command(released.run.pk, "Again")
