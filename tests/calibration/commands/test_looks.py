"""plan_looks, report --look and unseal_held_out."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import LookPlan, Unsealing
from calibration.models import Look
from tests.calibration.sealed import GOOD
from tests.calibration.world import World, make_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def good() -> World:
    return make_world(GOOD)


def run(command: str, *args: object) -> str:
    out = StringIO()
    call_command(command, *args, stdout=out)
    return out.getvalue()


def test_from_plan_to_unsealing(good: World) -> None:
    name = good.gold_set.name
    told = run(
        "plan_looks", name, "--mode", "sealed", "--budget", "2", "--limit",
        "agreement=0.5", "--limit", "flip_rate=0.9",
    )  # fmt: skip
    assert told.splitlines() == [
        f"{name}: sealed, 2 looks",
        "  Exact agreement, at least 50.00 %",
        "  Flips when slots swap, at most 90.00 %",
    ]
    assert run("report", good.run.pk, "--look") == "passed (look 1 of 2)\n"
    assert Look.objects.get().door == "command"
    assert "is unsealed" in run("unseal_held_out", name, "--reason", "done")
    assert Unsealing.objects.get().reason == "done"
    assert "unsealed on" in run("report", good.run.pk)


def test_a_plan_without_limits_is_open(good: World) -> None:
    run("plan_looks", good.gold_set.name, "--mode", "open", "--budget", "7")
    assert "held-out looks: 1 of 7" in run("report", good.run.pk)


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (["--limit", "agreement"], "NAME=SHARE"),
        (["--limit", "agreement=much"], "NAME=SHARE"),
        (["--limit", "kappa=0.5"], "no such limit"),
        ([], "at least one limit"),
    ],
)
def test_a_plan_is_checked(good: World, limits: list[str], said: str) -> None:
    wanted = [good.gold_set.name, "--mode", "sealed", "--budget", "2", *limits]
    with pytest.raises(CommandError, match=said):
        run("plan_looks", *wanted)
    assert not LookPlan.objects.exists()


def test_what_is_not_sealed_has_no_look_and_no_unsealing(good: World) -> None:
    with pytest.raises(CommandError, match="not sealed"):
        run("report", good.run.pk, "--look")
    with pytest.raises(CommandError, match="not sealed"):
        run("unseal_held_out", good.gold_set.name, "--reason", "x")
