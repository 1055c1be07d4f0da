"""Untrusted texts on the screen."""

from __future__ import annotations

import re
from html import unescape

import pytest

from annotation.domain.texts import TextError
from annotation.presenters import PANEL_TOP, View, markdown, turns

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

    assert {name for name, _ in tags} <= {"p", "pre", "code", "span"}
    allowed = re.compile(r'( dir="auto")?|( class="hl-[a-z]")')
    assert all(allowed.fullmatch(attributes) for _, attributes in tags)


@pytest.mark.parametrize("text", HOSTILE[2:6])
def test_addresses_stay_to_be_read(text: str) -> None:
    address = re.findall(r"(?:https://tracker|javascript:)[^)>\s']*", text)[0]
    assert address in markdown(text)


def test_markdown_is_rendered() -> None:
    html = markdown("**b** ~~s~~\n\n3. x\n\n| a | b |\n|---|---|\n| 1 | 2 |")
    for part in (
        "<strong>b</strong>",
        "<s>s</s>",
        '<ol start="3" dir="auto">',
        "<td>2</td>",
    ):
        assert part in html


def test_headings_are_numbered_from_the_top_without_gaps() -> None:
    html = markdown("# a\n\n#### b\n\n###### c\n\n# d")
    assert re.findall(r"<(h\d) dir=.auto.>(\w)", html) == [
        ("h3", "a"), ("h4", "b"), ("h5", "c"), ("h3", "d"),
    ]  # fmt: skip
    assert markdown("##### deep", top=PANEL_TOP) == '<h2 dir="auto">deep</h2>\n'


def test_many_heading_levels_end_at_six() -> None:
    levels = "\n\n".join("#" * n + f" x{n}" for n in range(1, 7))
    assert re.findall(r"<h(\d) ", markdown(levels)) == ["3", "4", "5", "6", "6", "6"]


def test_a_chat_is_shown_as_turns_and_other_keys_stay_behind() -> None:
    found = turns(
        [
            {"role": "user", "content": "Hi *there*"},
            {"role": "assistant", "content": ""},
        ]
    )
    assert [turn.role for turn in found] == ["user", "assistant"]
    assert found[0].html == '<p dir="auto">Hi <em>there</em></p>\n'


@pytest.mark.parametrize("stored", [None, "", "  \n"])
def test_an_empty_text_has_no_turns(stored: object) -> None:
    assert turns(stored) == ()


def test_a_damaged_text_is_not_guessed_at() -> None:
    with pytest.raises(TextError):
        turns(7)


def test_code_in_a_named_language_is_coloured_by_class_and_loses_nothing() -> None:
    code = "def f(x):\n\n    return '<b>' + x  # why\n"
    html = markdown(f"```python\n{code}```")
    plain = unescape(re.sub(r"<[^>]*>", "", html))

    assert '<span class="hl-k">def</span>' in html
    assert "style=" not in html
    assert plain.rstrip("\n") == code.rstrip("\n")


@pytest.mark.parametrize("language", ["", "klingon", '"><b>'])
def test_no_language_is_guessed(language: str) -> None:
    html = markdown(f"```{language}\nreturn 1 <b>\n```")
    assert "<span" not in html
    assert "<b>" not in html


def test_very_long_code_stays_plain() -> None:
    assert "<span" not in markdown("```python\n" + "x = 1\n" * 5_000 + "```")


def test_blocks_take_the_direction_of_their_own_words() -> None:
    html = markdown("- \u05d0\n- b\n\n> \u0645\n")
    assert '<ul dir="auto">\n<li>' in html
    assert '<blockquote dir="auto">\n<p>' in html


def test_a_text_as_written_keeps_every_character() -> None:
    text = "  **a** <i>\n\n\tb &amp; "
    [turn] = turns(text, view=View.RAW)
    assert turn.html.startswith('<pre class="written" dir="auto">')
    assert unescape(re.sub(r"</?pre[^>]*>", "", turn.html)) == text


def test_a_very_long_text_is_shown_as_written() -> None:
    [turn] = turns("word *x* " * 10_000)
    assert "<pre" in turn.html
    assert "*x*" in turn.html


def test_line_breaks_stay_line_breaks() -> None:
    shown = str(markdown("12 Mill Lane\r\nYork\n- two"))
    assert re.sub(r"\s*<br>\s*", "|", shown).startswith(
        '<p dir="auto">12 Mill Lane|York'
    )
