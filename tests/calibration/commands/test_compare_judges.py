"""`compare_judges`: text, JSON, looks and clean refusals."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Case
from calibration.models import Look
from tests.calibration.several import several_world
from tests.calibration.world import TOLD, Told, make_world

pytestmark = pytest.mark.django_db


def compared(world, *args: str, judges: str = "") -> str:
    out = StringIO()
    names = judges or f"{world.run.config.name},other"
    call_command(
        "compare_judges",
        "--gold-set",
        world.gold_set.name,
        "--judges",
        names,
        *args,
        stdout=out,
    )
    return out.getvalue()


@pytest.fixture
def two():
    world = make_world()
    world.run_again("other")
    return world


def test_what_is_not_held_out_is_the_default_and_no_look(two):
    text = compared(two)
    told = "all that are not held out: 3 pairs with gold that all of them judged"
    assert told in text
    assert "exact McNemar p n/a, after Holm p n/a" in text
    assert "  No test: no decisive cases.\n" in text
    assert "separable" not in text
    assert "Wrong by every judge: 1 pair\n  case-0002" in text
    assert not Look.objects.exists()


def test_pairs_of_one_case_are_told_apart():
    world = several_world(["BBB BCC CBB"])
    world.run_again("other")
    told = "Wrong by every judge: 2 pairs\n  case-0000 v12|v14, case-0000 v13|v14\n"
    assert compared(world).endswith(told)
    found = json.loads(compared(world, "--json"))
    assert found["all_wrong"] == ["case-0000", "case-0000"]
    assert found["all_wrong_systems"] == [["v12", "v14"], ["v13", "v14"]]


def test_json_is_the_whole_output(two):
    found = json.loads(compared(two, "--json"))
    assert found["schema"] == "evenhand.judge_comparison/1"
    assert (found["pairs"], found["split"]) == (3, "open")
    assert found["versus"][0]["both_wrong"] == 1
    assert set(found["runs"]) == {two.run.config.name, "other"}


def test_pairs_in_no_split_are_compared_and_dev_says_where_they_are():
    """Of a set without splits the default compares every pair, dev says why none."""
    world = make_world([Told("", t.gold, t.there, t.back) for t in TOLD])
    world.run_again("other")
    found = json.loads(compared(world, "--json"))
    assert (found["pairs"], found["split"], found["why_none"]) == (6, "open", "")
    none = json.loads(compared(world, "--json", "--split", "dev"))
    assert (none["pairs"], none["versus"][0]["adjusted"]) == (0, None)
    why = (
        "Gold version 1 has no pair with gold in dev. 6 pairs with gold were in no "
        "split when it was frozen: compare on all that are not held out, or assign "
        "splits and freeze gold again."
    )
    assert none["why_none"] == why
    text = compared(world, "--split", "dev")
    assert " ".join(text.split()).endswith(why)
    assert "ndependent" not in text


def test_open_leaves_out_what_is_held_out_by_now(two):
    case = Case.objects.get(gold_set=two.gold_set, external_id="case-0000")
    Case.objects.filter(pk=case.pk).update(split="held_out")
    assert json.loads(compared(two, "--json"))["pairs"] == 2


def test_held_out_pairs_are_a_look_at_each_judge(two):
    found = json.loads(compared(two, "--json", "--split", "held_out"))
    assert found["pairs"] == 3
    assert Look.objects.count() == 2


def test_past_the_budget_it_says_how():
    world = make_world(look_budget=0)
    world.run_again("other")
    with pytest.raises(CommandError, match="Give one with --reason"):
        compared(world, "--split", "held_out")


@pytest.mark.parametrize(
    ("judges", "message"),
    [
        ("other", "two or more judges"),
        ("other,other", "two or more judges"),
        ("other,nobody", "no run of 'nobody'"),
    ],
)
def test_refusals(two, judges, message):
    with pytest.raises(CommandError, match=message):
        compared(two, judges=judges)
