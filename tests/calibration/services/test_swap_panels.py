"""A release run over a panel: drawn from a seed, with every critical pair in it."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction

from calibration.models import SwapPanel
from calibration.services.swap_panels import PanelWish, panel_of, start_panel
from config.errors import InvalidInput
from judging.models import Run, RunPurpose
from tests.annotation.factory import START, add_case, make_set
from tests.judging.factory import make_judge

if TYPE_CHECKING:
    from annotation.models import GoldSet
    from judging.models import JudgeConfig

pytestmark = pytest.mark.django_db
WISH = PanelWish(0.25, "may", ("language",))


@pytest.fixture
def gold_set(db: None) -> GoldSet:
    made = make_set(0, name="release")
    for number in range(40):
        language = "de" if number % 4 == 0 else "en"
        add_case(
            made, list(made.systems.all()), f"r{number:02d}", (),
            slices={"language": language}, critical=number == 7,
        )  # fmt: skip
    return made


@pytest.fixture
def judge(db: None) -> JudgeConfig:
    return make_judge("http://127.0.0.1:9/v1", name="panel-judge")


def start(gold_set: GoldSet, judge: JudgeConfig, wish: PanelWish = WISH) -> SwapPanel:
    return start_panel(
        config=judge, gold_set=gold_set, wish=wish, concurrency=4, by=None, now=START
    )


def test_the_run_has_the_panel_in_both_orders_and_says_how_it_was_drawn(
    gold_set: GoldSet, judge: JudgeConfig
) -> None:
    panel = start(gold_set, judge)
    run = panel.run
    assert run.purpose == RunPurpose.RELEASE
    assert (panel.share, panel.seed, panel.slices) == (0.25, "may", ["language"])
    assert (panel.drawn, panel.pairs) == (11, 40)  # a quarter of 39, and the critical
    judged = run.calls.values_list("pair", flat=True).distinct()
    assert sorted(judged) == sorted(panel_of(gold_set, WISH)[0])
    assert run.calls.count() == 22
    slices = run.calls.values_list("pair__case__slices", flat=True)
    languages = [each["language"] for each in slices]
    assert languages.count("de") in (4, 6)
    assert run.calls.filter(pair__case__external_id="r07").count() == 2


def test_another_seed_draws_another_panel(gold_set: GoldSet) -> None:
    one, other = (panel_of(gold_set, PanelWish(0.25, seed))[0] for seed in ("a", "b"))
    assert one != other
    assert panel_of(gold_set, PanelWish(0.25, "a"))[0] == one


@pytest.mark.parametrize(
    ("wish", "named"),
    [
        (PanelWish(0, "a"), "share"),
        (PanelWish(1.5, "a"), "share"),
        (PanelWish(float("nan"), "a"), "share"),
        (PanelWish(0.5, ""), "seed"),
        (PanelWish(0.5, "a" * 65), "seed"),
        (PanelWish(0.5, "a", ("risk",)), "risk"),
    ],
)
def test_what_can_not_be_drawn_is_refused(
    gold_set: GoldSet, judge: JudgeConfig, wish: PanelWish, named: str
) -> None:
    with pytest.raises(InvalidInput, match=named):
        start(gold_set, judge, wish)
    assert not Run.objects.exists()


def test_how_it_was_drawn_stays(gold_set: GoldSet, judge: JudgeConfig) -> None:
    start(gold_set, judge)
    with pytest.raises(DatabaseError, match="guard"), transaction.atomic():
        SwapPanel.objects.update(seed="june")


def command(**options: Any) -> str:
    out = StringIO()
    call_command("start_release", stdout=out, **options)
    return out.getvalue()


def test_the_command_starts_it(gold_set: GoldSet, judge: JudgeConfig) -> None:
    said = command(
        judge=judge.name, gold_set="release", share=0.25, seed="may", slices="language"
    )
    assert "a panel of 11 of 40 pairs, seed may" in said
    assert f"run_judge --run {Run.objects.get().pk}" in said
    with pytest.raises(CommandError, match="share"):
        command(judge=judge.name, gold_set="release", share=2, seed="may")
