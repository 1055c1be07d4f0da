"""What a person does at the labelling page, in the words of the page."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import axe_selenium_python  # type: ignore[import-untyped]  # it ships no types
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

if TYPE_CHECKING:
    from collections.abc import Callable

    from selenium.webdriver import Chrome

    from annotation.models import Round

AXE = Path(axe_selenium_python.__file__).parent / "node_modules/axe-core/axe.min.js"
SECONDS = 20
# The page takes no key in the first moment of a new pair; nobody reads that fast.
LOOK = 0.25


class Labeller:
    """One browser at one round."""

    def __init__(self, driver: Chrome, site: str, round_: Round) -> None:
        self.driver = driver
        self.site = site
        self.path = f"/label/{round_.pk}/"
        self.expected_messages: list[str] = []

    def sign_in(self, session: str) -> None:
        self.driver.get(f"{self.site}/login/")
        self.driver.delete_all_cookies()
        self.driver.add_cookie({"name": "sessionid", "value": session, "path": "/"})
        self.driver.execute_script("localStorage.clear()")
        self.console()

    def open(self) -> None:
        self.driver.get(self.site + self.path)
        time.sleep(LOOK)

    def leave(self) -> None:
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.driver.get("about:blank")

    def press(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def press_with_control(self, key: str) -> None:
        chain = ActionChains(self.driver).key_down(Keys.CONTROL)
        chain.send_keys(key).key_up(Keys.CONTROL).perform()

    def wait(self, condition: Callable[[], object]) -> None:
        WebDriverWait(self.driver, SECONDS, poll_frequency=0.03).until(
            lambda _: condition()
        )

    # Read in one script each: between two commands the page may have moved on.

    @property
    def token(self) -> str | None:
        return self._value("[name=token]")

    @property
    def chosen(self) -> str | None:
        return self._value("[name=choice]:checked")

    @property
    def note(self) -> str:
        return self._value("#note") or ""

    @property
    def state(self) -> str:
        return self._text("#save-state")

    @property
    def text(self) -> str:
        return self._text("main")

    def _value(self, selector: str) -> str | None:
        found: str | None = self.js(
            "return document.querySelector(arguments[0])?.value ?? null", selector
        )
        return found

    def _text(self, selector: str) -> str:
        return str(
            self.js(
                "return document.querySelector(arguments[0])?.innerText ?? ''", selector
            )
        )

    def js(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    def confirm_and_go_on(self) -> None:
        """Press Enter and wait until another pair, or none, is on the screen."""
        before = self.token
        self.press(Keys.ENTER)
        self.wait(lambda: self.token != before)
        time.sleep(LOOK)

    def console(self) -> list[str]:
        """What the browser complained of since the last call, CSP included."""
        driver: Any = self.driver
        return [entry["message"] for entry in driver.get_log("browser")]

    def violations(self) -> list[str]:
        """What axe finds, all rules, best practices too."""
        # Evaluated through the driver, as the page's own policy lets no script in.
        self.driver.execute_script(AXE.read_text())
        result = self.driver.execute_async_script(
            "axe.run(document, {resultTypes: ['violations']}).then(arguments[0])"
        )
        return [
            f"{found['id']}: {node['target']} {node['failureSummary']}"
            for found in result["violations"]
            for node in found["nodes"]
        ]

    def sideways(self) -> int:
        """By how many pixels the page is wider than the window."""
        return int(
            self.js(
                "const page = document.documentElement;"
                "return page.scrollWidth - page.clientWidth"
            )
        )

    def shoot(self, name: str) -> None:
        """Keep a picture, if EVENHAND_SCREENSHOTS names a folder for them."""
        if folder := os.environ.get("EVENHAND_SCREENSHOTS"):
            self.driver.save_screenshot(str(Path(folder) / f"{name}.png"))

    def bar_bottom(self) -> int:
        """Where the answer bar ends, in pixels from the top of the window."""
        bottom = self.js(
            "return document.getElementById('answer').getBoundingClientRect().bottom"
        )
        return round(float(bottom))

    def resize(self, width: int, height: int) -> None:
        """Set the size of the page itself; a window can't be as narrow as a phone."""
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
