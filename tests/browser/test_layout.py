"""How the pages look: sizes, long texts, barriers, and where all of it comes from."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from annotation.models import GoldSet
from tests.conftest import PASSWORD

if TYPE_CHECKING:
    from annotation.models import Round
    from tests.browser.labeller import Labeller


def test_guideline_and_keys_open_and_close(labeller: Labeller) -> None:
    # A newcomer finds the guideline open.
    assert labeller.js("return document.getElementById('guideline').open")
    labeller.open()
    for key, name in (("g", "guideline"), ("?", "keys")):
        is_open = f"return document.getElementById('{name}').open"
        labeller.press(key)
        assert labeller.js(is_open)
        assert labeller.violations() == []
        labeller.press(key)
        assert not labeller.js(is_open)


@pytest.mark.parametrize("width", [1440, 820, 390])
def test_the_page_fits_and_the_answer_is_in_reach(
    width: int, labeller: Labeller
) -> None:
    labeller.resize(width, 844)
    labeller.shoot(f"label-{width}")
    assert labeller.sideways() <= 0
    assert labeller.bar_bottom() == 844
    left, right = labeller.js(
        "return [...document.querySelectorAll('.slot')]"
        ".map(slot => slot.getBoundingClientRect().toJSON())"
    )
    assert abs(left["width"] - right["width"]) < 1
    assert (left["top"] == right["top"]) == (width > 700)
    assert labeller.violations() == []


@pytest.mark.parametrize("width", [1440, 390])
def test_long_texts_of_all_kinds_stay_readable(
    width: int, labeller: Labeller, rich_round: Round
) -> None:
    labeller.path = f"/label/{rich_round.pk}/"
    labeller.resize(width, 844)
    labeller.open()
    labeller.shoot(f"rich-{width}")

    assert labeller.sideways() <= 0
    assert labeller.bar_bottom() == 844
    assert labeller.violations() == []
    labeller.press("1", "n")
    labeller.press("The left one names the fee.")
    labeller.js("window.scrollTo(0, 900)")
    time.sleep(0.1)
    labeller.shoot(f"rich-{width}-scrolled")
    assert labeller.bar_bottom() == 844
    assert labeller.violations() == []


def test_the_login_page_has_no_barrier(labeller: Labeller) -> None:
    labeller.driver.delete_all_cookies()
    labeller.driver.get(f"{labeller.site}/login/")
    assert labeller.violations() == []
    labeller.driver.find_element(By.NAME, "username").send_keys("reviewer")
    labeller.driver.find_element(By.NAME, "password").send_keys(PASSWORD, Keys.ENTER)
    labeller.wait(lambda: "Spring" in labeller.text)
    assert labeller.violations() == []


def test_everything_of_the_page_comes_from_the_site(labeller: Labeller) -> None:
    names = labeller.js(
        "return performance.getEntriesByType('resource').map(entry => entry.name)"
    )
    assert names
    assert all(name.startswith(labeller.site) for name in names)


def test_neither_a_saved_state_nor_a_long_word_widens_the_page_of_a_phone(
    labeller: Labeller, round_: Round
) -> None:
    long = "y" * 120
    GoldSet.objects.filter(pk=round_.gold_set_id).update(question=long, title=long)
    labeller.resize(390, 844)
    labeller.open()
    assert labeller.sideways() <= 0
    labeller.press("1")
    labeller.confirm_and_go_on()
    assert labeller.js("return document.getElementById('save-state').textContent")
    assert labeller.sideways() <= 0
    labeller.driver.get(f"{labeller.site}/")
    assert long in labeller.text
    assert labeller.sideways() <= 0
