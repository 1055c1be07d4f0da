"""Adjudicating in a real browser: by keyboard alone, and when somebody is faster."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from annotation.domain.outcomes import Order, SlotChoice, outcome_of
from annotation.models import Adjudication, GoldSet, Hearing, RulingHold
from annotation.services.adjudicating import Opinion, adjudicate
from config.accounts.roles import Role
from tests.annotation.court import DISPUTE, T, label
from tests.annotation.factory import make_set
from tests.browser.labeller import LOOK, Labeller

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selenium.webdriver import Chrome

    from annotation.models import Round
    from config.accounts.models import User

NOTE = "0 kB, t and s: both\nsay the same."


class Clerk(Labeller):
    """One browser at the adjudication page."""

    def __init__(self, driver: Chrome, site: str, round_: Round) -> None:
        super().__init__(driver, site, round_)
        self.path = "/adjudicate/"

    @property
    def token(self) -> str | None:
        found: str | None = self.js(
            "return document.getElementById('answer')?.dataset.token ?? null"
        )
        return found

    @property
    def category(self) -> str:
        return self._value("#category") or ""

    def fill(self) -> None:
        """Choose, categorise and note, all by keyboard."""
        self.press("2", "c")
        self.press("gen", Keys.ESCAPE, "n")
        first, second = NOTE.split("\n")
        self.press(first, Keys.ENTER, second)


@pytest.fixture
def clerk(
    browser: Chrome,
    live_server: Any,
    transactional_db: None,
    adjudicator: User,
    make_user: Callable[..., Any],
) -> Iterator[Clerk]:
    from django.test import Client

    gold_set = make_set(cases=3, question="Which reply helps the customer more?")
    people = [make_user(f"labeller{n}", Role.REVIEWER) for n in range(3)]
    round_ = label(gold_set, people, [DISPUTE] * 3, note="Left is brief.")
    client = Client()
    client.force_login(adjudicator)
    found = Clerk(browser, live_server.url, round_)
    found.sign_in(client.cookies[settings.SESSION_COOKIE_NAME].value)
    found.open()
    yield found
    messages = found.console()
    found.leave()
    assert messages == found.expected_messages


def test_a_ruling_by_keyboard_alone(clerk: Clerk) -> None:
    hearing = Hearing.objects.get()
    clerk.fill()
    assert (clerk.chosen, clerk.category, clerk.note) == (
        "second",
        "genuinely_close",
        NOTE,
    )
    clerk.press(Keys.ESCAPE)
    assert clerk.violations() == []
    clerk.confirm_and_go_on()

    ruling = Adjudication.objects.get()
    assert ruling.hearing == hearing
    assert ruling.outcome == outcome_of(SlotChoice.SECOND, Order(hearing.order)).value
    assert (ruling.category, ruling.note) == ("genuinely_close", NOTE)
    assert clerk.state.startswith("Saved ")
    assert (clerk.chosen, clerk.category, clerk.note) == (None, "", "")
    assert "all rulings on that pair (1)" in clerk.text.lower()
    clerk.driver.find_element(By.CSS_SELECTOR, ".last-ruling summary").click()
    assert "by you" in clerk.text
    assert clerk.violations() == []


def test_enter_says_what_is_missing_and_goes_there(clerk: Clerk) -> None:
    clerk.press(Keys.ENTER)
    assert "Choose left, right, tie or abstain" in clerk.state
    clerk.press("0", Keys.ENTER)
    assert "Choose a category" in clerk.state
    clerk.press("bad", Keys.ESCAPE, Keys.ENTER)
    assert "needs a note" in clerk.state
    before = clerk.token
    clerk.press("broken")
    clerk.press_with_control(Keys.ENTER)
    clerk.wait(lambda: clerk.token != before)
    ruling = Adjudication.objects.get()
    assert (ruling.outcome, ruling.category, ruling.note) == (
        "tie",
        "bad_case",
        "broken",
    )


def test_who_is_second_is_told_and_keeps_the_text(
    clerk: Clerk, make_user: Callable[..., Any]
) -> None:
    hearing = Hearing.objects.get()
    clerk.fill()
    clerk.press(Keys.ESCAPE)
    from django.utils import timezone

    adjudicate(
        pair=hearing.pair,
        opinion=Opinion(T, "bad_case", "I was first."),
        by=make_user("faster", Role.ADJUDICATOR),
        now=timezone.now(),
    )
    clerk.press(Keys.ENTER)
    clerk.wait(lambda: "Not saved" in clerk.state)
    assert "Somebody else ruled on this pair first" in clerk.state
    assert "faster" not in clerk.text
    assert (clerk.token, clerk.chosen, clerk.category, clerk.note) == (
        str(hearing.token),
        "second",
        "genuinely_close",
        NOTE,
    )
    assert clerk.violations() == []
    assert any("409" in message for message in clerk.console())
    clerk.driver.find_element(By.LINK_TEXT, "Next pair").click()
    clerk.wait(lambda: clerk.token not in (None, str(hearing.token)))
    assert (clerk.chosen, clerk.note) == (None, "")
    assert Adjudication.objects.get().note == "I was first."


def test_a_draft_comes_back_after_a_reload(clerk: Clerk) -> None:
    clerk.fill()
    clerk.driver.refresh()
    time.sleep(LOOK)
    assert (clerk.chosen, clerk.category, clerk.note) == (
        "second",
        "genuinely_close",
        NOTE,
    )
    assert "not saved yet" in clerk.state


def test_a_first_ruling_made_blind_shows_the_labels(clerk: Clerk) -> None:
    GoldSet.objects.update(blind_first_ruling=True)
    RulingHold.objects.all().delete()
    clerk.fill()
    clerk.press(Keys.ESCAPE)
    clerk.confirm_and_go_on()

    assert "First rule without the labels" in clerk.text
    assert "What the reviewers said" not in clerk.text
    assert clerk.violations() == []
    clerk.press("1", Keys.ENTER)
    clerk.wait(lambda: "What the reviewers said" in clerk.text)
    assert "first ruling is kept" in clerk.state
    assert "you, before you saw these" in clerk.text
    assert clerk.violations() == []
    assert clerk.chosen is None
    time.sleep(LOOK)
    clerk.fill()
    clerk.press(Keys.ESCAPE)
    clerk.confirm_and_go_on()
    ruling = Adjudication.objects.latest("pk")
    assert ruling.hearing is not None
    order = Order(ruling.hearing.order)
    assert ruling.first_outcome == outcome_of(SlotChoice.FIRST, order).value
    assert ruling.outcome == outcome_of(SlotChoice.SECOND, order).value


def test_it_reads_as_the_labelling_page_does(clerk: Clerk) -> None:
    clerk.fill()
    clerk.press(Keys.ESCAPE)
    clerk.press("d")
    clerk.wait(lambda: clerk.js("return document.querySelector('.slot mark') !== null"))
    assert clerk.violations() == []
    clerk.press("r")
    clerk.wait(lambda: clerk.js("return document.querySelector('.slot mark') === null"))
    assert clerk.js("return document.querySelector('.slot .written') !== null")
    clerk.press("l")
    assert clerk.js("return document.getElementById('linked').checked")
    assert clerk.state == "", "nothing of that is an answer"
    # What was said is still there, and is what counts.
    assert (clerk.chosen, clerk.note) == ("second", NOTE)
    clerk.confirm_and_go_on()
    assert Adjudication.objects.get().note == NOTE


def test_give_back_takes_two_keys(clerk: Clerk) -> None:
    before = clerk.token
    clerk.press("k")
    assert Hearing.objects.get().given_back_at is None
    clerk.press(Keys.ENTER)
    clerk.wait(lambda: clerk.token != before)
    assert clerk.state.startswith("Given back")
    assert not Adjudication.objects.exists()


@pytest.mark.parametrize("width", [1440, 820, 390])
def test_the_page_fits(width: int, clerk: Clerk) -> None:
    clerk.resize(width, 844)
    clerk.shoot(f"adjudicate-{width}")
    assert clerk.sideways() <= 0
    left, right = clerk.js(
        "return [...document.querySelectorAll('.slot')]"
        ".map(slot => slot.getBoundingClientRect().toJSON())"
    )
    assert abs(left["width"] - right["width"]) < 1
    assert (left["top"] == right["top"]) == (width > 700)
    assert clerk.violations() == []
