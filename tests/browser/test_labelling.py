"""Labelling in a real browser: keys, drafts, failures, and that it reads well."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from annotation.models import Label, Skip
from annotation.services.rounds import close_round
from annotation.services.turns import Turn, take_turn
from annotation.views import labelling as views
from tests.conftest import PASSWORD

if TYPE_CHECKING:
    import pytest

    from annotation.models import Round
    from tests.browser.labeller import Labeller


def choices() -> list[str]:
    return list(Label.objects.order_by("pk").values_list("choice", flat=True))


def test_the_keys_lead_through_to_done(labeller: Labeller) -> None:
    steps: tuple[tuple[str, str], ...] = (
        ("1", "first"), ("2", "second"), ("0", "tie"), ("sss", "abstain"),
        (Keys.ARROW_RIGHT, "second"),
    )  # fmt: skip
    for keys, choice in steps:
        fresh = labeller.chosen
        assert fresh is None
        labeller.press(keys)
        assert labeller.chosen == choice
        labeller.confirm_and_go_on()

    assert choices() == ["first", "second", "tie", "abstain", "second"]
    assert Label.objects.get(choice="abstain").abstain_reason == "outside_expertise"
    assert "Done" in labeller.text
    assert "5 labels of yours are in" in labeller.text
    assert labeller.state.startswith("Saved ")
    assert Label.objects.filter(elapsed_seconds__gt=0.1).count() == 5
    labeller.shoot("done")
    assert labeller.violations() == []


def test_the_last_key_counts_and_capitals_work(labeller: Labeller) -> None:
    labeller.press("1", "T", Keys.ARROW_LEFT, "S", "2", "t")
    assert labeller.chosen == "tie"
    labeller.confirm_and_go_on()
    assert choices() == ["tie"]


def test_the_mouse_does_the_same(labeller: Labeller) -> None:
    before = labeller.token
    labeller.driver.find_elements(By.CSS_SELECTOR, ".choices label")[2].click()
    labeller.driver.find_element(By.CSS_SELECTOR, "button.primary").click()
    labeller.wait(lambda: labeller.token != before)
    assert choices() == ["second"]


def test_enter_without_a_choice_saves_nothing(labeller: Labeller) -> None:
    labeller.press(Keys.ENTER)
    labeller.wait(lambda: "Choose" in labeller.state)
    assert choices() == []


def test_typing_a_note_presses_no_keys(labeller: Labeller) -> None:
    labeller.press("1", "n")
    labeller.press("20 tests s", Keys.BACKSPACE, " k", Keys.ENTER, "g?")
    assert labeller.chosen == "first"
    assert labeller.note == "20 tests  k\ng?"
    assert Label.objects.count() == 0
    labeller.press(Keys.ESCAPE)
    labeller.confirm_and_go_on()

    label = Label.objects.get()
    assert (label.choice, label.note) == ("first", "20 tests  k\ng?")
    assert labeller.note == ""


def test_control_and_enter_confirm_from_the_note(labeller: Labeller) -> None:
    before = labeller.token
    labeller.press("0", "n")
    labeller.press("equal")
    labeller.press_with_control(Keys.ENTER)
    labeller.wait(lambda: labeller.token != before)
    assert Label.objects.get().note == "equal"


def test_a_draft_comes_back_after_a_reload(labeller: Labeller) -> None:
    token = labeller.token
    labeller.press("2", "n")
    labeller.press("half a thought")
    labeller.driver.refresh()
    time.sleep(0.3)

    assert labeller.token == token
    assert (labeller.chosen, labeller.note) == ("second", "half a thought")
    assert "not saved yet" in labeller.state
    labeller.confirm_and_go_on()
    assert (labeller.chosen, labeller.note) == (None, "")


def fail(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def refuse(**_: Any) -> None:
        raise error

    monkeypatch.setattr(views, "take_turn", refuse)


def test_a_failing_server_keeps_the_text_and_says_so(
    labeller: Labeller, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = labeller.token
    labeller.press("1", "n")
    labeller.press("keep me", Keys.ESCAPE)
    with monkeypatch.context() as broken:
        fail(broken, RuntimeError("disk on fire"))
        labeller.press(Keys.ENTER)
        labeller.wait(lambda: "Not saved" in labeller.state)
    labeller.js("window.scrollTo(0, document.body.scrollHeight)")
    assert labeller.js(
        "return document.getElementById('save-state').getBoundingClientRect().top >= 0"
    )
    assert labeller.violations() == []
    assert (labeller.token, labeller.chosen, labeller.note) == (
        token,
        "first",
        "keep me",
    )
    labeller.shoot("not-saved")
    assert any("500" in message for message in labeller.console())

    labeller.press(Keys.ENTER)
    labeller.wait(lambda: labeller.state.startswith("Saved"))
    assert Label.objects.get().note == "keep me"


def test_a_server_out_of_reach_keeps_the_text(labeller: Labeller) -> None:
    labeller.press("0")
    labeller.driver.set_network_conditions(
        offline=True, latency=0, throughput=500 * 1024
    )
    labeller.press(Keys.ENTER)
    labeller.wait(lambda: "Not saved" in labeller.state)
    assert "reached" in labeller.state
    assert labeller.chosen == "tie"
    before = labeller.token
    labeller.driver.delete_network_conditions()
    # The page tries again by itself as well: whichever comes first stores it, once.
    labeller.press(Keys.ENTER)
    labeller.wait(lambda: labeller.token != before)
    labeller.console()
    assert choices() == ["tie"]


def test_a_refusal_says_why_and_offers_the_next_pair(
    labeller: Labeller, round_: Round
) -> None:
    labeller.press("1")
    from django.utils import timezone

    close_round(round_=round_, by=None, now=timezone.now())
    labeller.press(Keys.ENTER)
    labeller.wait(lambda: "Not saved" in labeller.state)
    assert "closed meanwhile" in labeller.state
    assert labeller.chosen == "first"
    labeller.console()
    labeller.driver.find_element(By.LINK_TEXT, "Next pair").click()
    labeller.wait(lambda: "This round is closed" in labeller.text)


def test_an_ended_session_is_told_and_the_answer_kept(labeller: Labeller) -> None:
    labeller.press("2")
    labeller.driver.delete_cookie("sessionid")
    labeller.press(Keys.ENTER)
    labeller.wait(lambda: "Not saved" in labeller.state)
    assert "signed out" in labeller.state
    assert labeller.chosen == "second"
    labeller.driver.find_element(By.LINK_TEXT, "Sign in again").click()
    labeller.driver.find_element(By.NAME, "username").send_keys("reviewer")
    labeller.driver.find_element(By.NAME, "password").send_keys(PASSWORD, Keys.ENTER)
    labeller.wait(lambda: labeller.token is not None)

    assert labeller.chosen == "second"
    time.sleep(0.3)
    labeller.confirm_and_go_on()
    assert choices() == ["second"]


def test_a_late_key_never_lands_on_the_next_pair(
    labeller: Labeller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys pressed while the label is on its way, and in the moment after."""
    going = threading.Event()

    def slowly(**given: Any) -> Turn:
        going.wait(5)
        return take_turn(**given)

    monkeypatch.setattr(views, "take_turn", slowly)
    before = labeller.token
    labeller.press("1", Keys.ENTER)
    labeller.wait(lambda: labeller.state == "Saving…")
    labeller.press("2", Keys.ENTER, "0", "s")
    # A key in the very moment of the swap, before anybody has seen the next pair.
    labeller.js(
        """document.body.addEventListener("htmx:afterSettle", () => {
             document.body.dispatchEvent(
               new KeyboardEvent("keydown", {key: "2", bubbles: true}));
           }, {once: true})"""
    )
    going.set()
    labeller.wait(lambda: labeller.token != before)
    time.sleep(0.1)

    assert labeller.chosen is None
    assert choices() == ["first"]


def test_skip_takes_two_keys(labeller: Labeller) -> None:
    before = labeller.token
    labeller.press("k")
    assert Skip.objects.count() == 0
    labeller.press(Keys.ENTER)
    labeller.wait(lambda: labeller.token != before)
    assert labeller.state.startswith("Skipped")
    assert (Skip.objects.count(), Label.objects.count()) == (1, 0)
