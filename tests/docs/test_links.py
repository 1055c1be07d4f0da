"""Links, images and settings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from config import checks
from tests.docs.pages import (
    DOCS,
    PAGES,
    README,
    ROOT,
    anchors,
    first_cells,
    links,
    section,
    text_of,
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in links(text_of(page)):
        if re.match(r"https?://", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(text_of(target)), link


def test_the_readme_shows_both_pages_as_images() -> None:
    shown = re.findall(r"!\[.+?\]\((.+?)\)", text_of(README))
    assert shown == ["docs/images/label.png", "docs/images/report.png"]


def test_the_readme_leads_to_every_page() -> None:
    named = set(links(text_of(README)))
    assert {f"docs/{page.name}" for page in DOCS.glob("*.md")} <= named


def setting_names() -> set[str]:
    """Every environment variable that the settings read."""
    text = text_of(ROOT / "config/settings.py")
    return set(re.findall(r"read_\w+\(\s*\"([A-Z_]+)\"", text))


def test_every_settings_variable_is_documented_and_none_besides() -> None:
    documented = set(first_cells(section(text_of(DOCS / "settings.md"), "Settings")))
    documented = {name for name in documented if name.isupper()}
    assert len(setting_names()) > 10
    assert documented == setting_names()


def test_every_check_is_documented_and_none_besides() -> None:
    ids = set(re.findall(r"evenhand\.[EW]\d{3}", text_of(Path(checks.__file__))))
    documented = re.findall(
        r"^\| `(evenhand\.\w+)`", text_of(DOCS / "settings.md"), re.MULTILINE
    )
    assert set(documented) == ids


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_keep_to_themselves(page: Path) -> None:
    """No address of a machine that is not the reader's, no absolute path."""
    hosts = re.findall(r"https?://([\w.\-]+)", text_of(page))
    known = {"127.0.0.1", "api.openai.com", "evenhand.example.org"}
    assert set(hosts) <= known
    assert not re.search(r"(?<![\w.])/(?:work|home|root|tmp)/", text_of(page))
