"""A judge that was shown what it is measured on says so in its report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from annotation.domain.digests import digest_of
from annotation.models import Case
from annotation.services.held_out import Viewer
from calibration.presenters import text_report
from calibration.presenters.page import report_page
from calibration.services.looks import disclosed
from judging.models import JudgeConfig
from tests.annotation.factory import START
from tests.guards import change

if TYPE_CHECKING:
    from typing import Any

    from tests.calibration.world import World

pytestmark = pytest.mark.django_db


def quoting(world: World, text: str) -> dict[str, Any]:
    """The report of a judge whose template holds a text."""
    quoted = ["Be fair.", f"Like this:\n{text}\nGood."]
    spec = {"rubric_step": {"user_template": quoted}}
    config = JudgeConfig.objects.create(
        name="few-shot", version=1, verdict_format="five_token",
        combining_rule="agree_else_tie", repeat_rule="mean", created_at=START,
        frozen_at=START, digest=digest_of(spec), spec=spec,
    )  # fmt: skip
    change(world.run, config=config)
    return disclosed(
        report=world.report(),
        viewer=Viewer(user=None, door="command", actor="ann"),
        now=START,
    )


def case_of(world: World, split: str) -> Case:
    return Case.objects.filter(gold_set=world.gold_set, split=split).earliest("pk")


def test_a_held_out_case_is_named(world: World) -> None:
    case = case_of(world, "held_out")
    payload = quoting(world, str(case.prompt).upper())
    assert payload["judge"]["few_shot"] == {
        "texts": 1, "cases": 4, "exact": [case.external_id], "near": [],
    }  # fmt: skip
    said = f"1 held-out case word for word: {case.external_id}"
    assert said in " ".join(text_report(payload).split())
    assert any(said in notice.text for notice in report_page(payload).notices)


def test_a_dev_case_is_what_examples_are_for(world: World) -> None:
    payload = quoting(world, str(case_of(world, "dev").prompt))
    assert payload["judge"]["few_shot"]["exact"] == []
    assert "It was shown what it is measured on" not in text_report(payload)


def test_a_judge_without_texts_of_its_own(world: World) -> None:
    payload = disclosed(
        report=world.report(),
        viewer=Viewer(user=None, door="command", actor="ann"),
        now=START,
    )
    found = payload["judge"]["few_shot"]
    assert (found["texts"], found["cases"]) == (0, 4)
