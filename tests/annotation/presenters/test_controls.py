"""Characters that turn or hide text: seen as written, held where rendered."""

from __future__ import annotations

import pytest

from annotation.domain.wording import marked_words
from annotation.presenters.controls import with_hidden_shown
from annotation.presenters.texts import View, marked, turns

REVERSED = "Refund \u202eyad a\u202c only <b>"


def one(text: str, view: View) -> str:
    [turn] = turns(text, view=view)
    return str(turn.html)


def test_what_turns_text_round_is_seen_as_written_and_does_not_act() -> None:
    html = one(REVERSED, View.RAW)
    assert "\u202e" not in html
    assert "\u202c" not in html
    for code in ("202E", "202C"):
        assert f'<span class="hidden-mark">[U+{code}]</span>' in html
    assert "only &lt;b&gt;" in html


def test_it_is_seen_among_differences_too() -> None:
    left, _ = marked_words(REVERSED, "Refund a day only <b>")
    html = "".join(str(marked(turn).html) for turn in left)
    assert "[U+202E]" in html
    assert "\u202e" not in html


@pytest.mark.parametrize("start", "\u202a\u202b\u202d\u202e\u2066\u2067\u2068")
def test_rendered_text_turns_nothing_after_it(start: str) -> None:
    html = one(f"a {start}b\n\n- c **d {start}e** f", View.RENDERED)
    assert html.count("<bdi>") == html.count("</bdi>") == 2
    assert f"<bdi>{start}b</bdi></p>" in html
    assert f"<strong>d <bdi>{start}e</bdi></strong> f" in html


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("pass\u200bword", "pass[U+200B]word"),
        ("pass\u200dword", "pass[U+200D]word"),
        ("co\u00adop", "co[U+00AD]op"),
        ("\ufeffx", "[U+FEFF]x"),
        ("a\u200fb", "a[U+200F]b"),
        ("a\U000e0041", "a[U+E0041]"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", None),
        ("\U0001f468\u200d\U0001f469", None),
        ("plain \u05d0\u05d1 \u4e2d\u6587\n\ttext", None),
    ],
)
def test_which_are_shown(text: str, shown: str | None) -> None:
    html = str(with_hidden_shown(text))
    plain = html.replace('<span class="hidden-mark">', "").replace("</span>", "")
    assert plain == (text if shown is None else shown)


def test_what_holds_directions_is_sanitised_with_the_rest() -> None:
    html = one(
        '```\u202e"><img src=x onerror=y>\nx\n```\n\n<b \u202e onclick=z>',
        View.RENDERED,
    )
    assert "<img" not in html
    assert "<b " not in html
    assert html.count("<bdi>") == html.count("</bdi>")
