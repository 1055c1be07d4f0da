"""The report on A4: nothing cut, nothing torn apart that fits a page, no navigation."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.test import Client

from tests.calibration.reviews import looked, review_world

if TYPE_CHECKING:
    from collections.abc import Iterator

    from config.accounts.models import User
    from tests.browser.labeller import Labeller

A4 = {"paperWidth": 8.27, "paperHeight": 11.69}
# 8.27 in at 96 px, less the browser's own margins of 1 cm.
PRINTABLE = 717
# Of a node that is shown: where its text or drawing ends. Words for screen readers,
# clipped to a pixel, are not on paper.
WIDER = """
const cut = [];
for (const one of document.querySelectorAll("main *")) {
  if (!one.checkVisibility() || one.closest(".visually-hidden")) continue;
  const box = one.getBoundingClientRect();
  if (box.right > innerWidth + 1 || box.left < -1) cut.push(one.outerHTML.slice(0, 90));
}
return cut;
"""
BROKEN = """
const broken = [];
for (const head of document.querySelectorAll(".heat th, .slices thead th")) {
  if (head.scrollWidth > head.clientWidth + 1) broken.push(head.textContent.trim());
  const walk = document.createTreeWalker(head, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    for (const word of walk.currentNode.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(walk.currentNode, word.index);
      range.setEnd(walk.currentNode, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map(r => Math.round(r.top)));
      if (lines.size > 1) broken.push(word[0]);
    }
  }
}
return broken;
"""
# Each kind of thing, with the style that keeps it together or with what follows.
STYLES = """
return [...document.querySelectorAll(arguments[0])]
  .filter(one => one.checkVisibility())
  .map(one => getComputedStyle(one)[arguments[1]]);
"""
OVERLAPS = """
const kept = "h2, h3, .part-body > *, .first-screen > *, .notice";
const boxes = [...document.querySelectorAll(".report-parts")][0];
const found = [...boxes.querySelectorAll(kept)].filter(one => one.checkVisibility());
const over = [];
found.forEach((one, place) => {
  const next = found[place + 1];
  if (!next || one.contains(next)) return;
  const end = one.getBoundingClientRect().bottom;
  const start = next.getBoundingClientRect().top;
  const name = next.textContent.trim().slice(0, 40);
  if (end > start + 1) over.push(`${name}: ${end - start}`);
});
return over;
"""


@pytest.fixture
def on_paper(labeller: Labeller, lead: User) -> Iterator[Labeller]:
    """The lead at a disclosed report, laid out as for A4."""
    client = Client()
    client.force_login(lead)
    path = f"/reports/{review_world().report().pk}/"
    looked(client, path)
    labeller.sign_in(client.cookies[settings.SESSION_COOKIE_NAME].value)
    labeller.path = path
    labeller.open()
    size: dict[str, Any] = {"width": PRINTABLE, "height": 1047}
    cdp = labeller.driver.execute_cdp_cmd
    cdp(
        "Emulation.setDeviceMetricsOverride",
        size | {"deviceScaleFactor": 1, "mobile": False},
    )
    cdp("Emulation.setEmulatedMedia", {"media": "print"})
    yield labeller
    cdp("Emulation.setEmulatedMedia", {"media": ""})
    cdp("Emulation.clearDeviceMetricsOverride", {})


def styles(at: Labeller, selector: str, name: str) -> set[str]:
    found = at.driver.execute_script(STYLES, selector, name)
    assert found, f"nothing is {selector}"
    return set(found)


def test_nothing_is_wider_than_the_page_or_lies_on_another(on_paper: Labeller) -> None:
    assert on_paper.js("return innerWidth") == PRINTABLE
    assert on_paper.sideways() <= 0
    assert on_paper.js(WIDER) == []
    assert on_paper.js(OVERLAPS) == []


def test_no_word_of_a_head_is_broken(on_paper: Labeller) -> None:
    assert on_paper.js(BROKEN) == []


@pytest.mark.parametrize(
    ("what", "style"),
    [
        ("main h1, main h2, main h3", "breakAfter"),
        (".part > summary", "breakAfter"),
        (".part-body > p.quiet:first-child", "breakAfter"),
        (".slices .group", "breakAfter"),
        (".part-body > p", "breakInside"),
        (".heat, .figures:not(.slices), .slices tr", "breakInside"),
        (".forest, .panel.chart", "breakInside"),
    ],
)
def test_what_belongs_together_stays_on_a_page(
    what: str, style: str, on_paper: Labeller
) -> None:
    assert styles(on_paper, what, style) == {"avoid"}


def test_the_way_about_the_site_is_not_printed(on_paper: Labeller) -> None:
    shown = (
        "return [...document.querySelectorAll('nav, .site-head, .skip-link, form, "
        "button')].filter(one => one.checkVisibility()).length"
    )
    assert on_paper.js(shown) == 0


def test_the_pdf_has_a4_pages_and_no_more_than_the_tables_need(
    on_paper: Labeller,
) -> None:
    sent = on_paper.driver.execute_cdp_cmd("Page.printToPDF", A4)
    pdf = base64.b64decode(sent["data"])
    assert pdf.startswith(b"%PDF-")
    sizes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert 10 < len(sizes) < 40
    for width, height in sizes:
        assert abs(float(width) - 595) < 2
        assert abs(float(height) - 842) < 2
