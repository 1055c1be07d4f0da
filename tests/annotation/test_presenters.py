"""Untrusted texts on the screen."""

from __future__ import annotations

import re

import pytest

from annotation.domain.texts import TextError
from annotation.presenters import PANEL_TOP, markdown, turns

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[here](javascript:alert(1))",
    "![pixel](https://tracker.example/p.png)",
    "<https://tracker.example>",
    "[ref]\n\n[ref]: https://tracker.example 'title'",
    "```html\n<script>alert(1)</script>\n```",
    "<svg/onload=alert(1)>",
    "<style>body{display:none}</style>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "<iframe src='https://tracker.example'></iframe>",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_hostile_gets_through(text: str) -> None:
    html = markdown(text)
    tags = re.findall(r"<\s*/?\s*([a-z0-9]+)([^>]*)>", html)

    assert {name for name, _ in tags} <= {"p", "pre", "code"}
    assert not any(attributes.strip() for _, attributes in tags)


@pytest.mark.parametrize("text", HOSTILE[2:6])
def test_addresses_stay_to_be_read(text: str) -> None:
    address = re.findall(r"(?:https://tracker|javascript:)[^)>\s']*", text)[0]
    assert address in markdown(text)


def test_markdown_is_rendered() -> None:
    html = markdown("**b** ~~s~~\n\n3. x\n\n| a | b |\n|---|---|\n| 1 | 2 |")
    for part in ("<strong>b</strong>", "<s>s</s>", '<ol start="3">', "<td>2</td>"):
        assert part in html


def test_headings_are_numbered_from_the_top_without_gaps() -> None:
    html = markdown("# a\n\n#### b\n\n###### c\n\n# d")
    assert re.findall(r"<(h\d)>(\w)", html) == [
        ("h3", "a"), ("h4", "b"), ("h5", "c"), ("h3", "d"),
    ]  # fmt: skip
    assert markdown("##### deep", top=PANEL_TOP) == "<h2>deep</h2>\n"


def test_many_heading_levels_end_at_six() -> None:
    levels = "\n\n".join("#" * n + f" x{n}" for n in range(1, 7))
    assert re.findall(r"<h(\d)>", markdown(levels)) == ["3", "4", "5", "6", "6", "6"]


def test_a_chat_is_shown_as_turns_and_other_keys_stay_behind() -> None:
    found = turns(
        [
            {"role": "user", "content": "Hi *there*"},
            {"role": "assistant", "content": ""},
        ]
    )
    assert [turn.role for turn in found] == ["user", "assistant"]
    assert found[0].html == "<p>Hi <em>there</em></p>\n"


@pytest.mark.parametrize("stored", [None, "", "  \n"])
def test_an_empty_text_has_no_turns(stored: object) -> None:
    assert turns(stored) == ()


def test_a_damaged_text_is_not_guessed_at() -> None:
    with pytest.raises(TextError):
        turns(7)
