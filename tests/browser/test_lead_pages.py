"""Pages of the people who lead: they fit a phone, and the menu says where one is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from annotation.domain.consensus import ConsensusRule
from annotation.services.freezing import freeze_gold

if TYPE_CHECKING:
    from annotation.models import Round
    from config.accounts.models import User
    from tests.browser.labeller import Labeller

PAGES = {
    "/rounds/{round}/": "Gold sets",
    "/rounds/{round}/balance/": "Gold sets",
    "/imports/": "Gold sets",
    "/gold-sets/": "Gold sets",
    "/gold-sets/{set}/": "Gold sets",
    "/gold-sets/{set}/settings/": "Gold sets",
    "/gold-sets/{set}/guideline/": "Gold sets",
    "/gold-sets/{set}/gold/": "Gold sets",
    "/gold-sets/{set}/splits/": "Gold sets",
    "/gold-sets/{set}/rounds/new": "Gold sets",
    "/judges/": "Judges",
    "/runs/new/": "Judges",
    "/reports/": "Reports",
}


@pytest.fixture
def at(labeller: Labeller, lead: User, round_: Round) -> Labeller:
    """The lead, signed in."""
    client = Client()
    client.force_login(lead)
    labeller.sign_in(client.cookies[settings.SESSION_COOKIE_NAME].value)
    return labeller


@pytest.mark.parametrize("width", [1440, 390])
def test_they_fit_and_the_menu_knows_them(
    width: int, at: Labeller, round_: Round
) -> None:
    at.resize(width, 844)
    for path, name in PAGES.items():
        at.path = path.format(round=round_.pk, set=round_.gold_set.name)
        at.open()
        assert at.sideways() <= 0, at.path
        current = at.js(
            "return [...document.querySelectorAll('.site-nav [aria-current=page]')]"
            ".map(link => link.textContent)"
        )
        assert current == [name], at.path
        assert at.violations() == [], at.path


BOXES = """
  return [...document.querySelectorAll('.table-box')].map(box => [
    box.querySelector('caption').textContent,
    box.scrollWidth > box.clientWidth, box.tabIndex])
"""


def test_only_tables_that_scroll_are_a_stop_of_the_keyboard(
    at: Labeller, round_: Round
) -> None:
    """On a phone those of a set and of its gold are cards and need no scrolling."""
    freeze_gold(
        gold_set=round_.gold_set,
        rule=ConsensusRule.MAJORITY_ELSE_ADJUDICATE,
        by=None,
        now=timezone.now(),
        leave_open=True,
    )
    for path in ("", "gold/"):
        at.path = f"/gold-sets/{round_.gold_set.name}/{path}"
        at.resize(390, 844)
        at.open()
        boxes = at.js(BOXES)
        assert len(boxes) > 1
        assert {(scrolls, stop) for _, scrolls, stop in boxes} == {(False, -1)}, boxes
    # As narrow as nobody's screen is, one scrolls: by keyboard too.
    at.js("document.querySelector('main').style.width = '60px'")
    at.wait(lambda: [True, 0] in [one[1:] for one in at.js(BOXES)])
    at.js("document.querySelector('main').style.width = ''")
    at.wait(lambda: {one[2] for one in at.js(BOXES)} == {-1})


def test_imports_are_found_from_the_sets(at: Labeller) -> None:
    at.path = "/gold-sets/"
    at.open()
    at.js("document.querySelector('main a[href=\"/imports/\"]').click()")
    at.wait(lambda: "What can be read" in at.text)
