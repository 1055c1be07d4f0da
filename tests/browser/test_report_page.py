"""The report page in a browser: an overview first, and every part within reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.test import Client
from selenium.webdriver.common.keys import Keys

from tests.calibration.reviews import looked, review_world

if TYPE_CHECKING:
    from pathlib import Path

    from config.accounts.models import User
    from tests.browser.labeller import Labeller

FOLDED = "return document.querySelectorAll('details.part:not([open])').length"
PARTS = "return document.querySelectorAll('details.part').length"
TALL = "return document.documentElement.scrollHeight"
SEEN = (
    "return [...document.querySelectorAll('.part-body')]"
    ".filter(one => one.checkVisibility()).length"
)


@pytest.fixture
def client(lead: User) -> Client:
    found = Client()
    found.force_login(lead)
    return found


@pytest.fixture
def at(labeller: Labeller, client: Client) -> Labeller:
    """The lead at a report whose held-out results were disclosed."""
    path = f"/reports/{review_world().report().pk}/"
    looked(client, path)
    labeller.sign_in(client.cookies[settings.SESSION_COOKIE_NAME].value)
    labeller.path = path
    return labeller


@pytest.mark.parametrize(("width", "most"), [(1440, 6_500), (390, 11_000)])
def test_the_folded_page_is_short_and_axe_finds_nothing(
    width: int, most: int, at: Labeller
) -> None:
    at.resize(width, 844)
    at.open()
    at.shoot(f"report-{width}")
    assert at.js(TALL) < most
    assert at.sideways() <= 0
    at.js("document.getElementById('unfold').click()")
    at.wait(lambda: at.js(FOLDED) == 0)
    assert at.js(TALL) > most
    assert at.sideways() <= 0
    assert at.violations() == []
    assert at.console() == []


def test_the_verdict_comes_first_and_the_contents_stay_in_sight(at: Labeller) -> None:
    at.resize(1440, 900)
    at.open()
    top = "return document.querySelector(arguments[0]).getBoundingClientRect().top"
    assert 0 < at.js(top, ".verdict") < 450
    for width in (1440, 390):
        at.resize(width, 844)
        at.open()
        at.js("window.scrollTo(0, 3000)")
        assert abs(at.js(top, ".contents")) <= 1


def test_a_link_to_a_part_opens_it(at: Labeller) -> None:
    at.resize(390, 844)
    at.open()
    shown = "return document.getElementById('stability').checkVisibility()"
    assert not at.js(shown)
    at.js("document.querySelector('.contents a[href=\"#stability\"]').click()")
    at.wait(lambda: at.js(shown))
    # Its title is in sight too, under the bar.
    title = "return document.getElementById('stability-title').getBoundingClientRect()"
    at.wait(lambda: 40 <= at.js(f"{title}.top") < 844)


def test_parts_open_and_fold_by_keys(at: Labeller) -> None:
    at.resize(1440, 900)
    at.open()
    before = at.js(FOLDED)
    at.js("document.querySelector('details.part:not([open]) > summary').focus()")
    at.press(Keys.ENTER)
    at.wait(lambda: at.js(FOLDED) == before - 1)
    at.press(Keys.SPACE)
    at.wait(lambda: at.js(FOLDED) == before)


def test_one_button_opens_all_parts_and_folds_them(at: Labeller) -> None:
    at.resize(1440, 900)
    at.open()
    button = "return document.getElementById('unfold').textContent"
    assert at.js(button) == "Open all parts"
    at.js("document.getElementById('unfold').focus()")
    at.press(Keys.ENTER)
    at.wait(lambda: at.js(button) == "Fold all parts")
    assert at.js(FOLDED) == 0
    at.press(Keys.ENTER)
    at.wait(lambda: at.js(button) == "Open all parts")
    assert at.js(FOLDED) == at.js(PARTS) > 15


@pytest.mark.parametrize("standalone", [False, True])
def test_on_paper_every_part_is_open(
    standalone: bool,
    at: Labeller,
    client: Client,
    tmp_path: Path,
) -> None:
    """By style alone: the file that is downloaded holds no script."""
    if standalone:
        file = tmp_path / "report.html"
        file.write_bytes(client.get(f"{at.path.rstrip('/')}.html").content)
        at.driver.get(file.as_uri())
    else:
        at.open()
    folded, parts = at.js(FOLDED), at.js(PARTS)
    assert folded > 10
    assert at.js(SEEN) == parts - folded
    at.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert at.js(SEEN) == parts
        assert at.js(FOLDED) == folded
    finally:
        at.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
