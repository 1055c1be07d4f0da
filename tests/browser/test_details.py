"""Strength, flags, criteria, views of the texts, undo and a changed guideline."""

from __future__ import annotations

import gzip
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.contrib.staticfiles import finders
from django.utils import timezone
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from annotation.domain.answers import Option
from annotation.models import Draft, GoldSet, Label
from annotation.services.gold_sets import add_guideline
from tests.browser.labeller import LOOK

if TYPE_CHECKING:
    from annotation.models import Round
    from tests.browser.labeller import Labeller

MOST_BYTES = 60_000
MOST_MS = 300


@pytest.fixture
def asking(labeller: Labeller, round_: Round) -> Labeller:
    """The page of a set that asks for everything."""
    GoldSet.objects.filter(pk=round_.gold_set_id).update(
        strength_wanted=True,
        critical_errors=[{"code": "invented", "label": "Invented an action"}],
    )
    add_guideline(
        gold_set=round_.gold_set, text="Facts.", by=None, now=timezone.now(),
        criteria=[Option("tone", "Tone")],
    )  # fmt: skip
    labeller.open()
    assert "The guideline has changed" in labeller.text
    assert labeller.violations() == []
    labeller.shoot("guideline-changed")
    labeller.press(Keys.ENTER)
    labeller.wait(lambda: labeller.token is not None)
    time.sleep(LOOK)
    return labeller


def shows(labeller: Labeller, selector: str, value: str) -> bool:
    return labeller._value(selector) == value


def shift(labeller: Labeller, key: str) -> None:
    chain = ActionChains(labeller.driver).key_down(Keys.SHIFT)
    chain.send_keys(key).key_up(Keys.SHIFT).perform()


def check(labeller: Labeller, name: str, value: str) -> None:
    labeller.js(
        "document.querySelector(`[name='${arguments[0]}'][value='${arguments[1]}']`)"
        ".click()",
        name,
        value,
    )


def test_all_that_a_set_asks_can_be_said(asking: Labeller) -> None:
    shift(asking, Keys.ARROW_RIGHT)
    asking.press("c", "c")
    check(asking, "critical-first", "invented")
    check(asking, "criterion-tone", "second")
    asking.shoot("details")
    assert asking.violations() == []
    asking.confirm_and_go_on()

    label = Label.objects.get()
    assert (label.choice, label.strength, label.confidence) == ("second", 2, 2)
    assert label.critical == {"first": ["invented"]}
    assert label.criteria == {"tone": "second"}
    assert label.guideline is not None
    assert label.guideline.version == 2
    assert 0 < (label.active_seconds or 0) <= (label.elapsed_seconds or 0) + 0.5

    asking.press("1")
    asking.confirm_and_go_on()
    assert Label.objects.latest("pk").strength == 1


def test_details_fit_a_phone(asking: Labeller) -> None:
    asking.resize(390, 844)
    asking.press("s", "s")
    asking.shoot("details-390")
    assert asking.sideways() <= 0
    assert asking.bar_bottom() == 844
    assert asking.violations() == []


TOPS = """
  return ['.choices', '.answer .acts'].map(
    name => Math.round(document.querySelector(name).getBoundingClientRect().top))
"""
IN_SIGHT = """
  const one = document.activeElement, box = one.getBoundingClientRect();
  const found = document.elementFromPoint(
    box.left + box.width / 2, box.top + box.height / 2);
  return one === document.body ? null :
    [one.name || one.textContent.trim(), one === found || one.contains(found) ||
     [...(one.labels ?? [])].some(label => label.contains(found))];
"""


def test_the_choice_does_not_move_when_it_is_made(asking: Labeller) -> None:
    """On a phone: where one tapped Left there must not be Confirm a moment later."""
    asking.resize(390, 844)
    choices, acts = asking.js(TOPS)
    assert choices < acts
    for key in ("1", "0", "2", "s"):
        asking.press(key)
        now, below = asking.js(TOPS)
        assert now < below, key
        if key != "s":  # the reasons take room
            assert abs(now - choices) <= 10, key


def test_what_the_keyboard_comes_to_is_not_behind_the_answer(asking: Labeller) -> None:
    asking.resize(390, 600)
    asking.js("document.activeElement.blur(); window.scrollTo(0, 0)")
    seen = []
    for _ in range(60):
        asking.press(Keys.TAB)
        if (found := asking.js(IN_SIGHT)) is None:
            break
        seen.append(found)
    names = [name for name, _ in seen]
    assert {"critical-first", "critical-second", "criterion-tone"} <= set(names)
    assert [name for name, in_sight in seen if not in_sight] == []


def test_a_narrow_window_shows_the_keys_when_asked(labeller: Labeller) -> None:
    """Who sees a page four times as large has a keyboard too."""
    labeller.resize(360, 640)
    height = "return document.getElementById('keys').getBoundingClientRect().height"
    assert labeller.js(height) == 0
    labeller.press("?")
    assert labeller.js(height) > 0
    assert labeller.sideways() <= 0
    assert labeller.violations() == []
    labeller.press("?")
    assert labeller.js(height) == 0


def test_an_abstain_needs_its_reason_and_other_a_note(labeller: Labeller) -> None:
    labeller.press("s", Keys.ENTER)
    labeller.wait(lambda: "Say why" in labeller.state)
    labeller.press("sssss", Keys.ENTER)
    labeller.wait(lambda: "in the note" in labeller.state)
    labeller.press("n")
    labeller.press("It is in Klingon", Keys.ESCAPE)
    labeller.confirm_and_go_on()
    label = Label.objects.get()
    assert (label.abstain_reason, label.note) == ("other", "It is in Klingon")


def test_a_refusal_stays_until_the_next_act(labeller: Labeller) -> None:
    labeller.press("s", Keys.ENTER)
    labeller.wait(lambda: "Say why" in labeller.state)
    labeller.wait(Draft.objects.exists)  # its reply comes after the refusal
    time.sleep(0.5)
    assert "Say why" in labeller.state
    labeller.press("s")
    labeller.wait(lambda: labeller.state.startswith("Draft saved "))


def test_u_opens_the_last_label_again_and_changes_it(labeller: Labeller) -> None:
    first = labeller.token
    labeller.press("1")
    labeller.confirm_and_go_on()
    second = labeller.token
    labeller.press("2")
    labeller.confirm_and_go_on()
    held = labeller.token
    labeller.press("0")
    for expected, choice in ((second, "second"), (first, "first")):
        labeller.press("u")
        labeller.wait(partial(shows, labeller, "[name=token]", str(expected)))
        time.sleep(LOOK)
        assert labeller.chosen == choice
    labeller.shoot("reopened")
    assert labeller.violations() == []
    labeller.press("t")
    labeller.confirm_and_go_on()

    assert labeller.token == held
    labeller.wait(lambda: labeller.chosen == "tie")  # the draft of the held pair
    said = list(Label.objects.order_by("pk").values_list("choice", "revision"))
    assert said == [("first", 1), ("second", 1), ("tie", 2)]


def test_texts_as_written_and_their_differences(labeller: Labeller) -> None:
    labeller.press("2")
    for key, view in (("r", "raw"), ("d", "diff"), ("d", "rendered"), ("d", "diff")):
        labeller.press(key)
        labeller.wait(partial(shows, labeller, "[name=view]", view))
        time.sleep(0.1)
    marks = labeller.js(
        "return [...document.querySelectorAll('.slot mark')].map(m => m.innerText)"
    )
    assert sorted(mark.strip() for mark in marks) == ["0", "1"]
    assert labeller.violations() == []
    assert labeller.chosen == "second"
    labeller.confirm_and_go_on()
    assert labeller._value("[name=view]") == "diff"
    labeller.open()
    assert labeller._value("[name=view]") == "diff"
    assert Label.objects.get().view == {"texts": "diff", "linked": False}


def test_columns_scroll_together(labeller: Labeller, rich_round: Round) -> None:
    labeller.path = f"/label/{rich_round.pk}/"
    labeller.open()
    labeller.press("l")
    assert labeller.violations() == []
    left = "document.querySelectorAll('.slot')[0]"
    right = "document.querySelectorAll('.slot')[1]"
    labeller.js(f"{left}.scrollTop = {left}.scrollHeight")
    labeller.wait(lambda: labeller.js(f"return {right}.scrollTop") > 50)
    end = labeller.js(
        f"return {right}.scrollHeight - {right}.clientHeight - {right}.scrollTop"
    )
    assert end < 3
    labeller.open()
    assert labeller.js("return document.getElementById('linked').checked")


def test_what_is_folded_stays_folded(labeller: Labeller) -> None:
    is_open = "return document.querySelector('[data-fold=Prompt]').open"
    labeller.js("document.querySelector('[data-fold=Prompt] summary').click()")
    labeller.press("1")
    labeller.confirm_and_go_on()
    assert labeller.js(is_open) is False


def test_my_labels_can_be_read_and_opened(labeller: Labeller) -> None:
    token = labeller.token
    labeller.press("1", "n")
    labeller.press("why", Keys.ESCAPE)
    labeller.confirm_and_go_on()
    labeller.driver.find_element("link text", "My labels").click()
    labeller.wait(lambda: "why" in labeller.text)
    assert labeller.violations() == []
    labeller.shoot("my-labels")
    labeller.driver.find_element("partial link text", "Open again").click()
    labeller.wait(lambda: labeller.token == token)
    time.sleep(LOOK)
    labeller.press("0")
    labeller.confirm_and_go_on()
    assert Label.objects.latest("pk").revision == 2
    assert labeller.driver.current_url.endswith(labeller.path)


def test_the_page_is_small(labeller: Labeller) -> None:
    names = labeller.js(
        "return performance.getEntriesByType('resource').map(entry => entry.name)"
    )
    own = [name.split("/static/")[1] for name in names if "/static/" in name]
    files = [str(finders.find(name)) for name in own if name.endswith((".js", ".css"))]
    assert len(files) >= 5
    size = sum(len(gzip.compress(Path(name).read_bytes(), 6)) for name in files)
    assert size < MOST_BYTES


def test_the_reply_to_a_submit_is_one_small_request(labeller: Labeller) -> None:
    labeller.js("performance.clearResourceTimings()")
    labeller.press("1")
    labeller.confirm_and_go_on()
    sent = labeller.js(
        "return performance.getEntriesByType('resource')"
        ".filter(e => !e.name.endsWith('/draft')).map(e => [e.name, e.transferSize])"
    )
    assert len(sent) == 1
    assert sent[0][0].endswith("/answer")
    assert sent[0][1] < 20_000
