"""A real Chromium against a live server; skipped with a reason where there is none."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings

from tests.browser.labeller import Labeller

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selenium.webdriver import Chrome

    from annotation.models import Round
    from config.accounts.models import User

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic",
    "--no-first-run", "--no-default-browser-check", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    "--disable-extensions", "--disable-default-apps", "--no-proxy-server",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """One Chromium for the session; each test starts without cookies or drafts."""
    binary = next(filter(None, map(shutil.which, BROWSERS)), None)
    driver_path = shutil.which("chromedriver")
    if binary is None or driver_path is None:
        pytest.skip("Chromium and chromedriver are not installed")
    driver = start(binary, driver_path, tmp_path_factory.mktemp("profile"))
    yield driver
    driver.quit()


def start(binary: str, driver_path: str, profile: Path) -> Chrome:
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    options.binary_location = binary
    for flag in (*FLAGS, f"--user-data-dir={profile}", "--window-size=1440,900"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    # Naming the driver keeps selenium from looking for one to download.
    return Chrome(options=options, service=Service(executable_path=driver_path))


@pytest.fixture
def labeller(
    browser: Chrome, live_server: Any, reviewer: User, round_: Round
) -> Iterator[Labeller]:
    """The reviewer, signed in, at the labelling page of the round."""
    from django.test import Client

    client = Client()
    client.force_login(reviewer)
    found = Labeller(browser, live_server.url, round_)
    found.sign_in(client.cookies[settings.SESSION_COOKIE_NAME].value)
    found.open()
    yield found
    messages = found.console()
    found.leave()
    assert messages == found.expected_messages


LONG = "A sentence that says little, slowly, and at some length. " * 60
RICH = (
    "# Steps\n\n1. Open **Settings**\n2. Choose *Refund*\n\n"
    "```python\nprint('a line of code that is far longer than any phone is wide')\n```"
    "\n\n| Fee | Paid |\n|---|---|\n| 4 EUR | yes |\n\n### Note\n\n> Quoted.\n\n"
    "مرحبا، كيف يمكنني المساعدة؟\n\n我可以帮您退款\n\n" + "x" * 200 + "\n\n" + LONG
)


@pytest.fixture
def rich_round(transactional_db: None, reviewer: User) -> Round:
    """One pair of long texts with all that Markdown can hold, one of them a chat."""
    from django.utils import timezone

    from annotation.models import System
    from tests.annotation.factory import add_case, make_round, make_set

    gold_set = make_set(cases=0, question="Which reply helps the customer more?")
    systems = list(System.objects.filter(gold_set=gold_set))
    chat = [
        {"role": "assistant", "content": "Let me look."},
        {"role": "user", "content": "Thanks!"},
        {"role": "assistant", "content": RICH[::-1][:400] + LONG},
    ]
    add_case(
        gold_set,
        systems,
        "rich-0001",
        [RICH, chat],
        prompt="### My order\n\nIt never came. What now?",
        context="Order 17, paid on 3 May.",
        reference="Refund within 5 days.",
    )
    return make_round(gold_set, reviewer, now=timezone.now(), name="Autumn round")


@pytest.fixture
def round_(transactional_db: None, reviewer: User, other_reviewer: User) -> Round:
    from django.utils import timezone

    from annotation.models import Guideline
    from tests.annotation.factory import make_round, make_set

    now = timezone.now()
    gold_set = make_set(cases=5, question="Which reply helps the customer more?")
    Guideline.objects.create(
        gold_set=gold_set, version=1, text="## Facts first\n\nThen *tone*.",
        digest="g", created_at=now,
    )  # fmt: skip
    return make_round(gold_set, reviewer, other_reviewer, now=now, name="Spring")
