"""What is kept of rendered texts: by digest, bounded, and never less sanitised."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from django.utils.safestring import SafeString

from annotation.presenters import markdown
from annotation.presenters.rendered import Key, Rendered, key_of

HOSTILE = (
    "<script>alert(1)</script> <img src=x onerror=alert(1)> "
    "[a](javascript:alert(1)) ![b](http://tracker.example/x.png)"
)


class Renderer:
    """Counts how often it was asked."""

    def __init__(self, length: int = 4) -> None:
        self.asked = 0
        self.length = length

    def __call__(self) -> SafeString:
        self.asked += 1
        return SafeString("x" * self.length)


def key(text: str, renderer: str = "one", *options: int) -> Key:
    return key_of(text, renderer=renderer, options=options)


def test_a_text_is_rendered_once_while_it_is_held() -> None:
    kept, render = Rendered(most=100), Renderer()
    assert kept.of(key("a"), render) == kept.of(key("a"), render) == "xxxx"
    assert render.asked == 1


def test_another_text_renderer_or_option_is_another_entry() -> None:
    kept, render = Rendered(most=100), Renderer()
    keys = [key("a"), key("a "), key("a", "two"), key("a", "one", 2), key("a\ud800")]
    for one in keys:
        kept.of(one, render)
    assert render.asked == len(kept) == len(set(keys)) == 5


def test_the_text_asked_for_longest_ago_goes_first() -> None:
    kept, render = Rendered(most=8), Renderer(length=4)
    for text in ("a", "b", "a", "c"):  # b goes when c comes
        kept.of(key(text), render)
    assert (render.asked, len(kept)) == (3, 2)
    kept.of(key("a"), render)
    assert render.asked == 3
    kept.of(key("b"), render)
    assert render.asked == 4


def test_a_text_longer_than_all_room_is_shown_and_not_held() -> None:
    kept, small, large = Rendered(most=8), Renderer(4), Renderer(9)
    kept.of(key("small"), small)
    assert len(kept.of(key("large"), large)) == 9
    assert len(kept) == 1
    kept.of(key("small"), small)
    assert small.asked == 1


def test_threads_leave_the_count_of_characters_right() -> None:
    kept, render = Rendered(most=40), Renderer(length=4)
    with ThreadPoolExecutor(8) as pool:
        keys = [key(str(number % 30)) for number in range(3000)]
        assert set(pool.map(lambda one: kept.of(one, render), keys)) == {"xxxx"}
    assert len(kept) == 10


def test_hostile_text_stays_sanitised_the_second_time() -> None:
    first, again = markdown(HOSTILE), markdown(HOSTILE)
    assert first == again
    assert "<script" not in again
    assert "<img" not in again
    assert "<a" not in again
    assert "&lt;script&gt;" in again


def test_a_panel_and_a_slot_keep_their_own_headings() -> None:
    assert "<h3" in markdown("# Same title", top=3)
    assert "<h2" in markdown("# Same title", top=2)
    assert "<h3" in markdown("# Same title", top=3)
