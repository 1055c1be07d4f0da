"""Reading for hours: long texts, other scripts, pauses, and both pages alike."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from django.utils import timezone
from selenium.webdriver.common.keys import Keys

from annotation.models import System
from tests.annotation.factory import add_case, make_round, make_set
from tests.browser.labeller import LOOK

if TYPE_CHECKING:
    from annotation.models import Round
    from config.accounts.models import User
    from tests.browser.labeller import Labeller

HEBREW = "שלום, אפשר לקבל החזר?"
RECT = "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()"


def round_of(reviewer: User, texts: list[object], prompt: str) -> Round:
    gold_set = make_set(cases=0)
    systems = list(System.objects.filter(gold_set=gold_set))
    add_case(gold_set, systems, "case-0001", texts, prompt=prompt)
    return make_round(gold_set, reviewer, now=timezone.now(), name="Autumn")


def go_to(labeller: Labeller, round_: Round) -> None:
    labeller.path = f"/label/{round_.pk}/"
    labeller.open()


def test_n_goes_on_where_the_note_ends(labeller: Labeller) -> None:
    labeller.press("n")
    labeller.press("Left names")
    labeller.js("document.getElementById('note').setSelectionRange(0, 0)")
    labeller.press(Keys.ESCAPE, "n")
    labeller.press(" the fee")
    assert labeller.note == "Left names the fee"


def test_a_reservation_that_runs_out_unused_is_told(labeller: Labeller) -> None:
    labeller.press("1")
    labeller.wait(lambda: "Draft saved" in labeller.state)
    assert labeller.js("return document.getElementById('answer').dataset.minutes")
    labeller.open()
    labeller.js("document.getElementById('answer').dataset.minutes = '0.0001'")
    labeller.wait(lambda: "Your reservation ran out" in labeller.state)
    assert labeller.js("return document.getElementById('save-state').role === 'status'")
    assert labeller.violations() == []
    # It was told once, and work goes on.
    labeller.press("2")
    labeller.wait(lambda: "Draft saved" in labeller.state)
    labeller.confirm_and_go_on()
    assert labeller.state.startswith("Saved")


def test_a_warning_covers_neither_menu_nor_account(labeller: Labeller) -> None:
    for width in (1440, 390):
        labeller.resize(width, 844)
        labeller.open()
        labeller.press(Keys.ENTER)
        labeller.wait(lambda: "Choose left" in labeller.state)
        head = labeller.js(RECT, ".site-head")
        assert labeller.js(RECT, "#save-state")["top"] >= head["bottom"]
        labeller.js("document.querySelector('.slot').style.minHeight = '2000px'")
        labeller.js("window.scrollTo(0, 500)")
        time.sleep(0.1)
        assert labeller.js("return window.scrollY") == 500
        state = labeller.js(RECT, "#save-state")
        assert 0 <= state["top"] < 100, "in sight, however far down"
        assert labeller.sideways() <= 0


def test_each_block_starts_where_its_script_does(
    labeller: Labeller, reviewer: User
) -> None:
    texts: list[object] = [f"{HEBREW}\n\nPlain English.", "Reply."]
    go_to(labeller, round_of(reviewer, texts, prompt=HEBREW))
    labeller.resize(1440, 900)
    panel = labeller.js(RECT, ".texts .panel")
    prompt = labeller.js(RECT, ".texts .panel .text > p")
    assert panel["right"] - prompt["right"] < 30
    found = labeller.js(
        "return Object.fromEntries([...document.querySelectorAll('.slot .text > p')]"
        ".map(p => [p.textContent, getComputedStyle(p).direction]))"
    )
    assert found == {HEBREW: "rtl", "Plain English.": "ltr", "Reply.": "ltr"}


def test_two_hundred_kilobytes_scroll_in_a_box(
    labeller: Labeller, reviewer: User
) -> None:
    text = "word and another word, line after line.\n" * 5_200
    assert len(text) > 200_000
    go_to(labeller, round_of(reviewer, [text, "Short."], prompt="Say it all."))
    for width in (1440, 390):
        labeller.resize(width, 844)
        labeller.open()
        height = labeller.js("return document.documentElement.scrollHeight")
        assert height < 3 * 844
        inner = labeller.js(
            "return [...document.querySelectorAll('.slot.long')]"
            ".map(slot => slot.scrollHeight)"
        )
        assert len(inner) == 2
        assert max(inner) > 50_000
        assert labeller.bar_bottom() == 844
        assert labeller.violations() == []
    labeller.press("1")
    labeller.confirm_and_go_on()
    assert "Done" in labeller.text


def test_short_texts_get_no_box(labeller: Labeller) -> None:
    assert labeller.js("return document.querySelectorAll('.slot.long').length") == 0
    time.sleep(LOOK)
