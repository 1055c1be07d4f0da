"""Label pair after pair in Chromium by keyboard, and print one line of JSON.

`python -m benchmarks.page` fills a database of its own with 400 pairs, serves it with
`manage.py serve`, opens the labelling page in a headless Chromium and labels 60 pairs;
of each, after a few to warm up, times since the key event of Enter:

- ``request_*_ms``: until the reply of the one request was there;
- ``shown_*_ms``: until the next pair was painted;
- ``keys_*_ms``: until a key acted on it. The page takes none for 150 ms, so that a late
  key never lands on the next pair;
- ``complete_*_ms``: a page loaded anew, until its load event, of ``loads`` loads.

It needs Chromium and chromedriver. `--db postgres` measures on PostgreSQL.
"""

# ruff: noqa: INP001, PLC0415 - a script; Django comes before its models

from __future__ import annotations

if not __package__:
    raise SystemExit("Run this from the project's folder as: python -m benchmarks.page")

import argparse
import asyncio
import json
import os
import platform
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

from benchmarks.own_site import disconnect, free_port, serve, until_up, use_database

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

PASSWORD = "a password of this benchmark only"  # noqa: S105 - guards nothing
WARM_UP = 5
SECONDS = 30
SIZE = {"workers": 2, "threads": 6}

# Counts from the time of the key event itself. Two frames after the swap the pair is on
# the screen; from then on a key is tried every few milliseconds until one acts.
WATCH = """
const watched = window.watched = { done: false };
const work = document.getElementById("work");
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.isTrusted) watched.entered = event.timeStamp;
}, { capture: true });
const frame = () => new Promise((next) => requestAnimationFrame(next));
const chosen = () => document.getElementById("answer").elements.choice.value;
document.body.addEventListener("htmx:afterSwap", async (event) => {
  if (event.detail.target !== work) return;
  const posts = performance.getEntriesByType("resource");
  watched.request = posts.at(-1).responseEnd - watched.entered;
  await frame();
  await frame();
  watched.shown = performance.now() - watched.entered;
  if (!document.getElementById("answer")) { watched.done = true; return; }
  const press = setInterval(() => {
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true }));
    if (!chosen()) return;
    clearInterval(press);
    watched.keys = performance.now() - watched.entered;
    watched.done = true;
  }, 4);
});
"""
ARM = "performance.clearResourceTimings(); window.watched.done = false"
LOADED = """
const [page] = performance.getEntriesByType("navigation");
return page.loadEventEnd ? page.loadEventEnd - page.startTime : null
"""
MEASURED = ("request", "shown", "keys")


def main() -> None:
    """Fill a database, serve it, label in a browser, and print the figures."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="evenhand-benchmark-") as temporary:
        home = Path(temporary)
        stop = use_database(options.db, home)
        from benchmarks import queue_rows

        try:
            round_id = queue_rows.fill(options.pairs, 1, 1, PASSWORD)
            disconnect()
            figures = _in_a_browser(options, round_id, home)
        finally:
            disconnect()
            stop()
    sys.stdout.write(json.dumps(figures | {"machine": _machine(options)}) + "\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--labels", type=int, default=60, help="how many are given")
    parser.add_argument("--loads", type=int, default=20)
    parser.add_argument("--db", choices=["postgres", "sqlite"], default="sqlite")
    options = parser.parse_args()
    if options.labels + WARM_UP >= options.pairs:
        parser.error("--labels: there have to be more pairs than that")
    return options


def _in_a_browser(
    options: argparse.Namespace, round_id: int, home: Path
) -> dict[str, object]:
    port = free_port()
    server = serve(port, **SIZE)
    try:
        asyncio.run(until_up(port))
        driver = _browser(home)
        try:
            site = f"http://127.0.0.1:{port}"
            _sign_in(driver, site)
            page = f"{site}/label/{round_id}/"
            loads = [_load(driver, page) for _ in range(options.loads + 1)][1:]
            times = _label(driver, options.labels)
        finally:
            driver.quit()
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)
    figures: dict[str, object] = {"labels": options.labels, "loads": options.loads}
    for name in MEASURED:
        figures |= _spread(name, [one[name] for one in times])
    return figures | _spread("complete", loads)


def _browser(home: Path) -> Chrome:
    from tests.browser.conftest import BROWSERS, start

    binary = next(filter(None, map(shutil.which, BROWSERS)), None)
    driver = shutil.which("chromedriver")
    if binary is None or driver is None:
        raise SystemExit("Chromium and chromedriver are needed.")
    found: Chrome = start(binary, driver, home / "profile")
    return found


def _sign_in(driver: Chrome, site: str) -> None:
    driver.get(f"{site}/login/")
    driver.find_element("name", "username").send_keys("r0")
    driver.find_element("name", "password").send_keys(PASSWORD + "\n")
    _until(driver, "return location.pathname === '/'")


def _load(driver: Chrome, page: str) -> float:
    driver.get(page)
    took = _until(driver, LOADED)
    assert isinstance(took, float | int)  # noqa: S101 - a number of milliseconds
    return float(took)


def _label(driver: Chrome, labels: int) -> list[dict[str, float]]:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    driver.execute_script(WATCH)
    # The first choice is made as a person makes it; all later ones by the page's watch.
    _until(driver, "return performance.now() > 1000")
    ActionChains(driver).send_keys("1").perform()
    times = []
    for _ in range(labels + WARM_UP):
        driver.execute_script(ARM)
        ActionChains(driver).send_keys(Keys.ENTER).perform()
        _until(driver, "return window.watched.done")
        times.append(dict(driver.execute_script("return window.watched")))
    return times[WARM_UP:]


def _until(driver: Chrome, script: str) -> object:
    from selenium.webdriver.support.ui import WebDriverWait

    wait = WebDriverWait(driver, SECONDS, poll_frequency=0.02)
    found: object = wait.until(lambda one: one.execute_script(script))
    return found


def _spread(name: str, values: list[float]) -> dict[str, object]:
    ninetyfive = quantiles(values, n=100)[94]
    return {
        f"{name}_median_ms": round(median(values), 1),
        f"{name}_p95_ms": round(ninetyfive, 1),
        f"{name}_worst_ms": round(max(values), 1),
    }


def _machine(options: argparse.Namespace) -> dict[str, object]:
    return {
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        "system": platform.platform(terse=True),
        "database": options.db,
        **SIZE,
    }


if __name__ == "__main__":
    main()
