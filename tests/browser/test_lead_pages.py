"""Pages of the people who lead: they fit a phone, and the menu says where one is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.test import Client

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


def test_imports_are_found_from_the_sets(at: Labeller) -> None:
    at.path = "/gold-sets/"
    at.open()
    at.js("document.querySelector('main a[href=\"/imports/\"]').click()")
    at.wait(lambda: "What can be read" in at.text)
