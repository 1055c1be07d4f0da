"""Rendered texts, kept for a while: the same text is shown many times.

What is kept depends on the text alone and is found by the text's digest, so it tells
nobody anything that the text itself does not. Each process keeps its own.
"""

from __future__ import annotations

from collections import OrderedDict
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.utils.safestring import SafeString


class Key(NamedTuple):
    """What decides what a text looks like: its digest, the renderer, its options."""

    digest: bytes
    renderer: str
    options: tuple[int, ...]


def key_of(text: str, *, renderer: str, options: tuple[int, ...] = ()) -> Key:
    """The key of a text. Lone surrogates, which no text should hold, do no harm."""
    encoded = text.encode("utf-8", "surrogatepass")
    return Key(sha256(encoded).digest(), renderer, options)


class Rendered:
    """The last rendered texts, up to so many characters altogether.

    Threads share it; at worst two of them render the same text at the same time.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0
        self._texts: OrderedDict[Key, SafeString] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._texts)

    def of(self, key: Key, render: Callable[[], SafeString]) -> SafeString:
        """The text under this key, rendered only if it is not held."""
        with self._lock:
            if (found := self._texts.get(key)) is not None:
                self._texts.move_to_end(key)
                return found
        html = render()
        self._hold(key, html)
        return html

    def _hold(self, key: Key, html: SafeString) -> None:
        """Hold a text, and let go those that were asked for longest ago."""
        if len(html) > self._most:
            return
        with self._lock:
            if key in self._texts:
                return
            self._texts[key] = html
            self._held += len(html)
            while self._held > self._most:
                _, gone = self._texts.popitem(last=False)
                self._held -= len(gone)
