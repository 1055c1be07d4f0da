"""Nothing typed is lost: networks drop, servers die, reservations run out."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest
from django.utils import timezone
from selenium.webdriver.common.keys import Keys

from annotation.domain.outcomes import SlotChoice
from annotation.models import Assignment, Draft, Label, RoundMember, Seat
from annotation.services.labelling import Answer, submit_label
from annotation.services.queue import next_assignment
from tests.browser.labeller import LOOK, Labeller
from tests.processes import ROOT, environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from annotation.models import Round
    from config.accounts.models import User

START_SECONDS = 60.0


def write(labeller: Labeller, choice: str, note: str) -> None:
    labeller.press(choice, "n")
    labeller.press(note, Keys.ESCAPE)


def offline(labeller: Labeller, value: bool) -> None:
    labeller.driver.execute_cdp_cmd("Network.enable", {})
    labeller.driver.execute_cdp_cmd(
        "Network.emulateNetworkConditions",
        {
            "offline": value, "latency": 0,
            "downloadThroughput": -1, "uploadThroughput": -1,
        },
    )  # fmt: skip


def forget_here(labeller: Labeller) -> None:
    """As in another browser: nothing is kept here."""
    labeller.js("localStorage.clear()")


def test_a_draft_is_on_the_server_and_comes_back_in_another_browser(
    labeller: Labeller,
) -> None:
    write(labeller, "2", "half a thought")
    labeller.press("c")
    labeller.wait(lambda: labeller.state.startswith("Draft saved"))
    forget_here(labeller)
    labeller.open()
    assert (labeller.chosen, labeller.note) == ("second", "half a thought")
    assert "draft is back" in labeller.state
    labeller.confirm_and_go_on()
    assert Label.objects.get().confidence == 1
    assert not Draft.objects.exists()


def test_leaving_at_once_still_keeps_the_draft(labeller: Labeller) -> None:
    labeller.press("1")
    labeller.driver.get("about:blank")
    labeller.wait(Draft.objects.exists)
    assert Draft.objects.get().content["choice"] == "first"
    labeller.open()


def test_a_network_that_drops_in_the_middle_loses_nothing_and_goes_on_by_itself(
    labeller: Labeller,
) -> None:
    before = labeller.token
    offline(labeller, True)
    write(labeller, "1", "written while offline")
    labeller.press(Keys.ENTER)
    labeller.wait(lambda: "Trying again by itself" in labeller.state)
    assert labeller.token == before
    assert not Label.objects.exists()
    offline(labeller, False)
    labeller.wait(lambda: labeller.token != before)

    label = Label.objects.get()
    assert (label.choice, label.note) == ("first", "written while offline")
    labeller.console()


def test_a_change_while_offline_waits_for_enter(labeller: Labeller) -> None:
    offline(labeller, True)
    labeller.press("1", Keys.ENTER)
    labeller.wait(lambda: "Trying again by itself" in labeller.state)
    labeller.press("2")
    offline(labeller, False)
    time.sleep(3)
    assert not Label.objects.exists()
    labeller.confirm_and_go_on()
    assert Label.objects.get().choice == "second"
    labeller.console()


class Server:
    """The site as it is served for real, on the database of the test."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.site = f"http://localhost:{self.port}"  # the host that the cookie is for
        self.environment = environment(folder, EVENHAND_INSECURE_HTTP="1")
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(
            [
                sys.executable, "-m", "gunicorn", "config.wsgi:application",
                "--bind", f"127.0.0.1:{self.port}", "--threads", "4",
                "--log-level", "error",
            ],
            cwd=ROOT, env=self.environment, start_new_session=True,
        )  # fmt: skip
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            try:
                # Answered, not only listening: a first request loads the whole site.
                with urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=20):
                    return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None


@pytest.fixture
def server(labeller: Labeller, tmp_path: Path) -> Iterator[Server]:
    """A server process of its own, at which the labeller works."""
    found = Server(tmp_path)
    found.start()
    labeller.site = found.site
    yield found
    labeller.driver.get("about:blank")
    found.kill()


def test_a_killed_server_costs_no_word(labeller: Labeller, server: Server) -> None:
    labeller.open()
    before = labeller.token
    write(labeller, "1", "before the crash")
    labeller.wait(lambda: labeller.state.startswith("Draft saved"))
    server.kill()
    write(labeller, "2", ", and after it")
    labeller.press(Keys.ENTER)
    labeller.wait(lambda: "Not saved: kept here" in labeller.state)
    assert labeller.note == "before the crash, and after it"

    server.start()
    labeller.wait(lambda: labeller.token != before)  # tried again by itself
    label = Label.objects.get()
    assert (label.choice, label.note) == ("second", "before the crash, and after it")
    labeller.console()


def test_a_draft_outlives_the_server_and_the_browser(
    labeller: Labeller, server: Server
) -> None:
    labeller.open()
    before = labeller.token
    write(labeller, "0", "told the server")
    labeller.wait(lambda: labeller.state.startswith("Draft saved"))
    server.kill()
    forget_here(labeller)
    labeller.driver.get("about:blank")
    server.start()
    labeller.open()
    assert (labeller.token, labeller.chosen, labeller.note) == (
        before, "tie", "told the server",
    )  # fmt: skip
    labeller.console()


def run_out(labeller: Labeller) -> None:
    """Let the reservation of the pair on the screen have run out."""
    Seat.objects.filter(assignments__token=labeller.token or "").update(
        available_at=timezone.now() - timedelta(minutes=1)
    )


def test_a_reservation_that_ran_out_and_is_free_just_works(labeller: Labeller) -> None:
    run_out(labeller)
    labeller.press("1")
    labeller.wait(lambda: labeller.state.startswith("Draft saved"))
    run_out(labeller)
    labeller.confirm_and_go_on()
    assert Label.objects.get().choice == "first"


def test_a_pair_that_others_took_is_explained_and_the_text_kept(
    labeller: Labeller, round_: Round, other_reviewer: User
) -> None:
    now = timezone.now()
    run_out(labeller)
    mine = Seat.objects.get(assignments__token=labeller.token or "").pk
    # The other takes everything that is free, the pair on the screen among it.
    while Seat.objects.filter(pk=mine, available_at__isnull=False).exists():
        taken = next_assignment(
            round_id=round_.pk, reviewer=other_reviewer, now=now, rng=random.Random(1)
        )
        assert isinstance(taken, Assignment)
        submit_label(
            token=str(taken.token),
            reviewer=other_reviewer,
            answer=Answer(SlotChoice.TIE),
            now=now,
        )
    write(labeller, "1", "my thoughts")
    labeller.wait(lambda: "others have taken this pair" in labeller.state)
    labeller.shoot("taken")
    assert labeller.violations() == []
    labeller.press(Keys.ENTER)
    labeller.wait(lambda: "others have taken this pair" in labeller.state)
    assert labeller.note == "my thoughts"
    labeller.driver.find_element("link text", "Next pair").click()
    time.sleep(LOOK)
    labeller.driver.get(f"{labeller.site}{labeller.path}mine/")
    assert "Not counted" in labeller.text
    assert "my thoughts" in labeller.text
    labeller.console()


def test_two_tabs_at_one_pair_store_one_label_and_agree_on_the_next(
    labeller: Labeller,
) -> None:
    first, token = labeller.driver.current_window_handle, labeller.token
    labeller.press("1")
    labeller.wait(lambda: labeller.state.startswith("Draft saved"))
    labeller.driver.switch_to.new_window("tab")
    labeller.open()
    assert (labeller.token, labeller.chosen) == (token, "first")
    labeller.confirm_and_go_on()
    following = labeller.token
    second = labeller.driver.current_window_handle

    labeller.driver.switch_to.window(first)
    assert labeller.token == token
    time.sleep(LOOK)
    labeller.confirm_and_go_on()
    assert labeller.token == following
    assert Label.objects.count() == 1
    labeller.press("2")
    labeller.confirm_and_go_on()
    assert Label.objects.count() == 2
    member = RoundMember.objects.get(reviewer__username="reviewer")
    assert member.labels == 2
    labeller.driver.switch_to.window(second)
    labeller.driver.close()
    labeller.driver.switch_to.window(first)
