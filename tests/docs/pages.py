"""Reading the documentation as data: sections, code blocks, tables, links."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = (README, *sorted(DOCS.glob("*.md")))

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^(#{1,6}) (.+)$", re.MULTILINE)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language and text."""

    language: str
    text: str


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(text: str, language: str | None = None) -> list[Block]:
    found = [Block(*match.groups()) for match in _BLOCK.finditer(text)]
    return [b for b in found if language is None or b.language == language]


def prose(text: str) -> str:
    """The text without its fenced blocks."""
    return _BLOCK.sub("", text)


def headings(text: str) -> list[str]:
    return [match[2] for match in _HEADING.finditer(prose(text))]


def anchors(text: str) -> set[str]:
    """Heading anchors as GitHub makes them."""
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in headings(text)
    }


def section(text: str, title: str) -> str:
    """A section with its subsections, without its heading."""
    start = re.search(rf"^(#+) {re.escape(title)}$", text, re.MULTILINE)
    assert start is not None, f"no section {title!r}"
    rest = text[start.end() :]
    end = re.search(rf"^#{{1,{len(start[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def links(text: str) -> list[str]:
    return _LINK.findall(prose(text))


def codes(text: str) -> list[str]:
    """Everything set in single backquotes."""
    return _CODE.findall(prose(text))


def first_cells(text: str) -> list[str]:
    """What is set in backquotes in the first column of all tables."""
    rows = [line for line in prose(text).splitlines() if line.startswith("|")]
    return [code for row in rows for code in _CODE.findall(row.split("|")[1])]
