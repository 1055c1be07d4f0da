"""Reports, looks and the walk through disagreements in a browser: fit, axe, keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.test import Client
from selenium.webdriver.common.keys import Keys

from calibration.models import Disposition
from tests.calibration.reviews import pair_named, review_world

if TYPE_CHECKING:
    from config.accounts.models import User
    from tests.browser.labeller import Labeller
    from tests.calibration.world import World


@pytest.fixture
def world(labeller: Labeller) -> World:
    """Made on the database that the live server reads."""
    del labeller
    return review_world()


@pytest.fixture
def at(labeller: Labeller, lead: User) -> Labeller:
    """The lead, signed in."""
    client = Client()
    client.force_login(lead)
    labeller.sign_in(client.cookies[settings.SESSION_COOKIE_NAME].value)
    return labeller


def one(world: World, case: str) -> str:
    pair = pair_named(world, case).pk
    return f"/reports/{world.report().pk}/disagreements/{pair}/"


@pytest.mark.parametrize("width", [1440, 390])
def test_they_fit_and_axe_finds_nothing(width: int, at: Labeller, world: World) -> None:
    base = f"/reports/{world.report().pk}/"
    at.resize(width, 844)
    for path in (
        f"/gold-sets/{world.gold_set.name}/looks/",  # before the first look: the plan
        base,
        f"{base}cases/",
        f"{base}cases/?split=dev&figure=position.first_slot_flips",
        f"{base}contradictions/?split=dev",
        f"{base}disagreements/",
        f"{base}disagreements/?split=held_out",
        one(world, "case-0003"),
        f"/gold-sets/{world.gold_set.name}/looks/",
    ):
        at.path = path
        at.open()
        assert at.sideways() <= 0, path
        assert at.violations() == [], path
        refused = "held_out" in path  # which the browser mentions
        assert len(at.console()) == refused, path


def test_on_a_phone_no_table_of_counts_or_cases_is_cut_off(
    at: Labeller, world: World
) -> None:
    base = f"/reports/{world.report().pk}/"
    at.resize(390, 844)
    for path, tables in (
        (base, ".heat"),
        (f"{base}cases/", ".stacked"),
        (f"{base}contradictions/", ".stacked"),
    ):
        at.path = path
        at.open()
        wide = at.js(
            "return [...document.querySelectorAll(arguments[0])].map("
            "one => one.scrollWidth - one.closest('.table-box').clientWidth)",
            tables,
        )
        assert wide, path
        assert max(wide) <= 0, path


def test_the_walk_by_keys_alone(at: Labeller, world: World) -> None:
    at.path = one(world, "case-0004")
    at.open()
    at.press("j")
    at.wait(lambda: "case-0003" in at.text)
    at.press("k")
    at.wait(lambda: "case-0004" in at.text)
    at.press("1")
    at.press("n")
    # What is typed into the note does nothing else.
    at.press("2 j k flip")
    finding = "return document.querySelector('[name=finding]:checked').value"
    assert at.js(finding) == "judge_failed"
    at.press_with_control(Keys.ENTER)
    at.wait(lambda: "case-0003" in at.text)
    row = Disposition.objects.get()
    assert (row.finding, row.note) == ("judge_failed", "2 j k flip")
